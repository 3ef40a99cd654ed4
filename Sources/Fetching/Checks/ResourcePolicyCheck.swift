import HTTPTypes

/// Whether `Cross-Origin-Resource-Policy` lets a page use a response that it may not read, Fetch §3.7.
public enum ResourcePolicyCheck: Hashable, Sendable {
    case allowed
    case blocked(Reason)

    public enum Reason: String, CaseIterable, Sendable {
        /// `same-origin`, and the page's origin is another one or unknown.
        case notSameOrigin = "not-same-origin"
        /// `same-site`, and the page's site is another one or unknown, or the page is at http and the response at https.
        case notSameSite = "not-same-site"
        /// No policy, and the page's `Cross-Origin-Embedder-Policy` requires one.
        case policyRequired = "policy-required"
    }

    /// - Parameters:
    ///   - origin: That asks; `nil` if unknown.
    ///   - target: The origin of the response.
    ///   - relation: What the web view itself says, which knows all sites: `Sec-Fetch-Site`.
    ///   - requiresPolicy: Whether the page's embedder policy is `require-corp`.
    ///   - registrableDomain: See ``Site``.
    public static func decide(
        _ fields: HTTPFields, origin: WebOrigin?, target: WebOrigin, relation: SiteRelation = .crossSite,
        requiresPolicy: Bool = false, registrableDomain: Site.RegistrableDomain? = nil
    ) -> ResourcePolicyCheck {
        if let origin, origin.isSameOrigin(as: target) { return .allowed }
        // "get": two lines are one value, which is none of the three. They are case-sensitive.
        switch FetchText.value(.crossOriginResourcePolicy, in: fields) {
        case "same-origin": return .blocked(.notSameOrigin)
        case "same-site":
            if relation != .crossSite { return .allowed }
            guard let origin else { return .blocked(.notSameSite) }
            let site = Site(origin, registrableDomain: registrableDomain)
            let other = Site(target, registrableDomain: registrableDomain)
            let isAsSecure = site.scheme == "https" || other.scheme != "https"
            return site.isSchemelesslySameSite(as: other) && isAsSecure ? .allowed : .blocked(.notSameSite)
        case "cross-origin": return .allowed
        default: return requiresPolicy ? .blocked(.policyRequired) : .allowed
        }
    }
}
