import HTTPCacheSemantics

/// The id of a manifest that was given none.
package enum StandardID {
    /// The host of a URL, and its port where that is not the scheme's own: `example.com`, `localhost-8001`. Two sites that are
    /// developed on one machine have two ids.
    ///
    /// - Returns: `nil` where the host can't be part of an id, as an IPv6 address.
    package static func of(_ url: String) -> String? {
        guard let parts = TargetURI.split(url) else { return nil }
        let (host, port) = split(parts.authority)
        let isOwn = port.isEmpty || port == (parts.scheme == "https" ? "443" : "80")
        let id = isOwn ? String(host) : "\(host)-\(port)"
        return ManifestHead.isID(id) ? id : nil
    }

    /// What earlier versions took: the host alone, whatever its port.
    package static func withoutPort(_ url: String) -> String? {
        guard let parts = TargetURI.split(url) else { return nil }
        let host = String(split(parts.authority).host)
        return ManifestHead.isID(host) ? host : nil
    }

    private static func split(_ authority: String) -> (host: Substring, port: Substring) {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else { return (authority[...], "") }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }
}
