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
    /// cookies that they let expire; first those that `Clear-Site-Data` names.
    ///
    /// Only for responses that came from the origin for this very request. A stored response's `Set-Cookie` would put
    /// an old session in the place of the current one.
    package func store(_ fields: HTTPFields, for hop: CookieHop, at now: WallInstant) async {
        guard hop.includesCredentials, let target = CookieTarget(hop.url) else { return }
        if target.isSecure, ClearSiteData.clearsCookies(fields) {
            // W3C Clear Site Data §4.2.2: those of the registrable domain.
            let domain = policy.registrableDomain(of: target.host)
            let cleared = await cookieStore.cookies(for: hop.url).filter {
                policy.registrableDomain(of: $0.domain) == domain
            }
            if !cleared.isEmpty { await cookieStore.remove(cleared) }
        }
        let values = fields[values: .setCookie]
        guard !values.isEmpty else { return }
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

/// A cookie store, such as a web view's own. An adapter implements this and decides nothing: ``CookieBridge`` does.
package protocol CookieStoring: Sendable {
    /// The cookies that may go to a URL's host, oldest first if the store knows.
    ///
    /// At least those whose domain is the host or above it, also with `Secure`, HttpOnly, or another path than the
    /// URL's. More do no harm, and all of the registrable domain is best: an http response can then not stand in for a
    /// `Secure` cookie of a host below (RFC 6265bis §5.7 step 16). A cookie whose partition the store can't tell
    /// must be left out.
    func cookies(for url: String) async -> [Cookie]

    /// Inserts the cookies, each in the place of the one that ``Cookie/isSameCookie(as:)`` finds, and returns once
    /// ``cookies(for:)`` sees them.
    ///
    /// A store without partitions must leave partitioned cookies out: without their partition they would tell one
    /// top-level site what the user does on another.
    func set(_ cookies: [Cookie]) async

    /// Removes those cookies that ``Cookie/isSameCookie(as:)`` finds. Others of the list are ignored.
    func remove(_ cookies: [Cookie]) async
}

/// One request of a redirect chain, as far as cookies depend on it. The caller works every value out anew for each hop.
package struct CookieHop: Hashable, Sendable {
    /// The absolute http or https URL of this hop, without dot segments, as a web view or `TargetURI.resolve` gives it.
    package var url: String
    /// This hop's method; a redirect may have turned POST into GET (RFC 6265bis §5.6.7.1).
    package var method = HTTPRequest.Method.get
    /// Whether the request is "same-site" (RFC 6265bis §5.2).
    package var isSameSite: Bool
    /// Whether the request navigates a whole web view: not a frame in it, and not a resource of a page.
    package var isTopLevelNavigation: Bool
    /// "includeCredentials" of Fetch's HTTP-network-or-cache fetch: without it, cookies are neither sent nor stored.
    package var includesCredentials = true
    /// The site of the web view's main document, for example `https://example.com`; for a top-level navigation, the
    /// site of ``url``. `nil` if it is unknown: then `Partitioned` cookies are neither sent nor stored.
    package var topLevelSite: String?

    /// Whether the request goes to another site than the one in the address bar (RFC 6265bis §7.1): also one of a frame
    /// to the frame's own site. Where the address bar is unknown, whether it goes to another site than the page's.
    func isThirdParty(_ target: CookieTarget, _ policy: CookiePolicy) -> Bool {
        guard !isTopLevelNavigation else { return false }
        guard let host = topLevelSite.flatMap({ TargetURI.split($0) }).flatMap({ Authority($0.authority)?.host }) else {
            return !isSameSite
        }
        return policy.registrableDomain(of: target.host) != policy.registrableDomain(of: host)
    }
}

extension RedirectFollowing {
    package var cookieHop: CookieHop {
        let top = request.topLevelSite(registrableDomain).flatMap { $0.host == nil ? nil : $0 }
        let target = Site(request.targetOrigin, registrableDomain: registrableDomain)
        // RFC 6265bis §5.2.1: of the document in the address bar too: a frame of another site acts for nobody else.
        return CookieHop(
            url: request.url, method: request.head.method,
            isSameSite: relation != .crossSite && top?.isSchemelesslySameSite(as: target) != false,
            isTopLevelNavigation: request.isTopLevelNavigation, includesCredentials: includesCredentials,
            topLevelSite: top?.description)
    }
}
