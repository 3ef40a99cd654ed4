import HTTPCacheSemantics

/// One cookie of a cookie store, with the fields of RFC 6265bis §5.7 that a platform's store also keeps.
///
/// Its description leaves the value out: whoever has a session's cookie has the session.
package struct Cookie: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    /// May be empty; then the `Cookie` field carries the value alone (§5.8.3 step 6).
    package var name: String
    package var value: String
    /// In lower case, without a leading dot; an IPv6 address without brackets.
    package let domain: String
    /// Whether only ``domain`` itself gets the cookie, and not the hosts below it.
    package var isHostOnly: Bool
    package var path: String
    /// `nil` for a cookie that ends with the store's session.
    package var expires: WallInstant?
    package var isSecure: Bool
    /// Whether scripts can't read it. HTTP requests carry it all the same.
    package var isHTTPOnly: Bool
    package var sameSite: SameSite
    /// The top-level site that a `Partitioned` cookie belongs to, spelt as in ``CookieHop/topLevelSite``; `nil` for
    /// a cookie that is the same under every top-level site.
    package var partition: String?

    /// The same-site-flag of §5.7.
    package enum SameSite: String, CaseIterable, Sendable {
        case none, lax, strict
        /// Not stated ("Default" in §5.6.7); requests treat it as `lax` (§5.8.3 step 3).
        case unset
    }

    /// - Parameters:
    ///   - domain: With or without a leading dot, in any case, an IPv6 address with or without brackets.
    ///   - isHostOnly: `nil` reads it from the domain as the stores of Apple and libsoup write it: a domain with a
    ///     leading dot includes the hosts below it.
    package init(
        name: String, value: String, domain: String, isHostOnly: Bool? = nil, path: String = "/",
        expires: WallInstant? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false, sameSite: SameSite = .unset,
        partition: String? = nil
    ) {
        self.name = name
        self.value = value
        self.domain = CookieDomain.canonical(domain.utf8)
        self.isHostOnly = isHostOnly ?? (domain.utf8.first != 0x2E)
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
        self.sameSite = sameSite
        self.partition = partition
    }

    package var isPartitioned: Bool { partition != nil }

    /// "A cookie is 'expired' if the cookie has an expiry date in the past" (§5.7).
    package func isExpired(at now: WallInstant) -> Bool {
        expires.map { $0 < now } ?? false
    }

    /// Whether a store keeps only one of the two: same name, domain, host-only-flag and path (§5.7 step 23), and same
    /// partition. Compares octets, because to `String` two spellings of one letter are equal.
    package func isSameCookie(as other: Cookie) -> Bool {
        isHostOnly == other.isHostOnly && name.utf8.elementsEqual(other.name.utf8)
            && domain.utf8.elementsEqual(other.domain.utf8) && path.utf8.elementsEqual(other.path.utf8)
            && isPartitioned == other.isPartitioned
            && (partition ?? "").utf8.elementsEqual((other.partition ?? "").utf8)
    }

    package var description: String {
        "\(name) for \(isHostOnly ? "" : "*.")\(domain)\(path)"
    }

    package var debugDescription: String { description }
}

extension Cookie {
    /// Whether this stored cookie goes with a request that includes credentials. RFC 6265bis §5.8.3.
    ///
    /// - Parameters:
    ///   - target: The parts of the request's URL.
    ///   - now: The moment of the request.
    func isSent(with hop: CookieHop, to target: CookieTarget, policy: CookiePolicy, at now: WallInstant) -> Bool {
        guard !isExpired(at: now), target.isCovered(by: self) else { return false }
        // The domain may have become a public suffix since the cookie was stored.
        if !isHostOnly, policy.isSharedByStrangers(domain) { return false }
        guard CookieTarget.path(target.path, matches: path) else { return false }
        if isSecure, !target.isSecure { return false }
        if let partition {
            guard let site = hop.topLevelSite, site.utf8.elementsEqual(partition.utf8) else { return false }
        }
        if !hop.isSameSite, sameSite != .none {
            let isLax = sameSite == .lax || sameSite == .unset
            guard isLax, Invalidation.isSafe(hop.method), hop.isTopLevelNavigation else { return false }
        }
        if hop.isThirdParty(target, policy), !isPartitioned, policy.thirdParty == .blocked { return false }
        return !isMalformed
    }

    /// Whether the cookie would end its field, or turn into another cookie there. A store may hold cookies that came
    /// from elsewhere than a `Set-Cookie` field.
    private var isMalformed: Bool {
        Self.hasControlCharacter(name) || Self.hasControlCharacter(value) || name.utf8.contains(0x3B)
            || name.utf8.contains(0x3D) || value.utf8.contains(0x3B) || (name.isEmpty && value.isEmpty) || hidesPrefix
    }
}

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
        guard let (domain, isHostOnly) = scope(of: read.domain, host: target.host, policy) else { return nil }
        let isThirdParty = hop.isThirdParty(target, policy)
        // A site's own pages are its partition; a store without partitions, such as WebKit's, keeps such a cookie.
        let isPartitioned = read.isPartitioned && isThirdParty
        if isPartitioned, hop.topLevelSite == nil { return nil }
        let cookie = Cookie(
            name: read.name, value: read.value, domain: domain, isHostOnly: isHostOnly,
            path: read.path ?? target.defaultPath, expires: expiry(of: read, at: now), isSecure: read.isSecure,
            isHTTPOnly: read.isHTTPOnly, sameSite: read.sameSite,
            partition: isPartitioned ? hop.topLevelSite : nil)
        // Step 13
        if cookie.isSecure, !target.isSecure { return nil }
        // Step 16
        if !cookie.isSecure, !target.isSecure, existing.contains(where: { overlays(cookie, $0) }) { return nil }
        // Step 18
        if cookie.sameSite != .none, !hop.isSameSite, !hop.isTopLevelNavigation { return nil }
        if isThirdParty, !isPartitioned, policy.thirdParty == .blocked { return nil }
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
        return cookie.hidesPrefix || read.isPartitioned && !cookie.isSecure ? nil : cookie
    }

    /// Which hosts a `Domain` attribute names, §5.7 steps 8 to 10.
    ///
    /// - Returns: `nil` for a domain that is no name, a public suffix, or neither the host nor above it.
    private static func scope(
        of domain: String, host: String, _ policy: CookiePolicy
    ) -> (domain: String, isHostOnly: Bool)? {
        if domain.isEmpty { return (host, true) }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if policy.isSharedByStrangers(domain) { return domain == host ? (host, true) : nil }
        guard CookieDomain.matches(host, domain) else { return nil }
        return CookieDomain.isAddress(domain) ? (host, true) : (domain, false)
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
