/// How far the URLs of a request are from the origin that asks, Fetch Metadata §2.3. A redirect never brings it nearer.
public enum SiteRelation: String, Comparable, CaseIterable, Sendable {
    case sameOrigin = "same-origin"
    case sameSite = "same-site"
    case crossSite = "cross-site"

    /// - Parameter origin: That asks; an unknown or opaque one is cross-site.
    public init(_ origin: WebOrigin?, to target: WebOrigin, registrableDomain: Site.RegistrableDomain? = nil) {
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

    public static func < (left: SiteRelation, right: SiteRelation) -> Bool { left.rank < right.rank }
}
