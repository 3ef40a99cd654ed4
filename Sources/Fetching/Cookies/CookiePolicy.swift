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
