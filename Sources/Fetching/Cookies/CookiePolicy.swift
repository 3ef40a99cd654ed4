import HTTPCacheSemantics

/// Choices that RFC 6265bis §7.2 leaves to the user agent: public suffixes, third-party cookies.
public struct CookiePolicy: Sendable {
    /// Whether a domain in lower case, without a final dot, is a public suffix such as `co.uk`.
    ///
    /// An adapter passes the platform's list. Names of a single label are never asked about: they always count as
    /// public suffixes, so that even a list that knows nothing keeps `Domain=com` out.
    public var isPublicSuffix: @Sendable (String) -> Bool
    /// Which cookies third-party requests get.
    public var thirdParty: ThirdParty

    /// The treatment of cookies without a partition in requests of a page to another site.
    public enum ThirdParty: String, CaseIterable, Sendable {
        /// Neither sent nor stored, whatever their SameSite: what WebKit's own loader does by default. Partitioned
        /// cookies go.
        case blocked
        /// Sent and stored if their SameSite allows.
        case allowed
    }

    /// - Parameter thirdParty: Blocked by default, so that a request that Larder answers is not a way around the web
    ///   view's own tracking prevention. An adapter passes the web view's setting where the platform tells it.
    public init(thirdParty: ThirdParty = .blocked, isPublicSuffix: @escaping @Sendable (String) -> Bool) {
        self.thirdParty = thirdParty
        self.isPublicSuffix = isPublicSuffix
    }

    /// Whether no cookie may be shared by all hosts below this domain (§5.7 step 9).
    func isSharedByStrangers(_ domain: String) -> Bool {
        guard !CookieDomain.isAddress(domain) else { return false }
        let name = domain.utf8.last == 0x2E ? String(domain.dropLast()) : domain
        return !name.utf8.contains(0x2E) || isPublicSuffix(name)
    }

    /// The public suffix of a host and one label more; the host itself if it is an address or a public suffix.
    func registrableDomain(of host: String) -> String {
        guard !CookieDomain.isAddress(host) else { return host }
        var registrable = host[...]
        var rest = registrable
        while !isSharedByStrangers(String(rest)), let dot = rest.utf8.firstIndex(of: 0x2E) {
            registrable = rest
            rest = rest[rest.utf8.index(after: dot)...]
        }
        return String(registrable)
    }
}

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

/// Host names as cookies compare them, RFC 6265bis §5.1.2 and §5.1.3.
enum CookieDomain {
    /// Lower case, without one leading dot (§5.6.3) and without the brackets of an IPv6 address.
    ///
    /// Names beyond ASCII are left as they are. They match no host: the host of a URL is ASCII.
    static func canonical(_ text: some BidirectionalCollection<UInt8>) -> String {
        var bytes = text.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }[...]
        if bytes.first == 0x2E { bytes.removeFirst() }
        if bytes.count >= 2, bytes.first == 0x5B, bytes.last == 0x5D { bytes = bytes.dropFirst().dropLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a canonical host is an IP address: it has colons, or its last label is a number, as in the URL
    /// standard's "ends in a number".
    static func isAddress(_ host: String) -> Bool {
        if host.utf8.contains(0x3A) { return true }
        var labels = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, let first = last.first, (0x30...0x39).contains(first) else { return false }
        if last.allSatisfy({ (0x30...0x39).contains($0) }) { return true }
        return first == 0x30 && last.dropFirst().first == 0x78
            && last.dropFirst(2).allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }

    /// Whether a canonical host domain-matches a canonical domain (§5.1.3).
    static func matches(_ host: String, _ domain: String) -> Bool {
        let (name, suffix) = (host.utf8, domain.utf8)
        if name.elementsEqual(suffix) { return true }
        guard !suffix.isEmpty, name.count > suffix.count else { return false }
        return name.dropLast(suffix.count).last == 0x2E && name.suffix(suffix.count).elementsEqual(suffix)
            && !isAddress(host)
    }
}
