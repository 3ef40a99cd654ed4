import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// Issue 12: what is stored never goes back to an older state, and who has reloaded finds what the reload brought.
@Suite("Responses that come in another order than they were asked for", .timeLimit(.minutes(5)))
struct OrderTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]
    private static let reload: HTTPFields = [.cacheControl: "no-cache"]

    /// A request says itself which it is; the order in which a scripted network is asked does not.
    private static func named(_ number: Int, _ fields: HTTPFields = [:]) -> HTTPFields {
        var fields = fields
        fields[.from] = "\(number)"
        return fields
    }

    private static func number(_ request: TransportRequest) -> Int {
        request.head.headerFields[.from].flatMap { Int($0) } ?? 0
    }

    @Test("a reload is found before it is committed, by a request in the same words as one that was answered at once")
    func ownReload() async throws {
        let bench = try Bench()
        let commits = Gate()
        let cache = ResponseCache(
            store: SlowCommits(base: bench.store, gate: commits), transport: bench.transport,
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        bench.answers("/a", ["1", "2"].map { text in { _ in ScriptedTransport.answer(200, Self.fresh, body: text) } })
        func ask(_ fields: HTTPFields) -> EngineRequest {
            EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "example.com", path: "/a", headerFields: fields))
        }
        commits.open()
        #expect(try await Bench.read(await cache.respond(to: ask([:]))) == "1")
        await cache.waitForBackgroundWork()
        let prepared = cache.prepare(ask([:]))
        guard case .answered = cache.begin(prepared, in: ask([:]).context) else {
            Issue.record("no answer at once")
            return
        }
        commits.close()
        #expect(try await Bench.read(await cache.respond(to: ask(Self.reload))) == "2")
        // All of it has come, and the disk has not begun.
        guard case .underWay(let rest) = cache.begin(prepared, in: ask([:]).context) else {
            Issue.record("the old state was given again")
            return
        }
        commits.open()
        #expect(try await Bench.read(await rest.respond()) == "2")
        #expect(bench.transport.requests.count == 2)
    }

    @Test("of two reloads at once neither is believed where nobody can tell which is newer", arguments: [true, false])
    func unknown(_ firstEndsLast: Bool) async throws {
        let bench = try Bench()
        let gates = [Gate(), Gate()]
        let transport = bench.transport
        transport.on(Bench.base + "/a") { request in
            let number = Self.number(request)
            if number <= 2 { try await gates[number - 1].pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: "\(number)")
        }
        async let first = bench.text("/a", Self.named(1, Self.reload))
        try await transport.requests(atLeast: 1)
        async let second = bench.text("/a", Self.named(2, Self.reload))
        try await transport.requests(atLeast: 2)
        gates[firstEndsLast ? 1 : 0].open()
        try await bench.store.commits(atLeast: 1)
        gates[firstEndsLast ? 0 : 1].open()
        #expect(try await first.text == "1")
        #expect(try await second.text == "2")
        #expect(try await bench.text("/a", Self.named(3)).text == "3")
    }

    @Test("a reload that began after another one had ended takes its place; a late answer leaves both in doubt")
    func known() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/a") { request in
            let number = Self.number(request)
            if number == 1 { try await gate.pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: "\(number)")
        }
        async let first = bench.text("/a", Self.named(1, Self.reload))
        try await transport.requests(atLeast: 1)
        bench.clock.advance(by: .seconds(5))
        #expect(try await bench.text("/a", Self.named(2, Self.reload)).text == "2")
        bench.clock.advance(by: .seconds(5))
        #expect(try await bench.text("/a", Self.named(3, Self.reload)).text == "3")
        #expect(try await bench.text("/a").text == "3")
        gate.open()
        // The origin may have made it before the others, or now.
        #expect(try await first.text == "1")
        #expect(try await bench.text("/a", Self.named(4)).text == "4")
        #expect(transport.requests.count == 4)
    }

    @Test("nobody joins a request that is older than a reload")
    func collapsing() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/a") { request in
            let number = Self.number(request)
            if number == 1 { try await gate.pass() }
            return ScriptedTransport.answer(
                200, number == 2 ? [.cacheControl: "no-store"] : Self.fresh, body: "\(number)")
        }
        async let first = bench.text("/a", Self.named(1))
        try await transport.requests(atLeast: 1)
        #expect(try await bench.text("/a", Self.named(2, Self.reload)).text == "2")
        async let third = bench.text("/a", Self.named(3))
        try await transport.requests(atLeast: 3)
        gate.open()
        #expect(try await first.text == "1")
        #expect(try await third.text == "3")
    }
}

/// A store that commits nothing while its gate is closed, and knows at once what the other one does.
private struct SlowCommits: ForwardingStorage {
    let base: any ResponseStorage
    let gate: Gate

    func cachedEntries(for key: CacheKey) -> [StoredEntry]? { base.cachedEntries(for: key) }

    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await gate.pass()
        return try await base.commit(body, key: key, response: response, since: mark)
    }
}
