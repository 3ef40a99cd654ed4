import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("CookieBridge")
struct CookieBridgeTests {
    let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })

    private var bridge: CookieBridge { CookieBridge(store: store, policy: cookiePolicy()) }

    private func fields(_ values: String...) -> HTTPFields {
        var fields = HTTPFields()
        for value in values { fields.append(HTTPField(name: .setCookie, value: value)) }
        return fields
    }

    @Test("each hop of a login's redirects sees the cookies that the hop before it set")
    func redirects() async {
        // POST /login, 302 with a session, GET /home: cookies count on every status (§5.3).
        let login = CookieHop.sameSite("https://www.site.example/login", .post)
        #expect(await bridge.cookieString(for: login, at: cookieNow) == nil)
        let decisions = await bridge.store(
            fields("sid=1; HttpOnly; Secure; Path=/", "csrf=2; Path=/login"), for: login, at: cookieNow)
        #expect(decisions.count == 2 && decisions.allSatisfy { $0.cookie != nil })
        let home = CookieHop.sameSite("https://www.site.example/home")
        #expect(await bridge.cookieString(for: home, at: cookieNow) == "sid=1")
        #expect(await bridge.cookieString(for: login, at: cookieNow) == "csrf=2; sid=1")
        // Another site of the chain neither gets the cookie nor replaces it.
        let other = CookieHop(
            url: "https://other.example/", isSameSite: false, isTopLevelNavigation: true,
            topLevelSite: "https://other.example")
        #expect(await bridge.cookieString(for: other, at: cookieNow) == nil)
        await bridge.store(fields("sid=3; Domain=site.example", "sid=4; Path=/"), for: other, at: cookieNow)
        #expect(await bridge.cookieString(for: home, at: cookieNow) == "sid=1")
    }

    @Test("a downgrade to http in a chain leaves cookies with Secure behind and alone (§5.7 step 16)")
    func downgrade() async {
        await bridge.store(fields("sid=1; Secure; Path=/"), for: .sameSite(), at: cookieNow)
        let insecure = CookieHop.sameSite("http://www.site.example/dir/page")
        #expect(await bridge.cookieString(for: insecure, at: cookieNow) == nil)
        let decisions = await bridge.store(
            fields("sid=evil", "sid=evil; Domain=site.example; Path=/dir", "sid=evil; Secure", "b=2"), for: insecure,
            at: cookieNow)
        #expect(
            decisions.map(\.reason)
                == [.overlaysSecureCookie, .overlaysSecureCookie, .secureFromInsecureOrigin, nil])
        #expect(await bridge.cookieString(for: .sameSite(), at: cookieNow) == "b=2; sid=1")
    }

    @Test("several fields of one response: the last one for a cookie counts")
    func severalFields() async {
        let hop = CookieHop.sameSite()
        await bridge.store(
            fields("a=1", "b=1", "a=2", "b=; Max-Age=0", "c=; Max-Age=0", "c=3", "d"), for: hop, at: cookieNow)
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == "a=2; c=3; d")
        await bridge.store(fields("a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT"), for: hop, at: cookieNow)
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == "c=3; d")
        #expect(store.all.count == 2)
    }

    @Test("removal needs the cookie's own domain and path (§5.7 step 23)")
    func removal() async {
        let hop = CookieHop.sameSite()
        await bridge.store(fields("a=1; Domain=site.example; Path=/"), for: hop, at: cookieNow)
        await bridge.store(
            fields("a=; Max-Age=0; Path=/", "a=; Max-Age=0; Domain=site.example"), for: hop, at: cookieNow)
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == "a=1")
        await bridge.store(fields("a=; Max-Age=0; Domain=site.example; Path=/"), for: hop, at: cookieNow)
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == nil)
    }

    @Test("a request without credentials neither asks the store nor changes it")
    func omitted() async {
        let silent = RecordingCookieStore()
        let bridge = CookieBridge(store: silent, policy: cookiePolicy())
        var hop = CookieHop.sameSite("http://www.site.example/")
        hop.includesCredentials = false
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == nil)
        #expect(await bridge.store(fields("a=b"), for: hop, at: cookieNow) == [.ignore(.credentialsExcluded)])
        #expect(await bridge.store(HTTPFields(), for: .sameSite(), at: cookieNow).isEmpty)
        #expect(await silent.calls.isEmpty)
    }

    @Test("the store is told once per response: removals, then cookies")
    func calls() async {
        let recording = RecordingCookieStore()
        let bridge = CookieBridge(store: recording, policy: cookiePolicy())
        await bridge.store(fields("a=1", "b=; Max-Age=0", "c=2"), for: .sameSite(), at: cookieNow)
        await bridge.store(fields("a=1"), for: .sameSite("http://www.site.example/"), at: cookieNow)
        #expect(await recording.calls == ["remove b", "set ac", "cookies http://www.site.example/", "set a"])
    }

    @Test("cookies that the app sets go with the first request; broken ones are refused")
    func seeding() async {
        let expired = Cookie(name: "old", value: "", domain: "site.example", expires: WallInstant(unixSeconds: 0))
        let forever = WallInstant(unixSeconds: .max / 2)
        let decisions = await bridge.seed(
            [
                Cookie(name: "a", value: "1", domain: ".site.example", expires: forever),
                Cookie(name: "a", value: "2", domain: ".site.example"), expired,
                Cookie(name: "__Host-b", value: "3", domain: "www.site.example", isSecure: true),
                Cookie(name: "x", value: "y\r\nX-Evil: 1", domain: "site.example"),
                Cookie(name: "x", value: "y; admin=1", domain: "site.example"),
                Cookie(name: "x=y", value: "", domain: "site.example"),
                Cookie(name: "", value: "", domain: "site.example"),
                Cookie(name: "x", value: String(repeating: "y", count: 4_096), domain: "site.example"),
                Cookie(name: "x", value: "y", domain: ""), Cookie(name: "x", value: "y", domain: ".co.uk"),
                Cookie(name: "x", value: "y", domain: "s\u{131}te.example"),
                Cookie(name: "x", value: "y", domain: "site.example", path: "dir"),
                Cookie(name: "x", value: "y", domain: "site.example", sameSite: .none),
                Cookie(name: "__Secure-x", value: "y", domain: "site.example"),
                Cookie(name: "__Host-x", value: "y", domain: ".site.example", isSecure: true),
                Cookie(name: "", value: "__Host-x=y", domain: "site.example", isSecure: true),
                Cookie(name: "x", value: "y", domain: "site.example", partition: "https://site.example"),
            ], at: cookieNow)
        #expect(
            decisions.map(\.reason) == [
                nil, nil, nil, nil, .controlCharacter, .separator, .separator, .empty, .tooLarge, .unusableDomain,
                .publicSuffix, .unusableDomain, .unusablePath, .sameSiteNoneWithoutSecure, .securePrefix, .hostPrefix,
                .hiddenPrefix, .partitionedWithoutSecure,
            ])
        // The lifetime's limit is the same for the app (§5.5).
        #expect(decisions.first?.cookie?.expires == cookieNow + .seconds(34_560_000))
        #expect(await bridge.cookieString(for: .sameSite(), at: cookieNow) == "a=2; __Host-b=3")
    }

    @Test("descriptions hold no value")
    func descriptions() {
        let cookie = Cookie(name: "sid", value: "secret", domain: ".site.example", path: "/a")
        #expect(cookie.description == "sid for *.site.example/a")
        #expect(!"\(SetCookieDecision.store(cookie)) \([cookie])".contains("secret"))
    }
}

private actor RecordingCookieStore: CookieStoring {
    private(set) var calls: [String] = []

    func cookies(for url: String) -> [Cookie] {
        calls.append("cookies \(url)")
        return []
    }

    func set(_ cookies: [Cookie]) { calls.append("set " + cookies.map(\.name).joined()) }

    func remove(_ cookies: [Cookie]) { calls.append("remove " + cookies.map(\.name).joined()) }
}
