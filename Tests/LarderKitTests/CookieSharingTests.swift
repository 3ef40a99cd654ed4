import Foundation
import Testing

@testable import LarderKit

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Cookies of web views and of the app's sessions", .timeLimit(.minutes(5)))
@MainActor
struct CookieSharingTests {
    /// A place that tells of each change, as WebKit and Foundation do.
    final class Jar: CookiePlace {
        var kept: [HTTPCookie] = []
        var changed: () -> Void = {}
        var changes = 0
        /// Names of cookies that it does not take.
        var refuses: Set<String> = []

        func cookies() async -> [HTTPCookie] {
            await Task.yield()
            return kept
        }

        func set(_ cookie: HTTPCookie) async {
            if refuses.contains(cookie.name) { return }
            kept.removeAll { Self.areSame($0, cookie) }
            kept.append(cookie)
            tell()
        }

        func remove(_ cookie: HTTPCookie) async {
            kept.removeAll { Self.areSame($0, cookie) }
            tell()
        }

        private func tell() {
            changes += 1
            changed()
        }

        private static func areSame(_ one: HTTPCookie, _ other: HTTPCookie) -> Bool {
            (one.name, one.domain, one.path) == (other.name, other.domain, other.path)
        }

        var text: String {
            kept.map { "\($0.domain)\($0.path) \($0.name)=\($0.value)" }.sorted().joined(separator: "; ")
        }
    }

    private let web = Jar()
    private let app = Jar()

    private func cookie(_ name: String, _ value: String, _ domain: String = "shop.example", path: String = "/")
        throws -> HTTPCookie
    {
        try #require(HTTPCookie(properties: [.name: name, .value: value, .domain: domain, .path: path]))
    }

    private func share(_ sites: [String] = ["shop.example"], isCurrent: @escaping () -> Bool = { true }) async
        -> CookieSharing
    {
        let (web, app) = (web, app)
        let sharing = CookieSharing(web: web, app: app, sites: sites, isCurrent: isCurrent) { changed in
            (web.changed, app.changed) = (changed, changed)
            return CookieSharing.Watching {}
        }
        await sharing.share()
        return sharing
    }

    /// Returns once nothing changes any more, several times in a row.
    private func settle(_ sharing: CookieSharing) async {
        var (last, rounds) = (-1, 0)
        while rounds < 5 {
            rounds = last == web.changes + app.changes ? rounds + 1 : 0
            last = web.changes + app.changes
            for _ in 0..<20 { await Task.yield() }
            await sharing.share()
        }
    }

    @Test("at the beginning both get what the other has; where both have one, that of the web views counts")
    func beginning() async throws {
        (web.kept, app.kept) = try ([cookie("a", "web"), cookie("b", "1")], [cookie("a", "app"), cookie("c", "2")])
        let sharing = await share()
        await settle(sharing)
        #expect(web.text == "shop.example/ a=web; shop.example/ b=1; shop.example/ c=2")
        #expect(app.text == web.text)
    }

    @Test("a change, a removal and a new cookie go to the other place, in both directions, and nothing comes back")
    func changes() async throws {
        (web.kept, app.kept) = try ([cookie("a", "1")], [])
        let sharing = await share()
        for (one, other) in [(web, app), (app, web)] {
            try await one.set(cookie("a", "2"))
            try await one.set(cookie("session", "x"))
            await settle(sharing)
            #expect(other.text == "shop.example/ a=2; shop.example/ session=x")
            try await one.remove(cookie("session", "x"))
            await settle(sharing)
            #expect(other.text == "shop.example/ a=2" && one.text == other.text)
            try await one.set(cookie("a", "1"))
            await settle(sharing)
        }
    }

    @Test("a cookie that one place does not take stays at the other")
    func refused() async throws {
        app.refuses = ["session"]
        web.kept = try [cookie("session", "x")]
        let sharing = await share()
        for value in ["1", "2"] {
            try await web.set(cookie("a", value))
            await settle(sharing)
            #expect(web.text == "shop.example/ a=\(value); shop.example/ session=x")
            #expect(app.text == "shop.example/ a=\(value)")
        }
    }

    @Test("cookies of one name at two paths or domains are two")
    func identity() async throws {
        web.kept = try [
            cookie("a", "1"), cookie("a", "2", path: "/x"), cookie("a", "3", ".shop.example"),
            cookie("a", "4", "www.shop.example"),
        ]
        let sharing = await share()
        await settle(sharing)
        #expect(app.kept.count == 4 && app.text == web.text)
    }

    @Test("cookies of other sites stay where they are, also those whose name ends alike")
    func sites() async throws {
        web.kept = try [
            cookie("a", "1", "tracker.example"), cookie("a", "2", "myshop.example"), cookie("a", "3", ".SHOP.example"),
        ]
        app.kept = try [cookie("b", "1", "other.example")]
        let sharing = await share()
        await settle(sharing)
        #expect(app.kept.map(\.value).sorted() == ["1", "3"])
        #expect(web.kept.count == 3)
        let none = await share([])
        await settle(none)
        #expect(web.kept.count == 3)
    }

    @Test("once the account has changed, nothing is shared any more")
    func account() async throws {
        var isCurrent = true
        let sharing = await share { isCurrent }
        isCurrent = false
        try await web.set(cookie("session", "of the next user"))
        await settle(sharing)
        isCurrent = true
        await settle(sharing)
        #expect(app.kept.isEmpty)
    }

    @Test("it ends with its owner")
    func owner() async throws {
        var sharing: CookieSharing? = await share()
        _ = sharing
        sharing = nil
        try await web.set(cookie("session", "1"))
        for _ in 0..<50 { await Task.yield() }
        #expect(app.kept.isEmpty)
    }

    @Test("sessions' own storage takes and gives them, with their attributes")
    func storage() async throws {
        let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
        let url = try #require(URL(string: "https://shop.example/"))
        let line = "session=1; Secure; HttpOnly; Path=/; Expires=Wed, 09 Jun 2100 10:18:14 GMT"
        for made in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": line], for: url) {
            storage.setCookie(made)
        }
        let sharing = CookieSharing(
            web: web, app: SessionCookies(storage: storage), sites: ["shop.example"], isCurrent: { true },
            watch: { _ in CookieSharing.Watching {} })
        await sharing.share()
        let given = try #require(web.kept.first)
        #expect(given.isSecure && given.isHTTPOnly && given.value == "1" && given.expiresDate != nil)
        await web.remove(given)
        await sharing.share()
        #expect(storage.cookies?.isEmpty == true)
    }
}
