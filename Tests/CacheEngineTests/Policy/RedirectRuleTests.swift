import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

/// The rule `redirect`: RFC 9111 §3 lets no 302 be stored that states no freshness.
@Suite("Redirects lead on without a network", .timeLimit(.minutes(5)))
struct RedirectRuleTests {
    struct Row: Sendable {
        var status = 302
        var control: String?
        var isKept: Bool
    }

    @Test(
        "whatever their status, unless storing is forbidden",
        arguments: [301, 302, 303, 307, 308].flatMap { status in
            [
                Row(status: status, control: nil, isKept: true), Row(status: status, control: "no-cache", isKept: true),
                Row(status: status, control: "private", isKept: true),
                Row(status: status, control: "max-age=0", isKept: true),
                Row(status: status, control: "no-store", isKept: false),
            ]
        })
    func kept(_ row: Row) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        var fields: HTTPFields = [.location: "/en/"]
        fields[.cacheControl] = row.control
        bench.answer("/", row.status, fields)
        for _ in 0..<2 { _ = try await bench.text("/") }
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 2, "with a network it is asked each time")
        let offline = await bench.send("/", context: Bench.disconnected)
        #expect((offline.failure == nil) == row.isKept)
        if row.isKept {
            #expect(offline.head.status.code == row.status && offline.head.headerFields[.location] == "/en/")
        }
        bench.transport.on(Bench.base + "/", Bench.unreachable)
        #expect((await bench.send("/").failure == nil) == row.isKept, "an origin that can't be reached")
    }

    struct SharedKey: Sendable {
        var asked: String
        var location: String
        var rules = RuleList.webViewDefaults
    }

    @Test(
        "none is kept under the key of the address where it leads (RFC 9111 §2)",
        arguments: [
            SharedKey(
                asked: "/", location: "/app/home",
                rules: .webViewDefaults.keyed(by: KeyRule("shell", target: "/", when: .path("/app/**")))),
            SharedKey(asked: "/p", location: "/p?utm_source=x"), SharedKey(asked: "/%7Eu", location: "/~u"),
            SharedKey(asked: "/~u", location: "/%7Eu"),
        ])
    func sharedKey(_ row: SharedKey) async throws {
        let bench = try Bench(rules: row.rules)
        let redirect: @Sendable (TransportRequest) throws -> TransportResponse = { _ in
            ScriptedTransport.answer(301, [.location: row.location, .cacheControl: "max-age=3600"])
        }
        let page: @Sendable (TransportRequest) throws -> TransportResponse = { _ in
            ScriptedTransport.answer(200, [.contentType: "text/html", .cacheControl: "max-age=60"], body: "page")
        }
        bench.answers(row.asked, [redirect])
        bench.answers(row.location, [page])
        _ = try await bench.text(row.asked)
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.text(row.location).1 == "page")
    }

    @Test(
        "one of an address that shares its key leads on without a network", arguments: ["/mail", "/mail?utm_source=x"])
    func campaign(_ asked: String) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let context = ExchangeContext(destination: .document)
        bench.answer("/mail?utm_source=x", 301, [.location: "/mail/?utm_source=x"])
        _ = try await bench.text("/mail?utm_source=x", context: context)
        await bench.cache.waitForBackgroundWork()
        var offline = context
        offline.connectivity = .disconnected
        #expect(await bench.send(asked, context: offline).head.status.code == 301)
    }

    @Test("an error, or a redirect, of one address takes no page's place that others share", arguments: [404, 301])
    func shell(_ status: Int) async throws {
        let rules = RuleList.webViewDefaults.keyed(by: KeyRule("shell", target: "/", when: .path("/app/**")))
        let bench = try Bench(rules: rules)
        var context = ExchangeContext(destination: .document)
        bench.answer("/app/one", 200, [.contentType: "text/html"], body: "shell")
        bench.answer("/app/gone", status, [.contentType: "text/html", .location: "/elsewhere"], body: "gone")
        for path in ["/app/one", "/app/gone"] {
            _ = try await bench.text(path, context: context)
            await bench.cache.waitForBackgroundWork()
        }
        context.connectivity = .disconnected
        for path in ["/app/one", "/app/two", "/app/gone"] {
            #expect(try await bench.text(path, context: context).text == "shell")
        }
    }

    /// As frameworks mark each of their answers, that to a session which has ended as well.
    private static let marks: [HTTPFields] = [
        [:], [.cacheControl: "no-cache, private"], [.cacheControl: "private"], [.cacheControl: "max-age=0"],
        [.cacheControl: "no-cache, must-revalidate, max-age=0", .expires: "Wed, 11 Jan 1984 05:00:00 GMT"],
        [.expires: "Wed, 11 Jan 1984 05:00:00 GMT"],
    ]

    @Test(
        "none takes a page's place; a page takes the redirect's", arguments: [CacheMode.protocolDefault, .reload], marks
    )
    func pages(_ mode: CacheMode, _ marks: HTTPFields) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let redirect: @Sendable (TransportRequest) throws -> TransportResponse = { _ in
            ScriptedTransport.answer(302, [.location: "/sign-in"] + marks)
        }
        bench.answers(
            "/",
            [
                redirect,
                { _ in ScriptedTransport.answer(200, [.cacheControl: "no-cache", .eTag: "\"1\""], body: "page") },
                redirect,
            ])
        var context = ExchangeContext(mode: mode)
        context.checksAllowedOrigin = true
        for _ in 0..<3 {
            _ = try await bench.text("/", context: context)
            await bench.cache.waitForBackgroundWork()
        }
        #expect(try await bench.text("/", context: Bench.disconnected).text == "page")
    }

    @Test(
        "two that lead to each other, as the site has turned them round, end at the page",
        arguments: ["/b", "//www.example.com/a"])
    func turned(_ other: String) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let (here, there) = (Bench.base + "/a", try #require(TargetURI.resolve(other, against: Bench.base + "/a")))
        func redirect(_ from: String, to: String) {
            bench.transport.on(from) { _ in
                ScriptedTransport.answer(301, [.location: to, .cacheControl: "max-age=3600"])
            }
        }
        func open(_ url: String) async throws -> (status: Int, text: String) {
            let parts = try #require(TargetURI.split(url))
            let head = HTTPRequest(method: .get, scheme: "https", authority: parts.authority, path: parts.path)
            let context = ExchangeContext(destination: .document)
            let answer = await bench.cache.respond(to: EngineRequest(head: head, context: context))
            let text = try await Bench.read(answer)
            await bench.cache.waitForBackgroundWork()
            return (answer.head.status.code, text)
        }
        redirect(here, to: there)
        #expect(try await open(here).status == 301)
        redirect(there, to: here)
        bench.answer("/a", 200, [.contentType: "text/html"], body: "page")
        #expect(try await open(here).status == 301, "it is fresh")
        #expect(try await open(there).status == 301)
        #expect(try await open(here).text == "page")
        #expect(bench.transport.requests.count == 3)
    }

    @Test("neither sign-in nor an app without the rule keeps any")
    func without() async throws {
        for (path, rules) in [
            ("/oauth/callback", RuleList.webViewDefaults), ("/", .webViewDefaults.removing("redirect")),
        ] {
            let bench = try Bench(rules: rules)
            bench.answer(path, 302, [.location: "/en/"])
            _ = try await bench.text(path)
            await bench.cache.waitForBackgroundWork()
            #expect(await bench.send(path, context: Bench.disconnected).failure != nil)
        }
    }
}
