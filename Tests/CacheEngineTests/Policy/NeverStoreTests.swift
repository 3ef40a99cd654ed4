import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@Suite("never-store comes first, and removes the stored responses that it covers", .timeLimit(.minutes(5)))
struct NeverStoreTests {
    private static let fields: HTTPFields = [.contentType: "text/html", .cacheControl: "max-age=600"]
    private static let account = Rule("account", .neverStore, when: .path("/account/**"))
    private static let rules = RuleList {
        RuleList.webViewSafeguards
        account
        RuleList.webViewDefaults
    }

    /// Pages that were stored before there was a rule about them.
    private func bench(_ kind: Bench.StoreKind, _ paths: [String]) async throws -> Bench {
        let bench = try Bench(kind, rules: .webViewDefaults)
        for path in paths {
            bench.answer(path, 200, Self.fields, body: path)
            try await bench.fill(path)
        }
        return bench
    }

    @Test("a covered response that is not removed yet is not served without a network")
    func offline() async throws {
        let bench = try await bench(.memory, ["/account/orders", "/shop"])
        let guarded = ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: .init(rules: Self.rules, clock: bench.clock.engineClock))
        func send(_ path: String) async -> EngineResponse {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
            return await guarded.respond(to: EngineRequest(head: head, context: Bench.disconnected))
        }
        #expect(await send("/account/orders").failure?.code == .disconnected)
        #expect(await send("/shop").failure == nil)
        // Nor when the origin turns out to be unreachable.
        bench.transport.on(Bench.base + "/account/orders", Bench.unreachable)
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/account/orders")
        #expect(await guarded.respond(to: EngineRequest(head: head)).failure?.code == .originUnreachable)
    }

    @Test("rules that come into force remove what they cover in every partition, and nothing else")
    func purge() async throws {
        for kind in Bench.StoreKind.allCases {
            let bench = try await bench(kind, ["/account", "/account/", "/account/a/b", "/accounts", "/shop"])
            try await bench.fill("/account/a/b", context: ExchangeContext(partition: "anna"))
            bench.cache.rules = Self.rules
            await bench.cache.waitForBackgroundWork()
            let left = try await bench.store.summaries(of: .everything, after: nil, limit: 100)
            #expect(left.map(\.key.uri).sorted() == [Bench.base + "/accounts", Bench.base + "/shop"])
        }
    }

    @Test("the purge goes beyond one portion, and a rule about the response sees the stored fields")
    func portions() async throws {
        let bench = try Bench(rules: .protocolOnly)
        for number in 0..<1_100 {
            let pending = try bench.store.makePendingBody()
            try pending.append([1])
            let isFirstOrLast = number == 0 || number == 1_099
            let fields: HTTPFields = [
                .contentType: isFirstOrLast ? "application/json" : "text/css", .cacheControl: "max-age=60",
            ]
            let response = StoredResponse(
                nominatedFields: NominatedFields(), status: .ok, fields: fields, requestTime: bench.clock.now,
                responseTime: bench.clock.now)
            _ = try await bench.store.commit(pending, key: bench.key("/\(number)"), response: response)
        }
        bench.cache.rules = RuleList {
            Rule("marked", .neverStore) {
                When.contentType("application/json")
                When.responseHeader(.cacheControl, "*max-age*")
            }
        }
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 1_098)
        #expect(try await bench.store.entries(for: bench.key("/1099")).isEmpty)
    }

    @Test("a response that is arriving when the rule comes is delivered, but not stored")
    func arriving() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/account/a") { _ in
            ScriptedTransport.answer(200, Self.fields, streaming: body)
        }
        let response = await bench.send("/account/a")
        body.send("content")
        bench.cache.rules = Self.rules
        body.end()
        #expect(try await Bench.read(response) == "content")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key("/account/a")).isEmpty)
    }
}
