import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4: collapsed forwarding", .timeLimit(.minutes(5)))
struct CollapsingTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60"]

    /// Starts this many requests and returns their answers, which all have a head before any has its whole body.
    private func heads(
        _ count: Int, _ bench: Bench, _ fields: HTTPFields = [:]
    ) async -> [EngineResponse] {
        await withTaskGroup(of: EngineResponse.self) { group in
            for _ in 0..<count { group.addTask { await bench.send("/a", fields) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("a hundred concurrent requests are one request to the origin", arguments: Bench.StoreKind.allCases)
    func hundred(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in ScriptedTransport.answer(200, Self.fresh, streaming: body) }
        let answers = await heads(100, bench)
        let pieces = (0..<5).map { [UInt8](repeating: UInt8($0), count: 30_000) }
        for piece in pieces { body.send(piece) }
        body.end()
        for answer in answers {
            #expect(try await answer.body.collect(upTo: .mebibytes(1)) == pieces.joinedOctets())
        }
        #expect(bench.transport.requests.count == 1)
        let reports = try await bench.recorder.reports(atLeast: 100)
        #expect(reports.filter { $0.outcome == .stored }.count == 1)
        #expect(reports.filter { $0.outcome == .collapsed }.count == 99)
        let collapsed = answers.filter(\.cacheStatus.isCollapsed)
        #expect(collapsed.allSatisfy { $0.cacheStatus.description == "Larder; fwd=uri-miss; collapsed" })
        #expect(collapsed.allSatisfy { $0.head.headerFields[.age] == "0" })
        try await bench.store.commits(atLeast: 1)
        #expect(try await bench.text("/a").response.cacheStatus.isHit)
    }

    @Test("a stale response is validated once for all concurrent requests")
    func oneValidation() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "x")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.text("/a").text } }
            try await gate.arrivals(1)
            gate.open()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "x", count: 20))
        #expect(bench.transport.requests.count == 2)
    }

    @Test(
        "requests that must not share are forwarded alone",
        arguments: [
            [.acceptLanguage: "fr"], [.authorization: "Bearer x"], [.cacheControl: "no-cache"],
            [.cacheControl: "no-store"], [.range: "bytes=0-1"], [.ifNoneMatch: "\"7\""],
        ] as [HTTPFields])
    func alone(_ fields: HTTPFields) async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        let varying: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept-Language"]
        bench.transport.on(Bench.base + "/a") { request in
            request.head.headerFields == [:]
                ? ScriptedTransport.answer(200, varying, streaming: body)
                : ScriptedTransport.answer(200, varying, body: "own")
        }
        let first = await bench.send("/a")
        let (response, text) = try await bench.text("/a", fields)
        #expect(text == "own" && !response.cacheStatus.isCollapsed)
        #expect(bench.transport.requests.count == 2)
        body.end()
        #expect(try await Bench.read(first).isEmpty)
    }

    @Test("another partition's request is forwarded alone")
    func otherPartition() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            bench.transport.requests.count == 1
                ? ScriptedTransport.answer(200, Self.fresh, streaming: body)
                : ScriptedTransport.answer(200, Self.fresh, body: "theirs")
        }
        let first = await bench.send("/a", context: ExchangeContext(partition: "one"))
        #expect(try await bench.text("/a", context: ExchangeContext(partition: "two")).text == "theirs")
        body.send("mine")
        body.end()
        #expect(try await Bench.read(first) == "mine")
    }

    @Test("requests for a key with unshareable answers do not wait, until an answer can be shared")
    func unshareable() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "no-store"], body: "own")
        #expect(try await bench.text("/a").text == "own")
        let bodies = [ScriptedBody(), ScriptedBody()]
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.fresh, streaming: bodies[min(1, bench.transport.requests.count - 2)])
        }
        // This one is forwarded alone; only its answer shows that it could have been shared.
        let learning = await bench.send("/a")
        let answers = await heads(10, bench)
        #expect(bench.transport.requests.count == 3)
        #expect(answers.filter(\.cacheStatus.isCollapsed).count == 9)
        for body in bodies { body.end() }
        for answer in answers + [learning] { _ = try await Bench.read(answer) }
    }

    @Test("if the first client leaves before its answer, another one takes its place")
    func leaderLeavesEarly() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            if bench.transport.requests.count == 1 { try await gate.pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: "x")
        }
        let leader = Task { await bench.send("/a") }
        try await gate.arrivals(1)
        let followers = (0..<10).map { _ in Task { try await bench.text("/a").text } }
        leader.cancel()
        for follower in followers { #expect(try await follower.value == "x") }
        #expect(await leader.value.failure?.code == .cancelled)
        #expect(bench.transport.requests.count == 2)
    }

    @Test("a waiting client that leaves does not wait for the first one's answer")
    func followerLeaves() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, Self.fresh, body: "x")
        }
        let leader = Task { try await bench.text("/a").text }
        try await gate.arrivals(1)
        let follower = Task { await bench.send("/a") }
        follower.cancel()
        #expect(await follower.value.failure?.code == .cancelled)
        gate.open()
        #expect(try await leader.value == "x")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("if the first client leaves in the middle, the others go on")
    func leaderLeavesLate() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in ScriptedTransport.answer(200, Self.fresh, streaming: body) }
        let leader = await bench.send("/a")
        let follower = await bench.send("/a")
        body.send("one")
        let leaderSource = leader.body.makeSource()
        #expect(try await leaderSource.next() == Array("one".utf8))
        leaderSource.cancel()
        body.send("two")
        body.end()
        #expect(try await Bench.read(follower) == "onetwo")
        #expect(!body.isCancelled)
        try await bench.store.commits(atLeast: 1)
        #expect(try await bench.text("/a").text == "onetwo")
    }

    @Test("if the last client leaves, the transfer stops, even while the origin is silent")
    func lastLeaves() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            bench.transport.requests.count == 1
                ? ScriptedTransport.answer(200, Self.fresh, streaming: body)
                : ScriptedTransport.answer(200, Self.fresh, body: "again")
        }
        let answers = await heads(2, bench)
        try await body.pulls(atLeast: 1)
        for answer in answers { answer.body.makeSource().cancel() }
        try await body.cancelled()
        #expect(try await bench.text("/a").text == "again")
        #expect(try await bench.recorder.reports(atLeast: 3).map(\.isComplete) == [false, false, true])
    }

    @Test("a request that joins a transfer without readers starts a new one, which others can share")
    func deadTransfer() async throws {
        let bench = try Bench()
        let key = bench.key("/a")
        // A flight whose last reader has left, but which has not ended yet.
        guard case .first(let flight) = bench.cache.flights.join(key, lookedUpAt: 0) else {
            Issue.record("nothing is in flight yet")
            return
        }
        let spool = SpooledBody(try bench.store.makePendingBody(), sleep: bench.clock.sleep)
        spool.makeReader()?.cancel()
        let stored = StoredResponse(
            status: .ok, fields: Self.fresh, requestTime: bench.clock.now, responseTime: bench.clock.now)
        flight.publish(.arriving(stored, spool, since: nil))
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in ScriptedTransport.answer(200, Self.fresh, streaming: body) }
        let answers = await heads(5, bench)
        #expect(bench.transport.requests.count == 1)
        body.send("x")
        body.end()
        for answer in answers { #expect(try await Bench.read(answer) == "x") }
    }

    @Test("if a client leaves after the last byte, but before the end, the response is stored")
    func leavesAtTheEnd() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.fresh, streaming: body, length: 3)
        }
        let source = await bench.send("/a").body.makeSource()
        body.send("abc")
        #expect(try await source.next() == Array("abc".utf8))
        source.cancel()
        body.end()
        try await bench.store.commits(atLeast: 1)
        #expect(try await bench.text("/a").text == "abc")
    }

    @Test("each client gets an error answer of its own")
    func failure() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            throw TransportError(code: .certificateUntrusted, message: "bad")
        }
        let followers = (0..<5).map { _ in Task { await bench.send("/a").head.status } }
        try await gate.arrivals(1)
        gate.open()
        for follower in followers { #expect(await follower.value == .badGateway) }
    }
}
