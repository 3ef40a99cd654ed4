import CacheRules
import HTTPTypes
import Testing

@testable import Fetching
@testable import WebTesting

@Suite("Redirects are no way around the same-origin policy")
struct HostileRedirectTests {
    static let targets: [FetchRow<String, FetchError.Code>] = [
        .init("file:///etc/passwd", .redirectScheme, "Fetch §4.4 step 4"),
        .init("data:text/html,<script>1</script>", .redirectScheme, "Fetch §4.4 step 4"),
        .init("javascript:alert(1)", .redirectScheme, "Fetch §4.4 step 4"),
        .init("JAVA\tSCRIPT:alert(1)", .redirectScheme, "URL §4.4: tabs are removed"),
        .init("blob:https://page.test/1", .redirectScheme, "Fetch §4.4 step 4"),
        .init("about:blank", .redirectScheme, "Fetch §4.4 step 4"),
        .init("ws://page.test/", .redirectScheme, "Fetch §4.4 step 4"),
        .init("app-cache-https://bank.test/", .redirectScheme, "no server leads to the app's own scheme"),
        .init("http://page.test/", .mixedContent, "Mixed Content §4.4"),
        .init("http://127.0.0.1:8080/", .mixedContent, "WebKit at https: no redirect leads to loopback"),
        .init("http://localhost/", .mixedContent, "WebKit at https: no redirect leads to loopback"),
        .init("http://[::1]/", .mixedContent, "WebKit at https: no redirect leads to loopback"),
        .init("https://", .malformedLocation, "Fetch §4.4 step 3"),
        .init("https://b\u{FC}.test/", .malformedLocation, "a host that could be read in two ways"),
        .init("https://user:secret@b.test/", .credentialsInURL, "Fetch §4.4 step 7"),
        .init("https://" + String(repeating: "a", count: 1_000_000), .malformedLocation, "a million octets"),
    ]

    @Test("where no response may lead a page's request", arguments: targets)
    func refusedTarget(_ row: FetchRow<String, FetchError.Code>) throws {
        var following = try RedirectFollowing(asked("https://page.test/a"))
        #expect(following.receive(redirect(row.given), isBodyReplayable: true).error == row.expected)
    }

    static let upgrades: [FetchRow<(page: String, destination: Destination, target: String), String?>] = [
        .init(("https://page.test", .image, "http://b.test/i#f"), "https://b.test/i#f", "Mixed Content §4.1: an image"),
        .init(("https://page.test", .video, "http://b.test:8080/v"), "https://b.test:8080/v", "§4.1: a film"),
        .init(("https://page.test", .audio, "http://b.test/a"), "https://b.test/a", "§4.1: sound"),
        .init(("https://page.test", .script, "http://b.test/s"), nil, "§4.1: blockable"),
        .init(("https://page.test", .unknown, "http://b.test/i"), nil, "nothing tells that it is an image"),
        .init(("https://page.test", .image, "http://192.0.2.1/i"), nil, "§4.1: no address is upgraded"),
        .init(("https://page.test", .image, "http://127.0.0.1/i"), nil, "WebKit at https: not by a redirect"),
        .init(("https://page.test", .image, "http://localhost/i"), nil, "WebKit at https: not by a redirect"),
        .init(("http://page.test", .script, "http://b.test/s"), "http://b.test/s", "§4.3: the page is at http"),
        .init(("http://page.test", .image, "http://b.test/i"), "http://b.test/i", "§4.3: the page is at http"),
        .init(
            ("http://localhost", .script, "http://b.test/s"), "http://b.test/s",
            "WebKit asks whether the page is at https, not whether it is trustworthy"),
    ]

    @Test("a redirect of a secure page's resource to http is upgraded or refused as WebKit does", arguments: upgrades)
    func upgrade(_ row: FetchRow<(page: String, destination: Destination, target: String), String?>) throws {
        var request = try asked("\(row.given.page)/a", mode: .noCORS, origin: row.given.page, surely: true)
        request.destination = row.given.destination
        var following = try RedirectFollowing(request)
        var refused = following
        #expect(following.next(redirect(row.given.target))?.url == row.expected)
        let action = refused.receive(redirect(row.given.target), isBodyReplayable: true)
        #expect(action.error == (row.expected == nil ? .mixedContent : nil))
    }

    @Test("a document's redirect to another app is the app's, a frame's or script URL is refused")
    func otherApps() throws {
        func action(_ location: String, topLevel: Bool) throws -> RedirectAction {
            var following = try RedirectFollowing(
                asked("https://page.test/a", mode: .navigate, redirect: .manual, topLevel: topLevel))
            return following.receive(redirect(location), isBodyReplayable: true)
        }
        #expect(try action("tel:+49301", topLevel: true) == .handToApp(url: "tel:+49301"))
        #expect(try action("tel:+49301", topLevel: false).error == .redirectScheme)
        for location in ["javascript:1", "data:text/html,x", "file:///x", "app-cache-https://bank.test/", "blob:x"] {
            #expect(try action(location, topLevel: true).error == .redirectScheme)
        }
    }

    @Test("several Locations are refused, unless they are equal")
    func severalLocations() throws {
        var following = try RedirectFollowing(asked("https://page.test/a"))
        let two = response(302, fields(("Location", "/b"), ("Location", "/c")))
        #expect(following.receive(two, isBodyReplayable: true).error == .malformedLocation)
        let same = response(302, fields(("Location", "/b"), ("Location", "/b")))
        #expect(following.next(same) != nil)
    }

    // MARK: the taint problem

    @Test(
        "an image of the page's own origin does not become another origin's readable bytes",
        arguments: [
            FetchRow(String?.none, FetchError.Code?.some(.unreadableRedirect), "no CORS"),
            FetchRow("https://other.test", .unreadableRedirect, "another origin"),
            FetchRow("null", .unreadableRedirect, "null is another origin"),
            FetchRow("*", nil, "open to all"), FetchRow("https://page.test", nil, "open to the page"),
        ])
    func taint(_ row: FetchRow<String?, FetchError.Code?>) throws {
        var following = try RedirectFollowing(asked("https://page.test/img", mode: .noCORS, credentials: .include))
        #expect(following.includesCredentials)
        let found = following.next(redirect("https://victim.test/private"))
        let next = try #require(found)
        #expect(!following.includesCredentials)
        #expect(next.request.credentials == .omit)
        #expect(next.request.head.headerFields[.origin] == "https://page.test")
        var final = response(200, fields(("Content-Type", "image/png"), ("X-Secret", "1")))
        final.headerFields[.accessControlAllowOrigin] = row.given
        let action = following.receive(final, isBodyReplayable: true)
        #expect(action.error == row.expected)
        if row.expected == nil {
            #expect(action.delivery?.tainting == .cors)
            #expect(action.delivery?.response.headerFields.contains { $0.value == "1" } == false)
        }
    }

    @Test("what Referer seems to say does not lift the rule: a foreign style sheet asks for the page's own URL")
    func styleSheet() throws {
        let request = try #require(
            FetchRequest(
                RequestEvidence(
                    method: .get, url: "https://page.test/open-redirect",
                    fields: fields(("Referer", "https://evil.test/s.css")))))
        var following = try RedirectFollowing(request)
        _ = following.receive(redirect("https://victim.test/private"), isBodyReplayable: true)
        #expect(following.receive(response(200), isBodyReplayable: true).error == .unreadableRedirect)
    }

    @Test("what the web view surely holds opaque may go where it likes, with cookies")
    func opaque() throws {
        var following = try RedirectFollowing(
            asked("https://cdn.test/img", mode: .noCORS, credentials: .include, surely: true))
        _ = following.receive(redirect("https://img.test/"), isBodyReplayable: true)
        #expect(following.includesCredentials)
        #expect(following.receive(response(200), isBodyReplayable: true).delivery?.tainting == .opaque)
        let policy = response(200, fields(("Cross-Origin-Resource-Policy", "same-origin")))
        #expect(following.receive(policy, isBodyReplayable: true).error == .resourcePolicy)
        let hop = response(302, fields(("Location", "/x"), ("Cross-Origin-Resource-Policy", "same-origin")))
        #expect(following.receive(hop, isBodyReplayable: true).error == .resourcePolicy)
    }

    @Test(
        "nothing tells who asks for a style at the app-cache scheme: the page in the address bar gets its own",
        arguments: [
            ("app-cache-https://shop.test/page", "same-origin", true), ("https://shop.test/page", "same-origin", true),
            ("app-cache-https://www.shop.test/", "same-origin", false),
            ("app-cache-https://other.test/", "same-origin", false), ("about:blank", "same-origin", false),
            (nil, "same-origin", false), ("app-cache-https://www.shop.test/", "same-site", true),
            ("app-cache-https://other.test/", "same-site", false), (nil, "cross-origin", true),
        ] as [(String?, String, Bool)])
    func ownFile(page: String?, policy: String, isAllowed: Bool) throws {
        let request = try #require(
            FetchRequest(
                RequestEvidence(
                    method: .get, url: "app-cache-https://shop.test/s.css", fields: fields(("Accept", "text/css,*/*")),
                    topLevelURL: page, navigation: RequestEvidence.Navigation.none)))
        var following = try RedirectFollowing(request) { $0.split(separator: ".").suffix(2).joined(separator: ".") }
        let answer = response(200, fields(("Cross-Origin-Resource-Policy", policy)))
        let action = following.receive(answer, isBodyReplayable: true)
        #expect((action.delivery != nil) == isAllowed)
        #expect(action.error == (isAllowed ? nil : .resourcePolicy))
    }

    @Test("a detour back to the page's own origin is readable, and made without cookies")
    func detour() throws {
        var following = try RedirectFollowing(asked("https://page.test/img", mode: .noCORS, credentials: .include))
        _ = following.receive(redirect("https://b.test/"), isBodyReplayable: true)
        let found = following.next(redirect("https://page.test/x"))
        let back = try #require(found)
        #expect(back.request.head.headerFields[.origin] == "null")
        #expect(!following.includesCredentials)
        #expect(following.receive(response(200), isBodyReplayable: true).delivery?.tainting == .basic)
    }

    @Test("a guessed no-cors request with a script's fields asks before it leaves its origin")
    func hiddenFields() throws {
        var following = try RedirectFollowing(asked("https://page.test/x", mode: .noCORS, fields(("X-Token", "1"))))
        #expect(following.preflight == nil)
        _ = following.receive(redirect("https://b.test/"), isBodyReplayable: true)
        #expect(following.preflight?.fieldNames == ["x-token"])
        #expect(following.preflight?.origin?.description == "https://page.test")
    }

    // MARK: CORS

    @Test("a synchronous XMLHttpRequest to another origin is checked here")
    func synchronous() throws {
        var following = try RedirectFollowing(asked("https://victim.test/", sync: true))
        #expect(following.receive(response(200), isBodyReplayable: true).error == .corsFailed)
        let open = response(200, fields(("Access-Control-Allow-Origin", "*"), ("X-Secret", "1")))
        let delivery = try #require(following.receive(open, isBodyReplayable: true).delivery)
        #expect(delivery.response.headerFields.map(\.name.canonicalName) == ["access-control-allow-origin"])
        var unknown = try RedirectFollowing(asked("https://victim.test/", origin: nil, sync: true))
        #expect(unknown.receive(response(200), isBodyReplayable: true).error == .corsFailed)
    }

    @Test("a redirect from the page's own origin to another is checked, and its fields are filtered")
    func ownOriginFirst() throws {
        var following = try RedirectFollowing(asked("https://page.test/r"))
        #expect(following.includesCredentials)
        let found = following.next(redirect("https://api.test/"))
        let next = try #require(found)
        #expect(next.request.head.headerFields[.origin] == "https://page.test")
        #expect(!following.includesCredentials)
        var closed = following
        #expect(closed.receive(response(200), isBodyReplayable: true).error == .corsFailed)
        // A redirect must pass as well: its target may be a secret.
        #expect(closed.receive(redirect("https://c.test/?token"), isBodyReplayable: true).error == .corsFailed)
        let open = response(200, fields(("Access-Control-Allow-Origin", "https://page.test"), ("X-Secret", "1")))
        let delivery = try #require(following.receive(open, isBodyReplayable: true).delivery)
        #expect(delivery.response.headerFields.contains { $0.value == "1" } == false)
    }

    @Test("§2.2.5: after two foreign origins the origin is null, and stays so")
    func tainted() throws {
        var following = try RedirectFollowing(asked("https://a.test/"))
        let hop = redirect("https://b.test/", allowing: "https://page.test")
        let found = following.next(hop)
        let next = try #require(found)
        #expect(next.request.head.headerFields[.origin] == "null")
        var named = following
        let page = response(200, fields(("Access-Control-Allow-Origin", "https://page.test")))
        #expect(named.receive(page, isBodyReplayable: true).error == .corsFailed)
        let known = following.next(redirect("https://page.test/", allowing: "null"))
        let home = try #require(known)
        #expect(home.request.head.headerFields[.origin] == "null")
        let final = response(200, fields(("Access-Control-Allow-Origin", "null")))
        let delivery = try #require(following.receive(final, isBodyReplayable: true).delivery)
        // The web view compares with the page's origin.
        #expect(delivery.response.headerFields[.accessControlAllowOrigin] == "https://page.test")
    }

    @Test("a redirect to the page's own origin and on is not tainted by that")
    func notTainted() throws {
        var following = try RedirectFollowing(asked("https://page.test/"))
        _ = following.receive(redirect("https://a.test/"), isBodyReplayable: true)
        #expect(!following.isOriginTainted)
    }

    @Test("a page at the app-cache scheme passes its own check")
    func appCache() throws {
        var following = try RedirectFollowing(
            asked("https://api.test/", shown: "app-cache-https://page.test"))
        let open = response(200, fields(("Access-Control-Allow-Origin", "https://page.test")))
        let delivery = try #require(following.receive(open, isBodyReplayable: true).delivery)
        #expect(delivery.response.headerFields[.accessControlAllowOrigin] == "app-cache-https://page.test")
    }

    @Test("an upload to another origin is asked about again at each origin")
    func preflights() throws {
        var following = try RedirectFollowing(asked("https://page.test/", method: .put))
        #expect(following.preflight == nil)
        _ = following.receive(redirect("https://a.test/", 307), isBodyReplayable: true)
        #expect(following.preflight?.request.authority == "a.test")
        _ = following.receive(redirect("https://b.test/", 307, allowing: "*"), isBodyReplayable: true)
        #expect(following.preflight?.request.authority == "b.test")
        #expect(following.preflight?.request.headerFields[.origin] == "null")
    }

    @Test("same-origin requests stay so")
    func sameOriginMode() throws {
        #expect(throws: FetchError.self) { try RedirectFollowing(asked("https://b.test/", mode: .sameOrigin)) }
        for origin in ["https://page.test", nil] {
            var following = try RedirectFollowing(asked("https://page.test/w.js", mode: .sameOrigin, origin: origin))
            #expect(following.next(redirect("/w2.js")) != nil)
            #expect(following.receive(redirect("https://b.test/"), isBodyReplayable: true).error == .crossOrigin)
        }
    }

    @Test("an opaque origin has no origin of its own")
    func sandboxed() throws {
        var following = try RedirectFollowing(asked("https://page.test/", origin: "null"))
        #expect(following.tainting == .cors)
        #expect(following.receive(response(200), isBodyReplayable: true).error == .corsFailed)
        #expect(!following.includesCredentials)
    }

    @Test("errors name neither URLs nor values")
    func messages() throws {
        var following = try RedirectFollowing(asked("https://page.test/a?secret"))
        for location in ["file:///secret", "http://b.test/secret", "https://secret@b.test/", "https://secret%/"] {
            guard case .refuse(let error) = following.receive(redirect(location), isBodyReplayable: true) else {
                Issue.record("not refused")
                return
            }
            #expect(!error.message.contains("secret"))
        }
    }
}
