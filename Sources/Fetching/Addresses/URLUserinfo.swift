/// The user name and the password in the text of a URL.
public enum URLUserinfo {
    /// The URL without them, and they themselves, still encoded; `nil` where there is no `@`.
    ///
    /// - Parameter url: Absolute, as a web view prints it: the authority ends at `/`, `?` or `#`.
    public static func split(_ url: String) -> (url: String, userinfo: Substring?) {
        guard let colon = url.utf8.firstIndex(of: 0x3A), url[colon...].hasPrefix("://") else { return (url, nil) }
        let start = url.utf8.index(colon, offsetBy: 3)
        let end = url.utf8[start...].firstIndex { [0x2F, 0x3F, 0x23, 0x5C].contains($0) } ?? url.endIndex
        guard let at = url.utf8[start..<end].lastIndex(of: 0x40) else { return (url, nil) }
        return (String(url[..<start]) + url[url.utf8.index(after: at)...], url[start..<at])
    }

    /// The URL without user name and password.
    public static func removed(from url: String) -> String { split(url).url }
}
