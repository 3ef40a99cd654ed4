import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("Rules in an engine: responses, keys, hashed names, restrictions", .timeLimit(.minutes(5)))
struct RulesInForceTests {
    @Test("a rule about the response decides once one is known: stored, received, and on the next request")
    func response() async throws {
        let rules = RuleList {
            Rule("images", .fresh(for: .seconds(900)), when: .contentType("image/*"))
            Rule("rest", .neverStore)
        }
        let bench = try Bench(rules: rules)
        bench.answer("/a", 200, [.contentType: "image/png"], body: "picture")
        bench.answer("/b", 200, [.contentType: "text/html", .cacheControl: "max-age=60"], body: "page")
        for path in ["/a", "/b"] {
            _ = try await bench.text(path)
            await bench.cache.waitForBackgroundWork()
        }
        #expect(try await bench.store.entries(for: bench.key("/b")).isEmpty)
    }

    @Test("without a network the default rule for that comes before all others")
    func disconnected() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer("/a.js", 200, [.contentType: "text/javascript", .cacheControl: "no-cache"], body: "script")
        try await bench.fill("/a.js")
        let (response, text) = try await bench.text("/a.js", context: Bench.disconnected)
        #expect(text == "script")
        #expect(response.cacheStatus.detail == "disconnected")
    }

    @Test("static files without stated freshness come from the store at once, and are validated meanwhile")
    func staticFile() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer("/app.js", 200, [.contentType: "text/javascript", .eTag: "\"1\""], body: "script")
        try await bench.fill("/app.js")
        bench.clock.advance(by: .seconds(86_400))
        let (response, _) = try await bench.text("/app.js")
        await bench.cache.waitForBackgroundWork()
        #expect(response.cacheStatus.isHit && response.cacheStatus.detail == "static-script")
        #expect(bench.transport.requests.count == 2)
    }

    @Test("the defaults leave requests with credentials alone")
    func authorization() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer("/me", 200, [.cacheControl: "max-age=60"], body: "mine")
        for _ in 1...2 {
            let (response, _) = try await bench.text("/me", [.authorization: "Bearer a"])
            #expect(!response.cacheStatus.isHit && response.cacheStatus.detail == "authorization")
        }
        #expect(try await bench.store.entries(for: bench.key("/me")).isEmpty)
    }

    @Test("key rules change what is looked up and stored, never what is sent")
    func keys() async throws {
        let bench = try Bench(
            rules: RuleList([]).keyed(by: KeyRule("tracking", dropsTracking: true)))
        bench.answer("/a?utm_source=x&id=1", 200, [.cacheControl: "max-age=60"], body: "content")
        try await bench.fill("/a?utm_source=x&id=1")
        #expect(bench.transport.requests.last?.head.path == "/a?utm_source=x&id=1")
        let (response, text) = try await bench.text("/a?id=1&utm_source=y")
        #expect(response.cacheStatus.isHit && text == "content")
    }

    private static let hashed = "/assets/app.5d60c2ed348e2db0.js"

    /// The origin's content under a hashed name, then another one, fetched by a client's reload.
    private func replaced(by content: String) async throws -> Bench {
        let bench = try Bench(rules: .webViewDefaults)
        let fields: HTTPFields = [.contentType: "text/javascript", .cacheControl: "no-cache", .eTag: "\"1\""]
        bench.answer(Self.hashed, 200, fields, body: "one")
        try await bench.fill(Self.hashed)
        let (response, _) = try await bench.text(Self.hashed)
        #expect(response.cacheStatus.isHit && response.cacheStatus.detail == "hashed-name")
        bench.answer(Self.hashed, 200, fields, body: content)
        try await bench.fill(Self.hashed, context: ExchangeContext(mode: .reload))
        return bench
    }

    @Test("a host that sends other bytes under a hashed name is no longer believed")
    func brokenHash() async throws {
        let bench = try await replaced(by: "two")
        #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
        let (response, text) = try await bench.text(Self.hashed)
        #expect(text == "two")
        #expect(response.cacheStatus.detail != "hashed-name")
        #expect(bench.transport.requests.count == 3)
    }

    @Test("the same bytes again keep the privilege")
    func keptHash() async throws {
        let bench = try await replaced(by: "one")
        #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
        #expect(try await bench.text(Self.hashed).response.cacheStatus.isHit)
    }

    struct Overridden: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields
        var request: HTTPFields = [:]
        var ignoring: OverridableDirective
        var testDescription: String { ignoring.rawValue }
    }

    @Test(
        "directives that forbid storing or reuse count unless the rule ignores them",
        arguments: [
            Overridden(fields: [.cacheControl: "no-store, private"], ignoring: .noStore),
            Overridden(fields: [.cacheControl: "private"], ignoring: .private),
            Overridden(fields: [.vary: "*"], ignoring: .vary),
            Overridden(fields: [:], request: [.authorization: "Basic eDp5"], ignoring: .credentials),
        ])
    func restrictions(_ row: Overridden) async throws {
        for isOverridden in [false, true] {
            var ignoring: Set<OverridableDirective> = isOverridden ? [row.ignoring] : []
            // With `private` as well, the shared cache needs a rule that ignores both.
            if isOverridden, row.ignoring == .noStore { ignoring.insert(.private) }
            let rule = Rule("test", .fresh(for: .seconds(900)), ignoring: ignoring)
            let bench = try Bench(rules: RuleList([rule]), cacheKind: .shared)
            bench.answer("/a", 200, row.fields, body: "content")
            _ = try await bench.text("/a", row.request)
            await bench.cache.waitForBackgroundWork()
            #expect(try await bench.text("/a", row.request).response.cacheStatus.isHit == isOverridden)
        }
    }
}
