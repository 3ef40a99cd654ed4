import HTTPCacheSemantics

/// The parts of a request's URL that cookies depend on.
struct CookieTarget: Hashable {
    /// In lower case; an IPv6 address without brackets.
    var host: String
    /// Without the query; begins with a slash.
    var path: String
    /// A "secure" connection is https or wss, as in the stores of WebKit's platforms; `http://localhost` is none.
    var isSecure: Bool

    /// The longest host name of DNS has 253 octets (RFC 1035 §2.3.4), and a final dot.
    private static let longestHost = 254

    /// - Returns: `nil` if the URL is not http, https, ws or wss, or its host can't be canonicalized (§5.1.2).
    init?(_ url: String) {
        guard let parts = TargetURI.split(url), ["http", "https", "ws", "wss"].contains(parts.scheme),
            let authority = Authority(parts.authority), authority.host.utf8.count <= Self.longestHost,
            authority.host.utf8.first != 0x2E
        else { return nil }
        host = authority.host
        path = String(Substring(parts.path.utf8.prefix { $0 != 0x3F }))
        isSecure = parts.scheme == "https" || parts.scheme == "wss"
    }

    /// The default-path of §5.1.4.
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: 0x2F), slash != path.utf8.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether a cookie's domain covers the host (§5.8.3 step 3).
    func isCovered(by cookie: Cookie) -> Bool {
        cookie.isHostOnly
            ? host.utf8.elementsEqual(cookie.domain.utf8) : CookieDomain.matches(host, cookie.domain)
    }

    /// Whether a path path-matches a cookie's path (§5.1.4).
    static func path(_ path: String, matches cookiePath: String) -> Bool {
        let (path, prefix) = (path.utf8, cookiePath.utf8)
        guard !prefix.isEmpty, path.starts(with: prefix) else { return false }
        return path.count == prefix.count || prefix.last == 0x2F || path.dropFirst(prefix.count).first == 0x2F
    }
}
