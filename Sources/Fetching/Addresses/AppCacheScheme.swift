import HTTPCacheSemantics

/// The scheme under which a web view asks Larder for https resources where it does not hand over `https` itself.
///
/// `app-cache-https://host/path` stands for `https://host/path`; nothing but the scheme differs. The page's origin is
/// then `app-cache-https://host`.
package enum AppCacheScheme {
    package static let name = "app-cache-https"

    /// The https URL that a URL of this scheme stands for, normalised, with its fragment.
    ///
    /// A web view parses hosts of a scheme of an app's own by other rules than those of https (URL standard §4.4: `\`
    /// is no slash there). A URL that the two rules could read as different hosts is refused, so that a page never gets
    /// one host's origin and another host's bytes.
    ///
    /// - Returns: `nil` if the URL has another scheme, no host, userinfo, a `\`, a `%` in its host, or octets beyond
    ///   ASCII in its host.
    package static func networkURL(of url: String) -> String? {
        guard let parts = TargetURI.split(url), parts.scheme == name else { return nil }
        let rest = url.utf8.dropFirst(name.utf8.count + "://".utf8.count)
        let written = rest.prefix { $0 != 0x2F && $0 != 0x3F && $0 != 0x23 }
        guard written.allSatisfy({ $0 != 0x40 && $0 != 0x5C && $0 != 0x25 && (0x21...0x7E).contains($0) }) else {
            return nil
        }
        guard case .web(let web) = URLReference.resolve("https://" + String(Substring(rest)), against: nil),
            let host = Authority(parts.authority),
            web.origin == WebOrigin(scheme: "https", authority: host)
        else { return nil }
        return web.urlWithFragment
    }

    /// A URL of this scheme without user name and password, and those; `nil` where they hold anything that the rules
    /// for two schemes could read differently, and for other URLs.
    static func split(_ url: String) -> (url: String, userinfo: Substring?) {
        guard url.hasPrefix(name + "://"), case (let page, let userinfo?) = URLUserinfo.split(url),
            userinfo.utf8.allSatisfy({ (0x21...0x7E).contains($0) && ![0x40, 0x5C].contains($0) })
        else { return (url, nil) }
        return (page, userinfo)
    }

    /// The URL under which the web view knows an https URL, normalised: at a scheme of an app's own `HOST` and
    /// `host:443` are origins of their own. `nil` for other URLs.
    package static func pageURL(of url: String) -> String? {
        guard case .web(let web) = URLReference.resolve(url, against: nil), web.scheme == "https" else { return nil }
        let userinfo = URLUserinfo.split(url).userinfo.map { "\($0)@" } ?? ""
        return "\(name)://\(userinfo)" + web.urlWithFragment.dropFirst("https://".count)
    }
}
