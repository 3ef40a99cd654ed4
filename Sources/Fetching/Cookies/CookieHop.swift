import HTTPCacheSemantics
import HTTPTypes

/// One request of a redirect chain, as far as cookies depend on it. The caller works every value out anew for each hop.
package struct CookieHop: Hashable, Sendable {
    /// The absolute http or https URL of this hop, without dot segments, as a web view or `TargetURI.resolve` gives it.
    package var url: String
    /// This hop's method; a redirect may have turned POST into GET (RFC 6265bis §5.6.7.1).
    package var method: HTTPRequest.Method
    /// Whether the request is "same-site" (RFC 6265bis §5.2).
    package var isSameSite: Bool
    /// Whether the request navigates a whole web view: not a frame in it, and not a resource of a page.
    package var isTopLevelNavigation: Bool
    /// "includeCredentials" of Fetch's HTTP-network-or-cache fetch: without it, cookies are neither sent nor stored.
    package var includesCredentials: Bool
    /// The site of the web view's main document, for example `https://example.com`; for a top-level navigation, the
    /// site of ``url``. `nil` if it is unknown: then `Partitioned` cookies are neither sent nor stored.
    package var topLevelSite: String?

    package init(
        url: String, method: HTTPRequest.Method = .get, isSameSite: Bool, isTopLevelNavigation: Bool,
        includesCredentials: Bool = true, topLevelSite: String? = nil
    ) {
        self.url = url
        self.method = method
        self.isSameSite = isSameSite
        self.isTopLevelNavigation = isTopLevelNavigation
        self.includesCredentials = includesCredentials
        self.topLevelSite = topLevelSite
    }

    /// Whether the request goes to another site than the one in the address bar (RFC 6265bis §7.1): also one of a frame
    /// to the frame's own site. Where the address bar is unknown, whether it goes to another site than the page's.
    func isThirdParty(_ target: CookieTarget, _ policy: CookiePolicy) -> Bool {
        guard !isTopLevelNavigation else { return false }
        guard let host = topLevelSite.flatMap({ TargetURI.split($0) }).flatMap({ Authority($0.authority)?.host }) else {
            return !isSameSite
        }
        return policy.registrableDomain(of: target.host) != policy.registrableDomain(of: host)
    }

    /// The safe methods of RFC 9110 §9.2.1.
    var isSafe: Bool {
        [.get, .head, .options, .trace].contains(method)
    }
}
