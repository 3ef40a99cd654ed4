import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// Issue 12: the store never goes back to an older state, and a client that has reloaded finds the reloaded response.
@Suite("Responses that arrive in another order than they were requested", .timeLimit(.minutes(5)))
struct OrderTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]
    private static let reload: HTTPFields = [.cacheControl: "no-cache"]

    /// A field that identifies the request, because a scripted network may see requests in any order.
    private static func named(_ number: Int, _ fields: HTTPFields = [:]) -> HTTPFields {
        var fields = fields
        fields[.from] = "\(number)"
        return fields
    }

    private static func number(_ request: TransportRequest) -> Int {
        request.head.headerFields[.from].flatMap { Int($0) } ?? 0
    }

    @Test("a reloaded response is found before its commit, by a request equal to one that was answered at once")
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
        // The whole response has arrived, and the disk has not begun.
        guard case .underWay(let rest) = cache.begin(prepared, in: ask([:]).context) else {
            Issue.record("the old state was given again")
            return
        }
        commits.open()
        #expect(try await Bench.read(await rest.respond()) == "2")
        #expect(bench.transport.requests.count == 2)
    }

    @Test("of two concurrent reloads neither stays stored if it is unknown which is newer", arguments: [true, false])
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

    @Test("two late answers with the same old state do not take the place of a newer one unasked")
    func twoLate() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/a") { request in
            let number = Self.number(request)
            if number <= 2 { try await gate.pass() }
            return ScriptedTransport.answer(
                200, [.cacheControl: "max-age=600", .eTag: number <= 2 ? "\"old\"" : "\"new\""],
                body: number <= 2 ? "old" : "new")
        }
        async let first = bench.text("/a", Self.named(1, Self.reload))
        try await transport.requests(atLeast: 1)
        async let second = bench.text("/a", Self.named(2, Self.reload))
        try await transport.requests(atLeast: 2)
        #expect(try await bench.text("/a", Self.named(3, Self.reload)).text == "new")
        #expect(try await bench.text("/a", Self.named(4)).text == "new")
        gate.open()
        #expect(try await first.text == "old")
        #expect(try await second.text == "old")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.text("/a", Self.named(5)).text == "new")
    }

    @Test("a reload that began after another had ended replaces it; a late answer removes both")
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
        // The origin may have made this answer before the others, or now.
        #expect(try await first.text == "1")
        #expect(try await bench.text("/a", Self.named(4)).text == "4")
        #expect(transport.requests.count == 4)
    }

    @Test("no request joins one that is older than a reload")
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

/// A store that commits nothing while its gate is closed, and that knows the other one's entries at once.
private struct SlowCommits: ForwardingStorage {
    let base: any ResponseStorage
    let gate: Gate

    func cachedEntries(for key: CacheKey) -> [StoredEntry]? { base.cachedEntries(for: key) }

    func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        try await gate.pass()
        return try await base.commit(body, key: key, response: response, since: mark, noting: variant)
    }
}
