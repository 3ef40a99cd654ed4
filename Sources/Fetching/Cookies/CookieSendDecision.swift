import HTTPCacheSemantics

/// Whether a stored cookie goes with a request, and if not, why. RFC 6265bis §5.8.3.
package enum CookieSendDecision: Hashable, Sendable {
    case send
    case omit(Reason)

    /// Why a cookie stays behind. The raw value is for reports.
    package enum Reason: String, CaseIterable, Sendable {
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
    package static func decide(
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

/// The cookies that go with a request, in the order of RFC 6265bis §5.8.3.
package struct CookieSelection: Hashable, Sendable {
    /// Longer paths come first. Among paths of one length the order of the store remains, which is the order of
    /// creation in a store that knows it.
    package let cookies: [Cookie]

    /// - Parameters:
    ///   - stored: The result of ``CookieStoring/cookies(for:)``, or any other cookies.
    ///   - now: The moment of the request.
    package init(from stored: [Cookie], for hop: CookieHop, policy: CookiePolicy, at now: WallInstant) {
        guard let target = CookieTarget(hop.url) else {
            cookies = []
            return
        }
        let sent = stored.filter {
            CookieSendDecision.decide($0, for: hop, to: target, policy: policy, at: now) == .send
        }
        // `sort` does not promise to keep the order of equals.
        cookies = sent.enumerated().sorted {
            let (one, other) = ($0.element.path.utf8.count, $1.element.path.utf8.count)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element)
    }

    /// The value of the `Cookie` field (the cookie-string of §5.8.3 step 6); `nil` without a cookie.
    package var cookieString: String? {
        guard !cookies.isEmpty else { return nil }
        return cookies.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
