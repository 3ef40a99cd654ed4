import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §5.8.3 Retrieval Algorithm")
struct CookieSendDecisionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var cookie: Cookie
        var url: String
        var reason: CookieSendDecision.Reason?
        var section: String

        init(
            _ url: String, domain: String = ".site.example", path: String = "/", isSecure: Bool = false,
            _ reason: CookieSendDecision.Reason?, _ section: String
        ) {
            cookie = Cookie(name: "a", value: "b", domain: domain, path: path, isSecure: isSecure)
            self.url = url
            self.reason = reason
            self.section = section
        }

        var testDescription: String { "\(section): \(cookie) to \(url)" }
    }

    static let rows: [Row] = [
        Row("https://site.example/", nil, "§5.1.3: identical"),
        Row("https://www.site.example/", nil, "§5.1.3"), Row("https://A.B.SITE.example", nil, "§5.1.3, lower case"),
        Row("https://mysite.example/", .domainMismatch, "§5.1.3: the last character before is a dot"),
        Row("https://site.example.evil.example/", .domainMismatch, "§5.1.3: a suffix"),
        Row("https://example/", .domainMismatch, "§5.1.3"),
        Row("https://site.example./", .domainMismatch, "§5.1.3"),
        Row("https://site.example/", domain: "site.example", nil, "host-only"),
        Row("https://www.site.example/", domain: "site.example", .domainMismatch, "host-only"),
        Row("https://192.0.2.1/", domain: "192.0.2.1", nil, "§5.1.3: identical"),
        Row("https://192.0.2.1/", domain: ".0.2.1", .domainMismatch, "§5.1.3: not an IP address"),
        Row("https://[::1]/", domain: "[::1]", nil, "§5.1.3: identical"),
        Row("https://a.github.io/", domain: ".github.io", .publicSuffix, "has become a public suffix"),
        Row("https://a.com/", domain: ".com", .publicSuffix, "has become a public suffix"),
        Row("https://a.com./", domain: ".com.", .publicSuffix, "a final dot hides no public suffix"),
        Row("https://github.io/", domain: "github.io", nil, "host-only"),
        Row("https://site.example/dir", path: "/dir", nil, "§5.1.4: identical"),
        Row("https://site.example/dir?q", path: "/dir", nil, "§5.1.4: the query is no part"),
        Row("https://site.example/dir/page", path: "/dir", nil, "§5.1.4: the first character after is /"),
        Row("https://site.example/dir/page", path: "/dir/", nil, "§5.1.4: the last character is /"),
        Row("https://site.example/dir", path: "/dir/", .pathMismatch, "§5.1.4"),
        Row("https://site.example/directory", path: "/dir", .pathMismatch, "§5.1.4"),
        Row("https://site.example/DIR", path: "/dir", .pathMismatch, "§5.1.4"),
        Row("https://site.example/%64ir", path: "/dir", .pathMismatch, "§5.1.4 differs from RFC 3986"),
        Row("https://site.example", path: "/", nil, "§5.1.4"),
        Row("https://site.example/?/dir", path: "/dir", .pathMismatch, "§5.1.4"),
        Row("https://site.example/", path: "", .pathMismatch, "§5.1.4: a cookie-path is never empty"),
        Row("http://site.example/", isSecure: true, .insecureConnection, "secure-only-flag"),
        Row("http://localhost/", domain: "localhost", isSecure: true, .insecureConnection, "secure-only-flag"),
        Row("wss://site.example/", isSecure: true, nil, "secure-only-flag"),
        Row("http://site.example/", nil, "secure-only-flag"),
        Row("file:///", .unusableURL, "step 2"), Row("https://a:b:c/", .unusableURL, "step 2"),
    ]

    @Test("domain, path and connection", arguments: rows)
    func target(_ row: Row) {
        let decision = CookieSendDecision.decide(
            row.cookie, for: .sameSite(row.url), policy: cookiePolicy(), at: cookieNow)
        #expect(decision == row.reason.map { .omit($0) } ?? .send)
    }

    @Test("letters that look alike to Unicode are other letters in a path")
    func octets() {
        let cookie = Cookie(name: "a", value: "b", domain: "site.example", path: "/\u{E9}")
        let hop = CookieHop.sameSite("https://site.example/e\u{301}")
        #expect(
            CookieSendDecision.decide(cookie, for: hop, policy: cookiePolicy(), at: cookieNow) == .omit(.pathMismatch))
    }

    @Test("an expiry date in the past (§5.7)")
    func expiry() {
        func isSent(after duration: Duration) -> Bool {
            let cookie = Cookie(name: "a", value: "b", domain: "www.site.example", expires: cookieNow)
            return CookieSendDecision.decide(
                cookie, for: .sameSite(), policy: cookiePolicy(), at: cookieNow + duration) == .send
        }
        #expect(isSent(after: .seconds(-1)) && isSent(after: .zero) && !isSent(after: .nanoseconds(1)))
    }

    /// Whether a cookie of each kind goes, for all kinds of cross-site request.
    @Test(
        "SameSite on cross-site requests",
        arguments: [
            (CookieHop.crossSite(), []), (.crossSite(.post), []),
            (.crossSite(navigates: true), [.lax, .unset]), (.crossSite(navigates: true, .head), [.lax, .unset]),
            (.crossSite(navigates: true, .post), []), (.crossSite(navigates: true, .put), []),
            (.sameSite("https://www.site.example/", .post), [.strict, .lax, .unset]),
        ] as [(CookieHop, [Cookie.SameSite])])
    func sameSite(_ hop: CookieHop, _ sent: [Cookie.SameSite]) {
        for kind in Cookie.SameSite.allCases {
            let cookie = Cookie(name: "a", value: "b", domain: "www.site.example", isSecure: true, sameSite: kind)
            let decision = CookieSendDecision.decide(
                cookie, for: hop, policy: cookiePolicy(thirdParty: .allowed), at: cookieNow)
            #expect(decision == (kind == .none || sent.contains(kind) ? .send : .omit(.crossSite)))
        }
    }

    @Test("third parties' cookies stay behind unless the policy allows them or they are partitioned (§7.1)")
    func thirdParty() {
        var cookie = Cookie(name: "a", value: "b", domain: "www.site.example", isSecure: true, sameSite: .none)
        func decision(_ hop: CookieHop, _ thirdParty: CookiePolicy.ThirdParty = .blocked) -> CookieSendDecision {
            .decide(cookie, for: hop, policy: cookiePolicy(thirdParty: thirdParty), at: cookieNow)
        }
        #expect(decision(.crossSite()) == .omit(.thirdParty) && decision(.crossSite(), .allowed) == .send)
        #expect(decision(.crossSite(navigates: true)) == .send && decision(.sameSite()) == .send)
        // A frame of another site is a third party to itself, and the site in the address bar is none to the frame.
        var frame = CookieHop.sameSite()
        frame.topLevelSite = "https://other.example"
        #expect(decision(frame) == .omit(.thirdParty) && decision(frame, .allowed) == .send)
        frame = .crossSite()
        frame.topLevelSite = "https://site.example"
        #expect(decision(frame) == .send)
        frame.topLevelSite = nil
        #expect(decision(frame) == .omit(.thirdParty))
        cookie.partition = "https://other.example"
        #expect(decision(.crossSite()) == .send)
        #expect(decision(.sameSite()) == .omit(.otherPartition))
        #expect(decision(.crossSite(navigates: true), .allowed) == .omit(.otherPartition))
        var hop = CookieHop.crossSite()
        hop.topLevelSite = nil
        #expect(decision(hop, .allowed) == .omit(.otherPartition))
    }

    @Test("requests with and without credentials, Fetch §4.6", arguments: [false, true])
    func credentials(_ isIncluded: Bool) {
        var hop = CookieHop.sameSite()
        hop.includesCredentials = isIncluded
        let cookie = Cookie(name: "a", value: "b", domain: "www.site.example")
        #expect(
            CookieSendDecision.decide(cookie, for: hop, policy: cookiePolicy(), at: cookieNow)
                == (isIncluded ? .send : .omit(.credentialsExcluded)))
    }

    @Test("HttpOnly cookies go with requests: HTTP is no non-HTTP API")
    func httpOnly() {
        let cookie = Cookie(name: "a", value: "b", domain: "www.site.example", isHTTPOnly: true)
        #expect(CookieSendDecision.decide(cookie, for: .sameSite(), policy: cookiePolicy(), at: cookieNow) == .send)
    }

    @Test("longer paths first, then the order of the store (step 4)")
    func order() {
        let paths = ["/", "/dir", "/dir/page", "/", "/dir", "/dir/", "/x"]
        let cookies = paths.enumerated().map {
            Cookie(name: "n\($0.offset)", value: "", domain: "www.site.example", path: $0.element)
        }
        let selection = CookieSelection(from: cookies, for: .sameSite(), policy: cookiePolicy(), at: cookieNow)
        #expect(selection.cookieString == "n2=; n5=; n1=; n4=; n0=; n3=")
    }

    @Test("the cookie-string (step 6)")
    func cookieString() {
        func string(_ pairs: [(String, String)]) -> String? {
            let cookies = pairs.map { Cookie(name: $0.0, value: $0.1, domain: "www.site.example") }
            return CookieSelection(from: cookies, for: .sameSite(), policy: cookiePolicy(), at: cookieNow).cookieString
        }
        #expect(string([("a", "b"), ("c", "d e"), ("", "f"), ("g", "")]) == "a=b; c=d e; f; g=")
        #expect(string([("a", "\"b\"")]) == "a=\"b\"" && string([("", "b=c")]) == "b=c")
        #expect(string([]) == nil)
    }
}
