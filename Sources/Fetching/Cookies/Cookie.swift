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
