import HTTPCacheSemantics
import HTTPTypes

@testable import Fetching

/// Sat, 21 Nov 2026 00:00:00 GMT
let cookieNow = WallInstant(unixSeconds: 1_795_219_200)

/// A policy with a public suffix list of four names.
func cookiePolicy(thirdParty: CookiePolicy.ThirdParty = .blocked) -> CookiePolicy {
    CookiePolicy(thirdParty: thirdParty) { ["com", "example", "co.uk", "github.io"].contains($0) }
}

extension CookieHop {
    /// A page's request to its own site.
    static func sameSite(
        _ url: String = "https://www.site.example/dir/page?q=/a/b", _ method: HTTPRequest.Method = .get
    )
        -> CookieHop
    {
        CookieHop(
            url: url, method: method, isSameSite: true, isTopLevelNavigation: false, topLevelSite: site(of: url))
    }

    private static func site(_ host: String, _ scheme: String) -> String {
        "\(scheme)://\(Authority(host: cookiePolicy().registrableDomain(of: host)))"
    }

    private static func site(of url: String) -> String? {
        guard let parts = TargetURI.split(url), let authority = Authority(parts.authority) else { return nil }
        return site(authority.host, parts.scheme)
    }

    /// A request to `site.example` from a page of another site, or a navigation that such a page starts.
    static func crossSite(
        navigates: Bool = false, _ method: HTTPRequest.Method = .get, url: String = "https://www.site.example/dir/page"
    ) -> CookieHop {
        CookieHop(
            url: url, method: method, isSameSite: false, isTopLevelNavigation: navigates,
            topLevelSite: navigates ? "https://site.example" : "https://other.example")
    }
}

extension Cookie {
    /// The cookie that a field sets, or `nil` where it is ignored.
    static func accepted(
        _ field: String, for hop: CookieHop, among existing: [Cookie] = [], policy: CookiePolicy = cookiePolicy(),
        at now: WallInstant = cookieNow
    ) -> Cookie? {
        CookieTarget(hop.url).flatMap {
            accepted(field, for: hop, to: $0, among: existing, policy: policy, at: now)
        }
    }

    func isSent(
        with hop: CookieHop, policy: CookiePolicy = cookiePolicy(), at now: WallInstant = cookieNow
    ) -> Bool {
        CookieTarget(hop.url).map { isSent(with: hop, to: $0, policy: policy, at: now) } ?? false
    }
}

/// A row for a field, a host or a date.
typealias CookieRow<Expected: Sendable> = FetchRow<String, Expected>

func decided(
    _ field: String, from url: String = "https://www.site.example/dir/page?q=/a/b",
    policy: CookiePolicy = cookiePolicy()
) -> Cookie? {
    .accepted(field, for: .sameSite(url), policy: policy)
}
