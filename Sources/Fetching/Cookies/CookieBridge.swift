import HTTPCacheSemantics
import HTTPTypes

/// Carries cookies between a web view's own store and requests that a scheme handler answers: there, WebKit neither
/// sends `Cookie` nor reads `Set-Cookie`.
///
/// The store is the truth; the bridge keeps nothing. For each hop of a redirect chain, ask for
/// ``cookieString(for:at:)`` before the request and call ``store(_:for:at:)`` with the response's fields before the
/// next hop.
package struct CookieBridge: Sendable {
    private let cookieStore: any CookieStoring
    private let policy: CookiePolicy

    /// How many `Set-Cookie` fields of one response are read. Later ones are ignored.
    package static let fieldLimit = 180

    package init(store: any CookieStoring, policy: CookiePolicy) {
        cookieStore = store
        self.policy = policy
    }

    /// The value of the `Cookie` field for one hop; `nil` if no cookie goes with it.
    ///
    /// It replaces a `Cookie` field that the request already has: pages can't set one.
    package func cookieString(for hop: CookieHop, at now: WallInstant) async -> String? {
        guard hop.includesCredentials, CookieTarget(hop.url) != nil else { return nil }
        let stored = await cookieStore.cookies(for: hop.url)
        return CookieSelection(from: stored, for: hop, policy: policy, at: now).cookieString
    }

    /// Stores what the `Set-Cookie` fields of a response say, whatever its status (RFC 6265bis §5.3), and removes
    /// cookies that they let expire.
    ///
    /// Only for responses that came from the origin for this very request. A stored response's `Set-Cookie` would put
    /// an old session in the place of the current one.
    ///
    /// - Returns: One decision for each `Set-Cookie` field, in their order. They hold cookie values.
    @discardableResult
    package func store(
        _ fields: HTTPFields, for hop: CookieHop, at now: WallInstant
    ) async -> [SetCookieDecision] {
        let values = fields[values: .setCookie]
        guard !values.isEmpty else { return [] }
        var existing: [Cookie] = []
        if hop.includesCredentials, let target = CookieTarget(hop.url), !target.isSecure {
            existing = await cookieStore.cookies(for: hop.url)
        }
        let decisions = values.enumerated().map { index, value -> SetCookieDecision in
            guard index < Self.fieldLimit else { return .ignore(.tooMany) }
            return .decide(value, for: hop, among: existing, policy: policy, at: now)
        }
        await carryOut(decisions, at: now)
        return decisions
    }

    /// Puts cookies of the app into the store. Await it before the first load, so that the first request has them.
    ///
    /// Cookies that no server could set either (RFC 6265bis §5.7), or with characters that would break the `Cookie`
    /// field, are ignored. An expired cookie removes the one that it replaces.
    ///
    /// - Returns: One decision for each cookie, in their order. They hold cookie values.
    @discardableResult
    package func seed(_ cookies: [Cookie], at now: WallInstant) async -> [SetCookieDecision] {
        let decisions = cookies.map { cookie -> SetCookieDecision in
            var cookie = cookie
            let limit = now + SetCookieDecision.longestLifetime
            cookie.expires = cookie.expires.map { min($0, limit) }
            return .decide(cookie, policy: policy)
        }
        await carryOut(decisions, at: now)
        return decisions
    }

    /// The last of several fields for one cookie counts.
    private func carryOut(_ decisions: [SetCookieDecision], at now: WallInstant) async {
        var latest: [Cookie] = []
        for case .store(let cookie) in decisions {
            latest.removeAll { $0.isSameCookie(as: cookie) }
            latest.append(cookie)
        }
        let removed = latest.filter { $0.isExpired(at: now) }
        let set = latest.filter { !$0.isExpired(at: now) }
        if !removed.isEmpty { await cookieStore.remove(removed) }
        if !set.isEmpty { await cookieStore.set(set) }
    }
}
