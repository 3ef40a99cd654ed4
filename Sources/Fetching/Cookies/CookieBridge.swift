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

    /// The value of the `Cookie` field for one hop (the cookie-string of RFC 6265bis §5.8.3); `nil` if no cookie goes
    /// with it.
    ///
    /// It replaces a `Cookie` field that the request already has: pages can't set one.
    package func cookieString(for hop: CookieHop, at now: WallInstant) async -> String? {
        guard hop.includesCredentials, let target = CookieTarget(hop.url) else { return nil }
        let sent = await cookieStore.cookies(for: hop.url).filter {
            $0.isSent(with: hop, to: target, policy: policy, at: now)
        }
        guard !sent.isEmpty else { return nil }
        // Longer paths come first; among paths of one length the order of the store remains. `sort` does not promise to
        // keep the order of equals.
        return sent.enumerated().sorted {
            let (one, other) = ($0.element.path.utf8.count, $1.element.path.utf8.count)
            return one == other ? $0.offset < $1.offset : one > other
        }.map(\.element).map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Stores what the `Set-Cookie` fields of a response say, whatever its status (RFC 6265bis §5.3), and removes
    /// cookies that they let expire.
    ///
    /// Only for responses that came from the origin for this very request. A stored response's `Set-Cookie` would put
    /// an old session in the place of the current one.
    package func store(_ fields: HTTPFields, for hop: CookieHop, at now: WallInstant) async {
        let values = fields[values: .setCookie]
        guard !values.isEmpty, hop.includesCredentials, let target = CookieTarget(hop.url) else { return }
        let existing = target.isSecure ? [] : await cookieStore.cookies(for: hop.url)
        // The last of several fields for one cookie counts.
        var latest: [Cookie] = []
        for value in values.prefix(Self.fieldLimit) {
            guard
                let cookie = Cookie.accepted(value, for: hop, to: target, among: existing, policy: policy, at: now)
            else { continue }
            latest.removeAll { $0.isSameCookie(as: cookie) }
            latest.append(cookie)
        }
        let removed = latest.filter { $0.isExpired(at: now) }
        let set = latest.filter { !$0.isExpired(at: now) }
        if !removed.isEmpty { await cookieStore.remove(removed) }
        if !set.isEmpty { await cookieStore.set(set) }
    }
}
