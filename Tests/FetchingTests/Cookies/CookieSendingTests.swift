import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("RFC 6265bis §5.8.3 Retrieval Algorithm")
struct CookieSendingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var cookie: Cookie
        var url: String
        var isSent: Bool
        var section: String

        init(
            _ url: String, domain: String = ".site.example", path: String = "/", isSecure: Bool = false,
            _ isSent: Bool, _ section: String
        ) {
            cookie = Cookie(name: "a", value: "b", domain: domain, path: path, isSecure: isSecure)
            self.url = url
            self.isSent = isSent
            self.section = section
        }

        var testDescription: String { "\(section): \(cookie) to \(url)" }
    }

    static let rows: [Row] = [
        Row("https://site.example/", true, "§5.1.3: identical"),
        Row("https://www.site.example/", true, "§5.1.3"), Row("https://A.B.SITE.example", true, "§5.1.3, lower case"),
        Row("https://mysite.example/", false, "§5.1.3: the last character before is a dot"),
        Row("https://site.example.evil.example/", false, "§5.1.3: a suffix"),
        Row("https://example/", false, "§5.1.3"),
        Row("https://site.example./", false, "§5.1.3"),
        Row("https://site.example/", domain: "site.example", true, "host-only"),
        Row("https://www.site.example/", domain: "site.example", false, "host-only"),
        Row("https://192.0.2.1/", domain: "192.0.2.1", true, "§5.1.3: identical"),
        Row("https://192.0.2.1/", domain: ".0.2.1", false, "§5.1.3: not an IP address"),
        Row("https://[::1]/", domain: "[::1]", true, "§5.1.3: identical"),
        Row("https://a.github.io/", domain: ".github.io", false, "has become a public suffix"),
        Row("https://a.com/", domain: ".com", false, "has become a public suffix"),
        Row("https://a.com./", domain: ".com.", false, "a final dot hides no public suffix"),
        Row("https://github.io/", domain: "github.io", true, "host-only"),
        Row("https://site.example/dir", path: "/dir", true, "§5.1.4: identical"),
        Row("https://site.example/dir?q", path: "/dir", true, "§5.1.4: the query is no part"),
        Row("https://site.example/dir/page", path: "/dir", true, "§5.1.4: the first character after is /"),
        Row("https://site.example/dir/page", path: "/dir/", true, "§5.1.4: the last character is /"),
        Row("https://site.example/dir", path: "/dir/", false, "§5.1.4"),
        Row("https://site.example/directory", path: "/dir", false, "§5.1.4"),
        Row("https://site.example/DIR", path: "/dir", false, "§5.1.4"),
        Row("https://site.example/%64ir", path: "/dir", false, "§5.1.4 differs from RFC 3986"),
        Row("https://site.example", path: "/", true, "§5.1.4"),
        Row("https://site.example/?/dir", path: "/dir", false, "§5.1.4"),
        Row("https://site.example/", path: "", false, "§5.1.4: a cookie-path is never empty"),
        Row("http://site.example/", isSecure: true, false, "secure-only-flag"),
        Row("http://localhost/", domain: "localhost", isSecure: true, false, "secure-only-flag"),
        Row("wss://site.example/", isSecure: true, true, "secure-only-flag"),
        Row("http://site.example/", true, "secure-only-flag"),
        Row("file:///", false, "step 2"), Row("https://a:b:c/", false, "step 2"),
    ]

    @Test("domain, path and connection", arguments: rows)
    func target(_ row: Row) {
        #expect(row.cookie.isSent(with: .sameSite(row.url)) == row.isSent)
    }

    @Test("letters that look alike to Unicode are other letters in a path")
    func octets() {
        let cookie = Cookie(name: "a", value: "b", domain: "site.example", path: "/\u{E9}")
        #expect(!cookie.isSent(with: .sameSite("https://site.example/e\u{301}")))
    }

    @Test("an expiry date in the past (§5.7)")
    func expiry() {
        let cookie = Cookie(name: "a", value: "b", domain: "www.site.example", expires: cookieNow)
        for (offset, isSent) in [(Duration.seconds(-1), true), (.zero, true), (.nanoseconds(1), false)] {
            #expect(cookie.isSent(with: .sameSite(), at: cookieNow + offset) == isSent)
        }
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
            #expect(
                cookie.isSent(with: hop, policy: cookiePolicy(thirdParty: .allowed))
                    == (kind == .none || sent.contains(kind)))
        }
    }

    @Test("third parties' cookies stay behind unless the policy allows them or they are partitioned (§7.1)")
    func thirdParty() {
        var cookie = Cookie(name: "a", value: "b", domain: "www.site.example", isSecure: true, sameSite: .none)
        func isSent(_ hop: CookieHop, _ thirdParty: CookiePolicy.ThirdParty = .blocked) -> Bool {
            cookie.isSent(with: hop, policy: cookiePolicy(thirdParty: thirdParty))
        }
        #expect(!isSent(.crossSite()) && isSent(.crossSite(), .allowed))
        #expect(isSent(.crossSite(navigates: true)) && isSent(.sameSite()))
        // A frame of another site is a third party to itself, and the site in the address bar is none to the frame.
        var frame = CookieHop.sameSite()
        frame.topLevelSite = "https://other.example"
        #expect(!isSent(frame) && isSent(frame, .allowed))
        frame = .crossSite()
        frame.topLevelSite = "https://site.example"
        #expect(isSent(frame))
        frame.topLevelSite = nil
        #expect(!isSent(frame))
        cookie.partition = "https://other.example"
        #expect(isSent(.crossSite()))
        #expect(!isSent(.sameSite()))
        #expect(!isSent(.crossSite(navigates: true), .allowed))
        var hop = CookieHop.crossSite()
        hop.topLevelSite = nil
        #expect(!isSent(hop, .allowed))
    }

    @Test("HttpOnly cookies go with requests: HTTP is no non-HTTP API")
    func httpOnly() {
        let cookie = Cookie(name: "a", value: "b", domain: "www.site.example", isHTTPOnly: true)
        #expect(cookie.isSent(with: .sameSite()))
    }

    private func string(_ cookies: [Cookie]) async -> String? {
        let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })
        await store.set(cookies)
        return await CookieBridge(store: store, policy: cookiePolicy()).cookieString(for: .sameSite(), at: cookieNow)
    }

    @Test("longer paths first, then the order of the store (step 4)")
    func order() async {
        let paths = ["/", "/dir", "/dir/page", "/", "/dir", "/dir/", "/x"]
        let cookies = paths.enumerated().map {
            Cookie(name: "n\($0.offset)", value: "", domain: "www.site.example", path: $0.element)
        }
        #expect(await string(cookies) == "n2=; n5=; n1=; n4=; n0=; n3=")
    }

    @Test("the cookie-string (step 6)")
    func cookieString() async {
        func string(_ pairs: [(String, String)]) async -> String? {
            await self.string(pairs.map { Cookie(name: $0.0, value: $0.1, domain: "www.site.example") })
        }
        #expect(await string([("a", "b"), ("c", "d e"), ("", "f"), ("g", "")]) == "a=b; c=d e; f; g=")
        #expect(await string([("a", "\"b\"")]) == "a=\"b\"")
        #expect(await string([("", "b=c")]) == "b=c")
        #expect(await string([]) == nil)
    }
}
