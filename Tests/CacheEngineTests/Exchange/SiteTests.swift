import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("Fetch, HTTP cache partitions: what is stored for one site answers no other one", .timeLimit(.minutes(5)))
struct SiteTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]
    private static let (one, two) = (context("https://one.test"), context("https://two.test"))

    private static func context(_ site: String, partition: String = "") -> ExchangeContext {
        ExchangeContext(document: site.isEmpty ? nil : site + "/", partition: partition, site: site)
    }

    @Test(
        "timing: the first request of a site goes to the origin and is a miss, whatever other sites have stored",
        arguments: Bench.StoreKind.allCases)
    func firstRequest(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/widget.js", 200, Self.fresh, body: "third party")
        for (number, site) in ["https://one.test", "https://two.test", ""].enumerated() {
            let (response, text) = try await bench.text("/widget.js", context: Self.context(site))
            #expect(text == "third party" && bench.transport.requests.count == number + 1, "\(site)")
            #expect(!response.cacheStatus.isHit && response.cacheStatus.forward == .uriMiss, "\(site)")
            // No validator of another site's response gives away that there is one.
            let sent = try #require(bench.transport.requests.last).head.headerFields
            #expect(!sent.contains(.ifNoneMatch) && !sent.contains(.ifModifiedSince), "\(site)")
            await bench.cache.waitForBackgroundWork()
        }
        for site in ["https://one.test", "https://two.test", ""] {
            #expect(try await bench.text("/widget.js", context: Self.context(site)).response.cacheStatus.isHit)
        }
        #expect(bench.transport.requests.count == 3)
        #expect(bench.recorder.reports.prefix(2).map(\.document) == ["https://one.test/", "https://two.test/"])
    }

    @Test("what every document shares has no site: the second request is a hit", arguments: Bench.StoreKind.allCases)
    func shared(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/own.js", 200, Self.fresh, body: "own")
        try await bench.fill("/own.js", context: ExchangeContext(document: "https://example.com/a"))
        let (response, _) = try await bench.text("/own.js", context: ExchangeContext(document: "https://example.com/b"))
        #expect(response.cacheStatus.isHit && bench.transport.requests.count == 1)
    }

    struct Way: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rules = RuleList.protocolOnly
        var fields: HTTPFields = SiteTests.fresh
        var context: @Sendable (ExchangeContext) -> ExchangeContext
    }

    private static let ways: [Way] = [
        Way(testDescription: "only-if-cached, Fetch §2.2.5") {
            var context = $0
            context.mode = .onlyIfStored
            return context
        },
        Way(testDescription: "without a network", rules: RuleList([Rule.disconnected])) {
            var context = $0
            context.connectivity = .disconnected
            return context
        },
        Way(testDescription: "stale, with nobody there", fields: [.cacheControl: "max-age=1, stale-if-error=900"]) {
            var context = $0
            context.mode = .preferStored
            return context
        },
    ]

    @Test("no mode of the cache finds another site's response", arguments: ways)
    func modes(_ way: Way) async throws {
        let bench = try Bench(rules: way.rules)
        bench.answer("/a", 200, way.fields, body: "of one")
        try await bench.fill("/a", context: Self.one)
        bench.clock.advance(by: .seconds(10))
        bench.transport.on(Bench.base + "/a", Bench.unreachable)
        #expect(try await bench.text("/a", context: way.context(Self.one)).text == "of one")
        #expect(await bench.send("/a", context: way.context(Self.two)).failure != nil)
        #expect(await bench.send("/a", context: way.context(Self.context(""))).failure != nil)
    }

    @Test("a request of one site does not wait for the same request of another one")
    func collapsing() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/a") { _ in
            if transport.requests(to: Bench.base + "/a").count == 1 { try await gate.pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: "x")
        }
        async let first = bench.text("/a", context: Self.one)
        try await transport.requests(atLeast: 1)
        #expect(try await bench.text("/a", context: Self.two).text == "x")
        gate.open()
        #expect(try await first.text == "x")
        #expect(transport.requests.count == 2)
    }

    @Test(
        "RFC 9111 §4.4: what one site changes, no site of the account sees stale", arguments: Bench.StoreKind.allCases,
        ["https://one.test", "https://other.test", ""])
    func invalidation(_ kind: Bench.StoreKind, _ site: String) async throws {
        let bench = try Bench(kind)
        bench.answer("/cart", 200, Self.fresh, body: "old")
        let contexts = [Self.one, Self.two, Self.context("")]
        for context in contexts { try await bench.fill("/cart", context: context) }
        try await bench.fill("/cart", context: Self.context("https://one.test", partition: "anna"))
        bench.transport.on(Bench.base + "/cart") { request in
            ScriptedTransport.answer(200, Self.fresh, body: request.head.method == .post ? "done" : "new")
        }
        _ = try await bench.text("/cart", method: .post, context: Self.context(site))
        for context in contexts {
            let (response, text) = try await bench.text("/cart", context: context)
            #expect(text == "new" && !response.cacheStatus.isHit, "\(context.site) after a POST of \(site)")
        }
        let anna = try await bench.text("/cart", context: Self.context("https://one.test", partition: "anna"))
        #expect(anna.text == "old")
    }

    @Test(
        "a response that was asked for under one site before another one changed it is not stored",
        arguments: Bench.StoreKind.allCases)
    func invalidatedInFlight(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/cart") { request in
            request.head.method == .post
                ? ScriptedTransport.answer(204) : ScriptedTransport.answer(200, Self.fresh, streaming: body)
        }
        let slow = await bench.send("/cart", context: Self.one)
        _ = try await bench.text("/cart", method: .post, context: Self.two)
        body.send("old")
        body.end()
        #expect(try await Bench.read(slow) == "old")
        await bench.cache.waitForBackgroundWork()
        bench.answer("/cart", 200, Self.fresh, body: "new")
        #expect(try await bench.text("/cart", context: Self.one).text == "new")
    }

    @Test("no request joins one of its site that left before another site's POST")
    func joined() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/cart") { request in
            if request.head.method == .post { return ScriptedTransport.answer(204) }
            let isFirst = transport.requests(to: Bench.base + "/cart").count == 1
            if isFirst { try await gate.pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: isFirst ? "old" : "new")
        }
        async let first = bench.text("/cart", context: Self.one)
        try await transport.requests(atLeast: 1)
        _ = try await bench.text("/cart", method: .post, context: Self.two)
        #expect(try await bench.text("/cart", context: Self.one).text == "new")
        gate.open()
        #expect(try await first.text == "old")
    }

    @Test("Clear Site Data §4.3: the origin's responses go under every site", arguments: Bench.StoreKind.allCases)
    func clearing(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, Self.fresh, body: "x")
        for context in [Self.one, Self.two, Self.context("")] { try await bench.fill("/a", context: context) }
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("Clear-Site-Data"))] = "\"cache\""
        bench.answer("/logout", 200, fields)
        _ = try await bench.seen("/logout", method: .post, context: Self.two)
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("an account's removal takes all its sites, and no other account's", arguments: Bench.StoreKind.allCases)
    func account(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, Self.fresh, body: "x")
        // The last two would read the same if account and site were only joined.
        let contexts = [
            Self.context("https://one.test", partition: "anna"), Self.context("", partition: "anna"),
            Self.context("https://one.test", partition: "ann"), Self.context("\u{1F}\u{1E}b", partition: "a"),
            Self.context("b", partition: "a\u{1F}\u{1E}"),
        ]
        for context in contexts { try await bench.fill("/a", context: context) }
        #expect(try await bench.cache.remove(EntrySelection(partition: "anna")).entries == 2)
        #expect(try await bench.cache.remove(EntrySelection(partition: "a\u{1F}\u{1E}")).entries == 1)
        for (context, isLeft) in zip(contexts, [false, false, true, true, false]) {
            var asked = context
            asked.mode = .onlyIfStored
            let failure = await bench.send("/a", context: asked).failure
            #expect((failure == nil) == isLeft, "\(context.partition)")
        }
    }

    @Test("a refresh of one site's response leaves those of the others", arguments: Bench.StoreKind.allCases)
    func refresh(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, Self.fresh, body: "x")
        for context in [Self.one, Self.two] { try await bench.fill("/a", context: context) }
        bench.clock.advance(by: .seconds(10))
        let request = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a"), context: Self.one)
        #expect(await bench.cache.refresh(request).allSatisfy { $0.failure == nil })
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 2)
    }

    @Test("an explanation names the site, and finds what is stored for it alone")
    func explaining() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, Self.fresh, body: "x")
        try await bench.fill("/a", context: Self.one)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
        let own = await bench.cache.explain(EngineRequest(head: head, context: Self.one))
        let other = await bench.cache.explain(EngineRequest(head: head, context: Self.two))
        let text = "\(own)"
        #expect(text.contains("for pages of https://one.test"))
        #expect(!"\(other)".contains("one.test"))
    }

    @Test("a response that the app brings answers the site that it is for")
    func seeded() async throws {
        let bench = try Bench()
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
        try await bench.cache.store(
            HTTPResponse(status: .ok, headerFields: Self.fresh), content: Array("brought".utf8),
            for: EngineRequest(head: head, context: Self.one))
        #expect(try await bench.text("/a", context: Self.one).text == "brought")
        #expect(await bench.send("/a", context: Self.two).failure != nil)
    }
}
