import HTTPCacheSemantics

/// A site, HTML §7.1.1.1: a scheme and a registrable domain.
///
/// A closure names the registrable domain, such as one over `PublicSuffixes`. Without it the whole host is the site,
/// which is stricter: `a.shop.test` and `b.shop.test` are then two sites.
package struct Site: Hashable, Sendable, CustomStringConvertible {
    /// Gives the registrable domain of a host in lower case; `nil` if the host is itself a public suffix.
    package typealias RegistrableDomain = @Sendable (_ host: String) -> String?

    /// `nil` in an opaque origin.
    package let scheme: String?
    /// The registrable domain, or the whole host where there is none; `nil` in an opaque origin.
    package let host: String?

    /// - Parameter registrableDomain: Not asked for IP addresses, which have none. An answer that is no suffix of the
    ///   host, at a dot, is ignored.
    package init(_ origin: WebOrigin, registrableDomain: RegistrableDomain? = nil) {
        let origin = origin.onNetwork
        scheme = origin.scheme
        host = origin.authority.map { Self.domain(of: $0.host, registrableDomain) }
    }

    /// "Same site": the same scheme too. Never holds for opaque origins.
    package func isSameSite(as other: Site) -> Bool { scheme == other.scheme && isSchemelesslySameSite(as: other) }

    /// "Schemelessly same site". Never holds for opaque origins.
    package func isSchemelesslySameSite(as other: Site) -> Bool { host != nil && host == other.host }

    /// The serialization, HTML §7.1.1.1: `https://shop.test`, or `null` for that of an opaque origin.
    package var description: String {
        guard let scheme, let host else { return "null" }
        return "\(scheme)://\(host)"
    }

    private static func domain(of host: String, _ registrableDomain: RegistrableDomain?) -> String {
        guard let registrableDomain, !CookieDomain.isAddress(host), let domain = registrableDomain(host),
            !domain.isEmpty,
            host == domain || host.hasSuffix("." + domain)
        else { return host }
        return domain
    }
}

/// How far the URLs of a request are from the origin that asks, Fetch Metadata §2.3. A redirect never brings it nearer.
package enum SiteRelation: String, Comparable, CaseIterable, Sendable {
    case sameOrigin = "same-origin"
    case sameSite = "same-site"
    case crossSite = "cross-site"

    /// - Parameter origin: The requesting origin; an unknown or opaque one is cross-site.
    package init(_ origin: WebOrigin?, to target: WebOrigin, registrableDomain: Site.RegistrableDomain? = nil) {
        guard let origin else {
            self = .crossSite
            return
        }
        if origin.isSameOrigin(as: target) {
            self = .sameOrigin
        } else {
            let site = Site(origin, registrableDomain: registrableDomain)
            self = site.isSameSite(as: Site(target, registrableDomain: registrableDomain)) ? .sameSite : .crossSite
        }
    }

    private var rank: Int {
        switch self {
        case .sameOrigin: 0
        case .sameSite: 1
        case .crossSite: 2
        }
    }

    package static func < (left: SiteRelation, right: SiteRelation) -> Bool { left.rank < right.rank }
}
