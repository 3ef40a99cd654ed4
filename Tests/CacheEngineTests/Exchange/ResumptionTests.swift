import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.3: incomplete responses are completed", .timeLimit(.minutes(5)))
struct ResumptionTests {
    private static let origin = RangeOrigin(body: PatternedContent.octets(100_000), tag: "\"1\"")
    private static let other = RangeOrigin(body: PatternedContent.octets(100_000).map { $0 ^ 0xFF }, tag: "\"2\"")

    /// Requests the whole, which breaks off after this many bytes each time, and returns when they are stored.
    private static func breakOff(
        _ bench: Bench, _ origin: RangeOrigin, after count: Int, isChunked: Bool = false,
        _ fields: HTTPFields = [:], context: ExchangeContext = .init()
    ) async throws {
        bench.transport.on(Bench.base + "/a") { _ in origin.broken(after: count, isChunked: isChunked) }
        let received = await Bench.received(await bench.send("/a", fields, context: context))
        #expect(received.bytes == Array(origin.body[..<count]) && !received.isWhole)
        await bench.cache.waitForBackgroundWork()
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var kind: Bench.StoreKind
        var count: Int
        var isChunked: Bool
        var testDescription: String { "\(kind), after \(count), \(isChunked ? "chunked" : "with a length")" }
    }

    private static let rows = Bench.StoreKind.allCases.flatMap { kind in
        [1, 1_000, 16_384, 70_001, 99_999].flatMap { count in
            [false, true].map { Row(kind: kind, count: count, isChunked: $0) }
        }
    }

    @Test("a response that the origin broke off is completed, and the client gets every byte once", arguments: rows)
    func originBreaksOff(_ row: Row) async throws {
        let bench = try Bench(row.kind)
        try await Self.breakOff(bench, Self.origin, after: row.count, isChunked: row.isChunked)
        let before = bench.transport.requests.count
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        let response = await bench.send("/a")
        let sent = try #require(bench.transport.requests.last).head.headerFields
        #expect(sent[.range] == "bytes=\(row.count)-")
        #expect(sent[.ifRange] == "\"1\"")
        #expect(sent[.ifNoneMatch] == nil)
        // "MUST NOT send a partial response to a client without explicitly marking it": this one is whole.
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.contentRange] == nil)
        #expect(response.head.headerFields[.contentLength] == "100000")
        let received = await Bench.received(response)
        #expect(received.bytes == Self.origin.body && received.isWhole)
        await bench.cache.waitForBackgroundWork()
        let again = await bench.send("/a")
        #expect(again.head.status == .ok && again.cacheStatus.isHit)
        #expect(again.head.headerFields[.contentLength] == "100000")
        #expect(try await again.body.collect(upTo: .mebibytes(1)) == Self.origin.body)
        #expect(bench.transport.requests.count == before + 1)
        #expect(try await bench.store.usage().bodies == 1)
    }

    @Test(
        "a rest that may not be stored completes the answer, and the stored beginning stays",
        arguments: [("no-store", CacheKind.private), ("private", .shared), ("private=\"x-a\"", .shared)])
    func unstorableRest(_ cacheControl: String, _ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        try await Self.breakOff(bench, Self.origin, after: 70_000)
        var origin = Self.origin
        origin.fields = [.cacheControl: cacheControl]
        let secret = origin
        let before = bench.transport.requests.count
        bench.transport.on(Bench.base + "/a") { secret.answer($0) }
        for _ in 0..<2 {
            let response = await bench.send("/a")
            #expect(response.head.status == .ok && !response.cacheStatus.isStored)
            #expect(await Bench.received(response).bytes == Self.origin.body)
            await bench.cache.waitForBackgroundWork()
            #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=70000-")
        }
        #expect(bench.transport.requests.count == before + 2)
    }

    @Test("§4.1: a response whose rest varies on everything is completed, and not stored")
    func variesOnEverything() async throws {
        let bench = try Bench()
        try await Self.breakOff(bench, Self.origin, after: 70_000)
        var origin = Self.origin
        origin.fields[.vary] = "*"
        let varying = origin
        let before = bench.transport.requests.count
        bench.transport.on(Bench.base + "/a") { varying.answer($0) }
        for count in 1...2 {
            #expect(await Bench.received(await bench.send("/a")).bytes == Self.origin.body)
            await bench.cache.waitForBackgroundWork()
            #expect(bench.transport.requests.count == before + count)
        }
    }

    @Test("a response that its client left is completed", arguments: Bench.StoreKind.allCases)
    func clientLeaves(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(
                200, [.cacheControl: "max-age=60", .eTag: "\"1\""], streaming: body, length: 100_000)
        }
        let source = await bench.send("/a").body.makeSource()
        body.send(Array(Self.origin.body[..<40_000]))
        var received = 0
        while received < 40_000, let piece = try await source.next() { received += piece.count }
        source.cancel()
        try await body.cancelled()
        await bench.cache.waitForBackgroundWork()
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        let whole = await Bench.received(await bench.send("/a"))
        #expect(whole.bytes == Self.origin.body && whole.isWhole)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=40000-")
    }

    @Test("a transfer that breaks off again and again is completed")
    func inSteps() async throws {
        let bench = try Bench(.disk)
        try await Self.breakOff(bench, Self.origin, after: 10_000)
        for start in stride(from: 10_000, to: 90_000, by: 20_000) {
            bench.transport.on(Bench.base + "/a") { _ in Self.origin.brokenPart(from: start, after: 20_000) }
            let before = bench.transport.requests.count
            let received = await Bench.received(await bench.send("/a"))
            #expect(received.bytes == Array(Self.origin.body[..<(start + 20_000)]) && !received.isWhole)
            // The second is that of the same exchange, which gets what it has.
            let ranges = bench.transport.requests[before...].map { $0.head.headerFields[.range] }
            #expect(ranges == ["bytes=\(start)-", "bytes=\(start + 20_000)-"])
            await bench.cache.waitForBackgroundWork()
        }
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == Self.origin.body && received.isWhole)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=90000-")
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: @Sendable () -> TransportResponse
        /// How many requests the origin gets until the client has the whole.
        var requests: Int
        var testDescription: String { name }
    }

    private static func part(
        _ range: Range<Int>, tag: String? = "\"1\"", of origin: RangeOrigin = origin
    ) -> @Sendable () -> TransportResponse {
        var changed = origin
        changed.tag = tag
        let fixed = changed
        return { fixed.part(range) }
    }

    private static let answers: [Answer] = [
        Answer(name: "the rest", answer: part(40_000..<100_000), requests: 1),
        Answer(name: "an earlier start", answer: part(39_999..<100_000), requests: 2),
        Answer(name: "a later start", answer: part(40_001..<100_000), requests: 2),
        Answer(name: "everything as a part", answer: part(0..<100_000), requests: 2),
        Answer(name: "only some of the rest", answer: part(40_000..<50_000), requests: 2),
        Answer(name: "another tag", answer: part(40_000..<100_000, tag: "\"2\"", of: other), requests: 2),
        Answer(name: "a weak tag", answer: part(40_000..<100_000, tag: "W/\"1\"", of: other), requests: 2),
        Answer(name: "no tag", answer: part(40_000..<100_000, tag: nil, of: other), requests: 2),
        Answer(
            name: "another complete length",
            answer: part(40_000..<100_001, of: RangeOrigin(body: PatternedContent.octets(100_001), tag: "\"1\"")),
            requests: 2),
        Answer(
            name: "no position",
            answer: { ScriptedTransport.answer(206, [.eTag: "\"1\""], body: Array(origin.body[40_000...])) },
            requests: 2),
        Answer(
            name: "416", answer: { ScriptedTransport.answer(416, [.contentRange: "bytes */40000"]) }, requests: 2),
        Answer(
            name: "the whole", answer: { ScriptedTransport.answer(200, [.eTag: "\"1\""], body: origin.body) },
            requests: 1),
    ]

    @Test("an answer that is not the rest is not used; the whole is requested instead", arguments: answers)
    func unexpected(_ row: Answer) async throws {
        let bench = try Bench()
        try await Self.breakOff(bench, Self.origin, after: 40_000)
        bench.transport.on(Bench.base + "/a") { request in
            request.head.headerFields[.range] == nil ? Self.origin.answer(request) : row.answer()
        }
        let before = bench.transport.requests.count
        let response = await bench.send("/a")
        #expect(response.head.status == .ok)
        let received = await Bench.received(response)
        #expect(received.bytes == Self.origin.body && received.isWhole)
        #expect(bench.transport.requests.count - before == row.requests)
        await bench.cache.waitForBackgroundWork()
        #expect(try await Self.storedWhole(bench) == Self.origin.body)
    }

    @Test("a representation that has changed meanwhile replaces the stored beginning")
    func changed() async throws {
        let bench = try Bench()
        try await Self.breakOff(bench, Self.origin, after: 40_000)
        let before = bench.transport.requests.count
        bench.transport.on(Bench.base + "/a") { Self.other.answer($0) }
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == Self.other.body && received.isWhole)
        #expect(bench.transport.requests.count == before + 1)
        await bench.cache.waitForBackgroundWork()
        #expect(try await Self.storedWhole(bench) == Self.other.body)
    }

    @Test(
        "an error to our own range is not the answer to a request without one (RFC 9111 §3.4: combining is optional)",
        arguments: [302, 400, 403, 404, 406, 412, 416, 500])
    func refused(status: Int) async throws {
        let bench = try Bench()
        try await Self.breakOff(bench, Self.origin, after: 40_000)
        bench.transport.on(Bench.base + "/a") { request in
            guard request.head.headerFields.contains(.range) else { return Self.origin.answer(request) }
            return ScriptedTransport.answer(status, [.cacheControl: "no-store"], body: "no ranges")
        }
        for _ in 0..<2 {
            let received = await Bench.received(await bench.send("/a"))
            #expect(received.bytes == Self.origin.body && received.isWhole)
            await bench.cache.waitForBackgroundWork()
        }
    }

    @Test("if the origin fails, the beginning stays for the next request, but answers none itself")
    func originFails() async throws {
        let bench = try Bench()
        try await Self.breakOff(bench, Self.origin, after: 40_000)
        bench.answer("/a", 503, [:], body: "down")
        #expect(try await bench.seen("/a", [.cacheControl: "stale-if-error=999"]) == Seen(503, "down", requests: 1))
        bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
        #expect(try await bench.seen("/a", [.cacheControl: "stale-if-error=999"]) == Seen(504, "", requests: 1))
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == Self.origin.body)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=40000-")
    }

    /// The bytes that a request for the whole gets from the store alone.
    private static func storedWhole(_ bench: Bench) async throws -> [UInt8] {
        let response = await bench.send("/a", context: ExchangeContext(mode: .onlyIfStored))
        #expect(response.head.status == .ok)
        return try await response.body.collect(upTo: .mebibytes(1))
    }
}
