import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Cookies: what a hostile page, frame or origin tries")
struct HostileCookieTests {
    private let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })

    private var bridge: CookieBridge { CookieBridge(store: store, policy: cookiePolicy()) }

    private func set(_ values: [String], for hop: CookieHop) async {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .setCookie, value: value)) }
        await bridge.store(fields, for: hop, at: cookieNow)
    }

    /// The top-level navigation to an origin of its own, which may set any SameSite.
    private func visit(_ url: String) -> CookieHop {
        CookieHop(url: url, isSameSite: true, isTopLevelNavigation: true)
    }

    @Test(
        "an origin sets no cookie for another host, a public suffix or an address",
        arguments: [
            "bank.example", ".bank.example", "www.bank.example", "example", ".example", "example.", "co.uk", "com", ".",
            "..",
            "*", "*.example", "192.0.2.1", "[::1]", "bank.example\u{3002}", "\u{FF42}ank.example",
            "evil.example@bank.example",
            "bank.example/", "bank.example,evil.example", "bank.example evil.example", "%62ank.example",
        ])
    func otherHosts(_ domain: String) async {
        await set(["sid=evil; Domain=\(domain); Path=/"], for: visit("https://www.evil.example/"))
        for cookie in store.all {
            #expect(cookie.isHostOnly && cookie.domain == "www.evil.example")
        }
        for url in ["https://bank.example/", "https://www.bank.example/", "https://192.0.2.1/", "https://[::1]/"] {
            #expect(await bridge.cookieString(for: visit(url), at: cookieNow) == nil)
        }
    }

    @Test("even a list of public suffixes that knows none keeps single labels out")
    func emptyList() {
        let policy = CookiePolicy { _ in false }
        for domain in ["com", "com.", ".com", "example"] {
            #expect(decided("a=b; Domain=\(domain)", from: "https://evil.com/", policy: policy) == nil)
        }
    }

    @Test("names below a public suffix are strangers: one user's page can't reach another's")
    func strangers() async {
        await set(["sid=evil; Domain=github.io"], for: visit("https://evil.github.io/"))
        #expect(store.all.isEmpty)
        #expect(await bridge.cookieString(for: visit("https://victim.github.io/"), at: cookieNow) == nil)
    }

    @Test("of a flood no more is read than the limit, and nobody else loses theirs")
    func flood() async {
        await store.set([Cookie(name: "sid", value: "1", domain: "bank.example", isSecure: true)])
        for host in 0..<20 {
            let values = (0..<250).map { "n\($0)=x; Domain=evil.example" }
            await set(values, for: visit("https://h\(host).evil.example/p\(host)/"))
            #expect(store.all.count == 1 + (host + 1) * CookieBridge.fieldLimit)
        }
        #expect(await bridge.cookieString(for: visit("https://bank.example/"), at: cookieNow) == "sid=1")
    }

    @Test(
        "nothing in a store can end the Cookie field or become another cookie there",
        arguments: [
            ("a", "b\r\nX-Evil: 1"), ("a", "b\n"), ("a", "b\0c"), ("a\r\nX-Evil", "1"), ("a", "b; admin=1"),
            ("a;admin", "1"),
            ("admin=1; a", "b"), ("a=b", "c"), ("", "__Host-sid=evil"), ("", "__SECURE-sid=evil"), ("a", "\u{7F}"),
            ("", ""),
        ])
    func injection(_ name: String, _ value: String) async {
        // Straight into the store, as a script, an older app or a damaged file may have put it there.
        await store.set([
            Cookie(name: name, value: value, domain: "www.site.example", isSecure: true),
            Cookie(name: "z", value: "1", domain: "www.site.example"),
        ])
        #expect(await bridge.cookieString(for: .sameSite(), at: cookieNow) == "z=1")
    }

    @Test("a frame or image of a third party neither reads nor writes its cookies, and cross-site forms carry none")
    func thirdParties() async {
        await store.set(
            [
                Cookie(name: "lax", value: "", domain: "www.site.example", sameSite: .lax),
                Cookie(name: "none", value: "", domain: "www.site.example", isSecure: true, sameSite: .none),
                Cookie(name: "strict", value: "", domain: "www.site.example", sameSite: .strict),
                Cookie(name: "unset", value: "", domain: "www.site.example"),
            ])
        func sent(_ hop: CookieHop) async -> String? { await bridge.cookieString(for: hop, at: cookieNow) }
        #expect(await sent(.crossSite()) == nil)
        #expect(await sent(.crossSite(.post)) == nil)
        #expect(await sent(.crossSite(navigates: true, .post)) == "none=")
        #expect(await sent(.crossSite(navigates: true)) == "lax=; none=; unset=")
        await set(["t=1; SameSite=None; Secure", "t=1"], for: .crossSite())
        #expect(store.all.count == 4)
    }

    @Test("one embedded origin can't follow a user from site to site by partitioned cookies")
    func partitions() async {
        func embedded(in site: String) -> CookieHop {
            CookieHop(
                url: "https://widget.example/", isSameSite: false, isTopLevelNavigation: false, topLevelSite: site)
        }
        for site in ["https://a.example", "https://b.example"] {
            await set(["id=\(site); SameSite=None; Secure; Partitioned"], for: embedded(in: site))
        }
        for site in ["https://a.example", "https://b.example"] {
            #expect(await bridge.cookieString(for: embedded(in: site), at: cookieNow) == "id=\(site)")
        }
        #expect(await bridge.cookieString(for: embedded(in: "https://c.example"), at: cookieNow) == nil)
        #expect(await bridge.cookieString(for: visit("https://widget.example/"), at: cookieNow) == nil)
    }

    @Test("a field of a megabyte is read in one pass, and leaves nothing large behind")
    func largeFields() {
        let megabyte = 1 << 20
        #expect(decided(String(repeating: "a", count: megabyte)) == nil)
        #expect(decided("a=b; Path=/" + String(repeating: "x", count: megabyte))?.path == "/dir")
        let attributes = String(repeating: ";Path=/x;Max-Age=1;Expires=1 Jan 2027 0:0:0", count: megabyte / 40)
        #expect(decided("a=b" + attributes)?.path == "/x")
        #expect(decided("a=b; Expires=" + String(repeating: "1:1:1 ", count: 170))?.expires == nil)
    }

    // MARK: Random fields

    private static let pieces = [
        "=", ";", " ", "\t", ",", ".", "/", "-", ":", "\"", "0", "9", "99999999999999999999", "Domain=", "Path=",
        "Secure",
        "HttpOnly", "SameSite=None", "Partitioned", "Max-Age=", "Expires=", "__Host-", "__Secure-", "Jan", "1 Feb 2027",
        "00:00:00", "site.example", "www.site.example", "[::1]", "192.0.2.1", "\u{0}", "\r\n", "\u{7F}", "ü",
        "e\u{301}",
        "\u{17F}", "\u{1F36A}", "a", "b",
    ]

    private static func field(_ random: inout SplitMix64) -> String {
        if Bool.random(using: &random) {
            return String(
                decoding: (0..<Int.random(in: 0...80, using: &random)).map { _ in
                    UInt8.random(in: .min ... .max, using: &random)
                }, as: UTF8.self)
        }
        return (0..<Int.random(in: 0...24, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
            .joined()
    }

    @Test(
        "any octets give a cookie or none; a cookie that is stored keeps every rule", arguments: 0..<8 as Range<UInt64>)
    func randomFields(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let urls = [
            "https://www.site.example/dir/page", "http://site.example/", "https://[::1]/", "https://192.0.2.1/x/",
        ]
        var stored = 0
        for _ in 0..<4_000 {
            let url = urls.randomElement(using: &random) ?? urls[0]
            let hop = CookieHop.sameSite(url)
            let text = (Bool.random(using: &random) ? "a=b;" : "") + Self.field(&random)
            guard let cookie = Cookie.accepted(text, for: hop) else { continue }
            stored += 1
            let target = try #require(CookieTarget(url))
            #expect(cookie.name.utf8.count + cookie.value.utf8.count <= 4_096)
            #expect(target.isCovered(by: cookie) && cookie.path.utf8.first == 0x2F)
            #expect(cookie.isHostOnly || cookie.domain.hasSuffix("site.example"))
            #expect(!cookie.isSecure || target.isSecure)
            #expect(cookie.expires.map { $0 - cookieNow <= .seconds(34_560_000) } ?? true)
            // A request that gets it carries one clean cookie.
            let octets = "\(cookie.name)\(cookie.value)".utf8
            #expect(!octets.contains { $0 == 0x3B || $0 == 0x7F || ($0 < 0x20 && $0 != 0x09) })
        }
        #expect(stored > 500)
    }

    @Test("any octets are a date or none", arguments: 0..<4 as Range<UInt64>)
    func randomDates(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var dates = 0
        for _ in 0..<4_000 {
            let tokens = [
                "1", "31", "2", "Jan", "feb", "1999", "70", "9999", "1:2:3", "23:59:59", "\u{FF}", "", "999999999",
            ]
            let text = (0..<6).map { _ in tokens.randomElement(using: &random) ?? "" }.joined(separator: " ")
            guard let date = CookieDate.parse(text.utf8) else { continue }
            dates += 1
            #expect((-11_644_473_600...253_402_300_799).contains(date.unixSeconds))
        }
        #expect(dates > 50)
    }

    @Test("any octets as a URL, a host or a path give an answer", arguments: 0..<4 as Range<UInt64>)
    func randomURLs(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            let url = (Bool.random(using: &random) ? "https://" : "") + Self.field(&random)
            let cookie = Cookie(name: "a", value: "b", domain: Self.field(&random), path: Self.field(&random))
            #expect(CookieTarget(url) != nil || !cookie.isSent(with: .sameSite(url)))
            let domain = cookiePolicy().registrableDomain(of: cookie.domain)
            #expect(cookie.domain.utf8.reversed().starts(with: domain.utf8.reversed()))
        }
    }
}
