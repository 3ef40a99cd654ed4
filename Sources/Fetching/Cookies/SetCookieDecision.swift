import HTTPCacheSemantics

/// Whether a cookie that a server sets, or an app, enters the store, and if not, why. RFC 6265bis §5.6 and §5.7.
package enum SetCookieDecision: Hashable, Sendable {
    /// The cookie enters the store; an expired one removes the cookie it replaces.
    case store(Cookie)
    case ignore(Reason)

    /// Why a cookie is ignored "entirely". The raw value is for reports.
    package enum Reason: String, CaseIterable, Sendable {
        /// A control character other than TAB (§5.6).
        case controlCharacter = "control-character"
        /// A semicolon or, in the name, an equals sign: it would turn into another cookie in the `Cookie` field. Only
        /// cookies that do not come from a `Set-Cookie` field can have one.
        case separator
        /// Neither name nor value.
        case empty
        /// Name and value have more than 4096 octets.
        case tooLarge = "too-large"
        /// The request's URL is not http or https, or has no host.
        case unusableURL = "url"
        /// The request's credentials mode leaves cookies out.
        case credentialsExcluded = "credentials"
        /// The domain has octets beyond ASCII, or there is none.
        case unusableDomain = "domain"
        /// The path of an app's cookie does not begin with a slash.
        case unusablePath = "path"
        case publicSuffix = "public-suffix"
        /// The domain is not the request's host and not above it.
        case domainMismatch = "domain-mismatch"
        case secureFromInsecureOrigin = "secure-from-insecure-origin"
        /// A cookie from an insecure origin would stand in for an existing one with `Secure`.
        case overlaysSecureCookie = "overlays-secure-cookie"
        /// From a cross-site request other than a top-level navigation, and not `SameSite=None`.
        case crossSite = "cross-site"
        /// The policy blocks cookies of third parties.
        case thirdParty = "third-party"
        case sameSiteNoneWithoutSecure = "samesite-none-without-secure"
        /// `__Secure-` without `Secure`.
        case securePrefix = "secure-prefix"
        /// `__Host-` without `Secure` and `Path=/`, or with `Domain`.
        case hostPrefix = "host-prefix"
        /// A value without a name that begins like one of the two prefixes.
        case hiddenPrefix = "hidden-prefix"
        case partitionedWithoutSecure = "partitioned-without-secure"
        /// `Partitioned`, and the top-level site is not known.
        case unknownPartition = "unknown-partition"
        /// The response has too many `Set-Cookie` fields (``CookieBridge/fieldLimit``).
        case tooMany = "too-many"
    }

    /// Cookies live no longer: "The RECOMMENDED limit is 400 days in the future" (§5.5).
    package static let longestLifetime = Duration.seconds(34_560_000)

    /// Name and value together have no more octets (§5.6 step 5).
    static let longestNameAndValue = 4_096

    /// Reads one `Set-Cookie` field, in the order of §5.6 and §5.7.
    ///
    /// An address as `Domain` makes a host-only cookie: no other host matches it (§5.1.3).
    ///
    /// - Parameters:
    ///   - field: The value of one field. `Set-Cookie` fields can't be joined with commas (RFC 9110 §5.3).
    ///   - hop: The request that the response answers.
    ///   - existing: The store's cookies for the host and the domains above it; they matter only if ``CookieHop/url``
    ///     is http (§5.7 step 16).
    ///   - now: The moment when the response arrived.
    package static func decide(
        _ field: String, for hop: CookieHop, among existing: [Cookie] = [], policy: CookiePolicy, at now: WallInstant
    ) -> SetCookieDecision {
        guard let target = CookieTarget(hop.url) else { return .ignore(.unusableURL) }
        guard hop.includesCredentials else { return .ignore(.credentialsExcluded) }
        // §5.6 step 1
        guard !hasControlCharacter(field) else { return .ignore(.controlCharacter) }
        let read = SetCookieField(field)
        // §5.7 steps 8 to 10
        let scope = Scope(read.domain, host: target.host, policy: policy)
        if case .refused(let reason) = scope { return .ignore(reason) }
        let domain: String? = if case .domain(let name) = scope { name } else { nil }
        if read.isPartitioned, hop.topLevelSite == nil { return .ignore(.unknownPartition) }
        let cookie = Cookie(
            name: read.name, value: read.value, domain: domain ?? target.host, isHostOnly: domain == nil,
            path: read.path ?? target.defaultPath, expires: expiry(of: read, at: now), isSecure: read.isSecure,
            isHTTPOnly: read.isHTTPOnly, sameSite: read.sameSite,
            partition: read.isPartitioned ? hop.topLevelSite : nil)
        // Step 13
        if cookie.isSecure, !target.isSecure { return .ignore(.secureFromInsecureOrigin) }
        // Step 16
        if !cookie.isSecure, !target.isSecure, existing.contains(where: { overlays(cookie, $0) }) {
            return .ignore(.overlaysSecureCookie)
        }
        // Step 18
        if cookie.sameSite != .none, !hop.isSameSite, !hop.isTopLevelNavigation { return .ignore(.crossSite) }
        if hop.isThirdParty(target, policy), !cookie.isPartitioned, policy.thirdParty == .blocked {
            return .ignore(.thirdParty)
        }
        if let flaw = flaw(of: cookie) { return .ignore(flaw) }
        // Step 21: the default-path does not do. Nor does a `Domain` (§4.1.3.2) that step 9 has made nothing of, as on
        // localhost.
        if hasPrefix(cookie.name, "__host-"), !read.hasPath || !read.domain.isEmpty { return .ignore(.hostPrefix) }
        return .store(cookie)
    }

    /// Judges a cookie that the app sets, by the rules that need no request.
    package static func decide(_ cookie: Cookie, policy: CookiePolicy) -> SetCookieDecision {
        let texts = [cookie.name, cookie.value, cookie.domain, cookie.path]
        guard !texts.contains(where: hasControlCharacter) else { return .ignore(.controlCharacter) }
        guard !texts.contains(where: { $0.utf8.contains(0x3B) }), !cookie.name.utf8.contains(0x3D) else {
            return .ignore(.separator)
        }
        guard !cookie.domain.isEmpty, cookie.domain.utf8.allSatisfy({ $0 < 0x80 }) else {
            return .ignore(.unusableDomain)
        }
        guard cookie.path.utf8.first == 0x2F else { return .ignore(.unusablePath) }
        guard cookie.isHostOnly || !policy.isSharedByStrangers(cookie.domain) else { return .ignore(.publicSuffix) }
        return flaw(of: cookie).map { .ignore($0) } ?? .store(cookie)
    }

    /// The fault of the cookie itself, whoever sets it; `nil` for none.
    private static func flaw(of cookie: Cookie) -> Reason? {
        // Steps 2 and 4
        if cookie.name.isEmpty, cookie.value.isEmpty { return .empty }
        if cookie.name.utf8.count + cookie.value.utf8.count > longestNameAndValue { return .tooLarge }
        // Steps 19 to 22
        if cookie.sameSite == .none, !cookie.isSecure { return .sameSiteNoneWithoutSecure }
        if hasPrefix(cookie.name, "__secure-"), !cookie.isSecure { return .securePrefix }
        if hasPrefix(cookie.name, "__host-"), !cookie.isSecure || !cookie.isHostOnly || cookie.path != "/" {
            return .hostPrefix
        }
        if hidesPrefix(cookie) { return .hiddenPrefix }
        // draft-cutler-httpbis-partitioned-cookies
        if cookie.isPartitioned, !cookie.isSecure { return .partitionedWithoutSecure }
        return nil
    }

    /// `Max-Age`, else `Expires`, within the limit (§5.7 step 6 with §5.5).
    private static func expiry(of field: SetCookieField, at now: WallInstant) -> WallInstant? {
        if let maxAge = field.maxAge {
            // "the earliest representable date and time"; the epoch is early enough.
            return maxAge == .zero ? WallInstant(unixSeconds: 0) : now + min(maxAge, longestLifetime)
        }
        return field.expires.map { min($0, now + longestLifetime) }
    }

    /// §5.7 step 16.
    private static func overlays(_ cookie: Cookie, _ existing: Cookie) -> Bool {
        existing.isSecure && existing.name.utf8.elementsEqual(cookie.name.utf8)
            && (CookieDomain.matches(existing.domain, cookie.domain)
                || CookieDomain.matches(cookie.domain, existing.domain))
            && CookieTarget.path(cookie.path, matches: existing.path)
    }

    /// CTL characters except TAB.
    static func hasControlCharacter(_ text: String) -> Bool {
        text.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
    }

    /// Whether the `Cookie` field would show a cookie without a name as one with a prefix (§5.7 step 22).
    static func hidesPrefix(_ cookie: Cookie) -> Bool {
        cookie.name.isEmpty && (hasPrefix(cookie.value, "__secure-") || hasPrefix(cookie.value, "__host-"))
    }

    /// In any case (§5.4).
    private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        FetchText.lowercased(text).utf8.starts(with: prefix.utf8)
    }
}

/// Which hosts a `Domain` attribute names, §5.7 steps 8 to 10.
private enum Scope {
    case hostOnly
    case domain(String)
    case refused(SetCookieDecision.Reason)

    init(_ domain: String, host: String, policy: CookiePolicy) {
        if domain.isEmpty {
            self = .hostOnly
        } else if !domain.utf8.allSatisfy({ $0 < 0x80 }) {
            self = .refused(.unusableDomain)
        } else if policy.isSharedByStrangers(domain) {
            self = domain == host ? .hostOnly : .refused(.publicSuffix)
        } else if !CookieDomain.matches(host, domain) {
            self = .refused(.domainMismatch)
        } else {
            self = CookieDomain.isAddress(domain) ? .hostOnly : .domain(domain)
        }
    }
}
