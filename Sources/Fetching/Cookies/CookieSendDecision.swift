import HTTPCacheSemantics

/// Whether a stored cookie goes with a request, and if not, why. RFC 6265bis §5.8.3.
public enum CookieSendDecision: Hashable, Sendable {
    case send
    case omit(Reason)

    /// Why a cookie stays behind. The raw value is for reports.
    public enum Reason: String, CaseIterable, Sendable {
        /// The request's URL is not http or https, or has no host.
        case unusableURL = "url"
        /// The request's credentials mode leaves cookies out.
        case credentialsExcluded = "credentials"
        case expired
        case domainMismatch = "domain-mismatch"
        /// The domain has become a public suffix since the cookie was stored.
        case publicSuffix = "public-suffix"
        case pathMismatch = "path-mismatch"
        /// `Secure`, and the request is http.
        case insecureConnection = "insecure-connection"
        /// `Partitioned`, and the top-level site is another one or not known.
        case otherPartition = "other-partition"
        /// SameSite keeps the cookie out of this cross-site request.
        case crossSite = "cross-site"
        /// The policy blocks cookies of third parties.
        case thirdParty = "third-party"
        /// The cookie would end its field, or turn into another cookie there: a control character, a semicolon, an
        /// equals sign in the name, or no name and a value like `__Host-a=b`.
        case malformed
    }

    /// - Parameters:
    ///   - cookie: Any cookie of the store.
    ///   - now: The moment of the request.
    public static func decide(
        _ cookie: Cookie, for hop: CookieHop, policy: CookiePolicy, at now: WallInstant
    ) -> CookieSendDecision {
        guard let target = CookieTarget(hop.url) else { return .omit(.unusableURL) }
        return decide(cookie, for: hop, to: target, policy: policy, at: now)
    }

    static func decide(
        _ cookie: Cookie, for hop: CookieHop, to target: CookieTarget, policy: CookiePolicy, at now: WallInstant
    ) -> CookieSendDecision {
        guard hop.includesCredentials else { return .omit(.credentialsExcluded) }
        guard !cookie.isExpired(at: now) else { return .omit(.expired) }
        guard target.isCovered(by: cookie) else { return .omit(.domainMismatch) }
        if !cookie.isHostOnly, policy.isSharedByStrangers(cookie.domain) { return .omit(.publicSuffix) }
        guard CookieTarget.path(target.path, matches: cookie.path) else { return .omit(.pathMismatch) }
        if cookie.isSecure, !target.isSecure { return .omit(.insecureConnection) }
        if let partition = cookie.partition {
            guard let site = hop.topLevelSite, site.utf8.elementsEqual(partition.utf8) else {
                return .omit(.otherPartition)
            }
        }
        if !hop.isSameSite, cookie.sameSite != .none {
            let isLax = cookie.sameSite == .lax || cookie.sameSite == .unset
            guard isLax, hop.isSafe, hop.isTopLevelNavigation else { return .omit(.crossSite) }
        }
        if hop.isThirdParty(target, policy), !cookie.isPartitioned, policy.thirdParty == .blocked {
            return .omit(.thirdParty)
        }
        return isMalformed(cookie) ? .omit(.malformed) : .send
    }

    /// A store may hold cookies that came from elsewhere than a `Set-Cookie` field.
    private static func isMalformed(_ cookie: Cookie) -> Bool {
        SetCookieDecision.hasControlCharacter(cookie.name) || SetCookieDecision.hasControlCharacter(cookie.value)
            || cookie.name.utf8.contains(0x3B) || cookie.name.utf8.contains(0x3D) || cookie.value.utf8.contains(0x3B)
            || (cookie.name.isEmpty && cookie.value.isEmpty) || SetCookieDecision.hidesPrefix(cookie)
    }
}
