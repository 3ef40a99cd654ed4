import HTTPCacheSemantics

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
            guard isLax, hop.isSafe, hop.isTopLevelNavigation else { return false }
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
