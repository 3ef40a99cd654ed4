import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

@Suite("A client that has a whole response finds it when it asks again, even on a slow disk", .timeLimit(.minutes(5)))
struct ArrivalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var first: HTTPFields
        var second: HTTPFields
        var method = HTTPRequest.Method.get
        var testDescription: String { "\(first.count) fields, then \(method) with \(second.count)" }
    }

    @Test(
        "a part, a part of a whole, a condition, and HEAD",
        arguments: [
            Row(first: [.range: "bytes=0-9"], second: [.range: "bytes=2-5"]),
            Row(first: [:], second: [.range: "bytes=2-5"]),
            Row(first: [:], second: [.ifNoneMatch: "\"1\""]),
            Row(first: [:], second: [:], method: .head),
        ])
    func found(_ row: Row) async throws {
        let bench = try Bench()
        let origin = RangeOrigin(body: PatternedContent.octets(100), tag: "\"1\"")
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        let (open, commits) = (Gate(), Gate())
        open.open()
        let cache = ResponseCache(
            store: GatedStore(base: bench.store, gate: open, commits: commits), transport: bench.transport,
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        func request(_ fields: HTTPFields, _ method: HTTPRequest.Method) -> EngineRequest {
            EngineRequest(
                head: HTTPRequest(
                    method: method, scheme: "https", authority: "example.com", path: "/a", headerFields: fields))
        }
        // The whole response has arrived, and the disk has not begun.
        _ = try await cache.respond(to: request(row.first, .get)).body.collect(upTo: .mebibytes(1))
        async let second = cache.respond(to: request(row.second, row.method))
        try await commits.arrivals(1)
        // Enough turns for a look-up that does not wait.
        for _ in 0..<2_000 { await Task.yield() }
        commits.open()
        #expect(await second.cacheStatus.isHit)
        #expect(bench.transport.requests.count == 1)
    }

    @Test("an answer that was confirmed does not wait for the store; the next one does, and is fresh (RFC 9111 §4.3.4)")
    func confirmed() async throws {
        let bench = try Bench()
        let fresh: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, fresh, body: "page") },
                { _ in ScriptedTransport.answer(304, fresh) },
            ])
        let (open, updates) = (Gate(), Gate())
        open.open()
        let cache = ResponseCache(
            store: GatedStore(base: bench.store, gate: open, updates: updates), transport: bench.transport,
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        func respond() async -> EngineResponse {
            await cache.respond(
                to: EngineRequest(
                    head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")))
        }
        #expect(try await Bench.read(await respond()) == "page")
        await cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(61))
        // As with an index that another process keeps locked.
        #expect(try await Bench.read(await respond()) == "page")
        try await updates.arrivals(1)
        async let next = respond()
        for _ in 0..<2_000 { await Task.yield() }
        updates.open()
        #expect(await next.cacheStatus.isHit)
        #expect(bench.transport.requests.count == 2)
    }
}
