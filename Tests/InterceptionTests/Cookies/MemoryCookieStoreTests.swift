import HTTPCacheSemantics
import Locking
import Testing

@testable import Fetching

@Suite("RFC 6265bis §5.7 and §6.1: MemoryCookieStore")
struct MemoryCookieStoreTests {
    private func table(domainLimit: Int = 3, limit: Int = 1_000) -> CookieTable {
        CookieTable(domainLimit: domainLimit, limit: limit, policy: cookiePolicy())
    }

    private func cookie(
        _ name: String, _ domain: String = "site.example", isSecure: Bool = true, expires: WallInstant? = nil
    ) -> Cookie {
        Cookie(name: name, value: "", domain: domain, expires: expires, isSecure: isSecure)
    }

    private func names(_ table: CookieTable) -> [String] { table.all.map(\.name).sorted() }

    @Test("a cookie replaces the one with the same name, domain, host-only-flag, path and partition (step 23)")
    func replacing() async {
        let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })
        var cookie = Cookie(name: "a", value: "1", domain: "site.example")
        await store.set([cookie, Cookie(name: "b", value: "", domain: "site.example")])
        cookie.value = "2"
        cookie.isSecure = true
        await store.set([cookie])
        let stored = await store.cookies(for: "https://site.example/")
        // It keeps the creation-time of the one it replaces.
        #expect(stored.map(\.name) == ["a", "b"] && stored.first == cookie)
        await store.set([
            Cookie(name: "a", value: "", domain: ".site.example"),
            Cookie(name: "a", value: "", domain: "site.example", path: "/x"),
            Cookie(name: "A", value: "", domain: "site.example"),
            Cookie(name: "a", value: "", domain: "www.site.example"),
            Cookie(name: "a", value: "", domain: "site.example", partition: "https://x.example"),
            Cookie(name: "a", value: "", domain: "site.example", partition: ""),
        ])
        #expect(store.all.count == 8)
    }

    @Test("names that are equal to Unicode but not in their octets are two cookies")
    func octets() async {
        let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })
        await store.set([cookie("\u{E9}"), cookie("e\u{301}")])
        #expect(store.all.count == 2)
        await store.remove([cookie("e\u{301}")])
        #expect(store.all.map { Array($0.name.utf8) } == [[0xC3, 0xA9]])
    }

    @Test("expired cookies are neither returned nor kept; setting one removes the old one")
    func expiry() async {
        let now = LockedBox(cookieNow)
        let store = MemoryCookieStore(policy: cookiePolicy(), now: { now.withLock { $0 } })
        await store.set([cookie("a", expires: cookieNow + .seconds(1)), cookie("b")])
        now.withLock { $0 = cookieNow + .seconds(2) }
        #expect(await store.cookies(for: "https://site.example/").map(\.name) == ["b"])
        await store.set([cookie("b", expires: cookieNow)])
        #expect(store.all.isEmpty)
    }

    @Test("a URL gets the cookies of its registrable domain, whatever their path and flags")
    func lookingUp() async {
        let store = MemoryCookieStore(policy: cookiePolicy(), now: { cookieNow })
        await store.set([
            cookie("a"), cookie("b", "www.site.example"), cookie("c", ".site.example"), cookie("d", "other.example"),
            cookie("e", "a.github.io"), cookie("f", "b.github.io"), cookie("g", "192.0.2.1"),
            cookie("h", "198.51.2.1"),
        ])
        func found(_ url: String) async -> String { await store.cookies(for: url).map(\.name).joined() }
        #expect(await found("http://x.y.site.example/z") == "abc")
        #expect(await found("https://a.github.io/") == "e")
        #expect(await found("https://192.0.2.1/") == "g")
        for url in ["https://github.io/", "https://example/", "?"] { #expect(await found(url) == "") }
        await store.remove([cookie("b", "www.site.example"), cookie("c", "site.example"), cookie("x")])
        #expect(await found("https://site.example/") == "ac")
    }

    @Test(
        "registrable domains",
        arguments: [
            CookieRow("www.site.co.uk", "site.co.uk", ""), CookieRow("co.uk", "co.uk", ""), CookieRow("uk", "uk", ""),
            CookieRow("a.uk", "a.uk", ""), CookieRow("localhost", "localhost", ""),
            CookieRow("a.b.c.com.", "c.com.", ""),
            CookieRow("x.y.github.io", "y.github.io", ""), CookieRow("192.0.2.1", "192.0.2.1", ""),
            CookieRow("::1", "::1", ""), CookieRow("", "", ""),
        ] as [CookieRow<String>])
    func registrableDomain(_ row: CookieRow<String>) {
        #expect(cookiePolicy().registrableDomain(of: row.given) == row.expected)
    }

    @Test("a full domain loses expired cookies, then those without Secure, then the longest unused")
    func domainOrder() {
        var table = table()
        table.insert(cookie("expiring", expires: cookieNow + .seconds(1)), at: cookieNow)
        table.insert(cookie("old"), at: cookieNow)
        table.insert(cookie("insecure", isSecure: false), at: cookieNow)
        let later = cookieNow + .seconds(2)
        table.insert(cookie("new"), at: later)
        #expect(names(table) == ["insecure", "new", "old"])
        table.insert(cookie("newer"), at: later)
        #expect(names(table) == ["new", "newer", "old"])
        table.insert(cookie("newest"), at: later)
        #expect(names(table) == ["new", "newer", "newest"] && table.count == 3)
        // An insecure newcomer goes before older cookies with Secure.
        table.insert(cookie("latest", isSecure: false), at: later)
        #expect(names(table) == ["new", "newer", "newest"] && table.count == 3)
    }

    @Test("an http request does not access cookies with Secure")
    func insecureAccess() {
        var table = table()
        for name in ["a", "b", "c", "d"] {
            _ = table.cookies(for: "http://site.example/a/page", at: cookieNow)
            let cookie = Cookie(name: name, value: "", domain: "site.example", path: "/\(name)", isSecure: true)
            table.insert(cookie, at: cookieNow)
        }
        #expect(names(table) == ["b", "c", "d"])
    }

    @Test("retrieval counts as access, for the cookies that it finds")
    func access() {
        var table = table()
        for name in ["a", "b", "c"] {
            table.insert(Cookie(name: name, value: "", domain: "site.example", path: "/\(name)"), at: cookieNow)
        }
        _ = table.cookies(for: "https://site.example/a/page", at: cookieNow)
        table.insert(Cookie(name: "d", value: "", domain: "site.example"), at: cookieNow)
        #expect(names(table) == ["a", "c", "d"])
    }

    @Test("subdomains share their domain's limit")
    func subdomains() {
        var table = table()
        table.insert(cookie("victim", "other.example"), at: cookieNow)
        for number in 0..<50 { table.insert(cookie("a", "host\(number).site.example"), at: cookieNow) }
        #expect(table.count == 4 && names(table).contains("victim"))
    }

    @Test("a full table takes from domains with more than 50 cookies first, then what is unused the longest")
    func totalOrder() {
        var table = table(domainLimit: 60, limit: 100)
        for number in 0..<48 { table.insert(cookie("small\(number)", "small.example"), at: cookieNow) }
        for number in 0..<51 { table.insert(cookie("big\(number)", "big.example"), at: cookieNow) }
        table.insert(cookie("insecure", "big.example", isSecure: false), at: cookieNow)
        #expect(table.count == 100)
        table.insert(cookie("next", "next.example"), at: cookieNow)
        #expect(table.count == 100 && !names(table).contains("insecure"))
        table.insert(cookie("next2", "next.example"), at: cookieNow)
        #expect(table.count == 100 && !names(table).contains("big0"))
        // No domain has more than 50 now.
        table.insert(cookie("next3", "next.example", isSecure: false), at: cookieNow)
        #expect(table.count == 100 && !names(table).contains("small0") && names(table).contains("next3"))
        // Expired cookies of any domain go first.
        table.insert(cookie("expiring", "brief.example", expires: cookieNow + .seconds(1)), at: cookieNow)
        table.insert(cookie("next4", "next.example"), at: cookieNow + .seconds(2))
        #expect(table.count == 100 && !names(table).contains("expiring") && names(table).contains("small2"))
    }

    @Test("the bounds hold after any sequence of sets and removals, and the count is right")
    func bounds() {
        var table = table(domainLimit: 5, limit: 20)
        for number in 0..<3_000 {
            let name = "n\(number * 7 % 13)"
            let domain = "host\(number % 3).site\(number * 5 % 11).example"
            let expires = number % 4 == 0 ? cookieNow + .seconds(number % 97) : nil
            let cookie = cookie(name, domain, isSecure: number % 2 == 0, expires: expires)
            let now = cookieNow + .seconds(number / 50)
            if number % 5 == 4 { table.remove(cookie) } else { table.insert(cookie, at: now) }
            #expect(table.count <= 20 && table.count == table.all.count)
        }
        #expect(table.count > 5)
    }
}
