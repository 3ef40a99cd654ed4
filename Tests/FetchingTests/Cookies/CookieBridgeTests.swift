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
        await bridge.store(
            fields("sid=1; HttpOnly; Secure; Path=/", "csrf=2; Path=/login"), for: login, at: cookieNow)
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
        await bridge.store(
            fields("sid=evil", "sid=evil; Domain=site.example; Path=/dir", "sid=evil; Secure", "b=2"), for: insecure,
            at: cookieNow)
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

    @Test(
        "W3C Clear Site Data §4.2.2: an https response removes the cookies of its registrable domain, then sets its own",
        arguments: [
            ("https", "\"cookies\"", "new=1"), ("https", "\"cache\", \"*\"", "new=1"),
            ("https", "\"cache\", \"storage\"", "sid=1; up=2; new=1"), ("https", "cookies", "sid=1; up=2; new=1"),
            ("http", "\"cookies\"", "sid=1; up=2; new=1"),
        ])
    func cleared(_ scheme: String, _ value: String, _ left: String) async {
        let hop = CookieHop.sameSite("\(scheme)://www.site.example/")
        let other = CookieHop.sameSite("https://other.example/")
        await bridge.store(fields("sid=1; HttpOnly", "up=2; Domain=site.example"), for: hop, at: cookieNow)
        await bridge.store(fields("kept=3"), for: other, at: cookieNow)
        var answer = fields("new=1")
        answer[.clearSiteData] = value
        await bridge.store(answer, for: hop, at: cookieNow)
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == left)
        #expect(await bridge.cookieString(for: other, at: cookieNow) == "kept=3")
    }

    @Test("a request without credentials neither asks the store nor changes it")
    func omitted() async {
        let silent = RecordingCookieStore()
        let bridge = CookieBridge(store: silent, policy: cookiePolicy())
        var hop = CookieHop.sameSite("http://www.site.example/")
        hop.includesCredentials = false
        #expect(await bridge.cookieString(for: hop, at: cookieNow) == nil)
        await bridge.store(fields("a=b"), for: hop, at: cookieNow)
        await bridge.store(HTTPFields(), for: .sameSite("http://www.site.example/"), at: cookieNow)
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

    @Test("descriptions hold no value")
    func descriptions() {
        let cookie = Cookie(name: "sid", value: "secret", domain: ".site.example", path: "/a")
        #expect(cookie.description == "sid for *.site.example/a")
        #expect(!"\(cookie) \([cookie])".contains("secret"))
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
