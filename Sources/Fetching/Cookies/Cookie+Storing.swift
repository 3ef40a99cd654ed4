import HTTPCacheSemantics

extension Cookie {
    /// Cookies live no longer: "The RECOMMENDED limit is 400 days in the future" (§5.5).
    static let longestLifetime = Duration.seconds(34_560_000)

    /// Name and value together have no more octets (§5.6 step 5).
    static let longestNameAndValue = 4_096

    /// Reads one `Set-Cookie` field, in the order of §5.6 and §5.7.
    ///
    /// An address as `Domain` makes a host-only cookie: no other host matches it (§5.1.3).
    ///
    /// - Parameters:
    ///   - field: The value of one field. `Set-Cookie` fields can't be joined with commas (RFC 9110 §5.3).
    ///   - hop: The request that the response answers. It includes credentials.
    ///   - target: The parts of its URL.
    ///   - existing: The store's cookies for the host and the domains above it; they matter only if the URL is http
    ///     (§5.7 step 16).
    ///   - now: The moment when the response arrived.
    /// - Returns: The cookie that enters the store; an expired one removes the cookie that it replaces. `nil` where
    ///   the field is ignored.
    static func accepted(
        _ field: String, for hop: CookieHop, to target: CookieTarget, among existing: [Cookie], policy: CookiePolicy,
        at now: WallInstant
    ) -> Cookie? {
        // §5.6 step 1
        guard !hasControlCharacter(field) else { return nil }
        let read = SetCookieField(field)
        // §5.7 steps 8 to 10
        guard let scope = Scope(read.domain, host: target.host, policy: policy) else { return nil }
        if read.isPartitioned, hop.topLevelSite == nil { return nil }
        let cookie = Cookie(
            name: read.name, value: read.value, domain: scope.domain ?? target.host, isHostOnly: scope.domain == nil,
            path: read.path ?? target.defaultPath, expires: expiry(of: read, at: now), isSecure: read.isSecure,
            isHTTPOnly: read.isHTTPOnly, sameSite: read.sameSite,
            partition: read.isPartitioned ? hop.topLevelSite : nil)
        // Step 13
        if cookie.isSecure, !target.isSecure { return nil }
        // Step 16
        if !cookie.isSecure, !target.isSecure, existing.contains(where: { overlays(cookie, $0) }) { return nil }
        // Step 18
        if cookie.sameSite != .none, !hop.isSameSite, !hop.isTopLevelNavigation { return nil }
        if hop.isThirdParty(target, policy), !cookie.isPartitioned, policy.thirdParty == .blocked { return nil }
        // Steps 2 and 4
        if cookie.name.isEmpty, cookie.value.isEmpty { return nil }
        if cookie.name.utf8.count + cookie.value.utf8.count > longestNameAndValue { return nil }
        // Steps 19 to 22
        if cookie.sameSite == .none, !cookie.isSecure { return nil }
        if hasPrefix(cookie.name, "__secure-"), !cookie.isSecure { return nil }
        if hasPrefix(cookie.name, "__host-") {
            // The default-path does not do. Nor does a `Domain` (§4.1.3.2) that step 9 has made nothing of, as on
            // localhost.
            guard cookie.isSecure, read.domain.isEmpty, read.hasPath, cookie.path == "/" else { return nil }
        }
        // draft-cutler-httpbis-partitioned-cookies
        return cookie.hidesPrefix || cookie.isPartitioned && !cookie.isSecure ? nil : cookie
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
    var hidesPrefix: Bool {
        name.isEmpty && (Self.hasPrefix(value, "__secure-") || Self.hasPrefix(value, "__host-"))
    }

    /// In any case (§5.4).
    private static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        FetchText.lowercased(text).utf8.starts(with: prefix.utf8)
    }
}

/// Which hosts a `Domain` attribute names, §5.7 steps 8 to 10.
private struct Scope {
    /// `nil` for the host only.
    var domain: String?

    /// - Returns: `nil` for a domain that is no name, a public suffix, or neither the host nor above it.
    init?(_ domain: String, host: String, policy: CookiePolicy) {
        if domain.isEmpty { return }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if policy.isSharedByStrangers(domain) {
            guard domain == host else { return nil }
        } else if !CookieDomain.matches(host, domain) {
            return nil
        } else if !CookieDomain.isAddress(domain) {
            self.domain = domain
        }
    }
}
