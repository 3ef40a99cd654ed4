import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.3, §3.4: parts that meet others, or break off", .timeLimit(.minutes(5)))
struct OverlappingPartTests {
    @Test("a client that leaves while the rest is fetched does not harm the stored part")
    func leavesDuringResumption() async throws {
        let bench = try Bench(.disk)
        bench.transport.on(Bench.base + "/a") { _ in PartOrigins.old.broken(after: 70_000) }
        _ = await Bench.received(await bench.send("/a"))
        await bench.cache.waitForBackgroundWork()
        let rest = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(
                206, [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentRange: "bytes 70000-99999/100000"],
                streaming: rest, length: 30_000)
        }
        let source = await bench.send("/a").body.makeSource()
        _ = try await source.next()
        source.cancel()
        try await rest.cancelled()
        await bench.cache.waitForBackgroundWork()
        bench.transport.on(Bench.base + "/a") { PartOrigins.old.answer($0) }
        let whole = await Bench.received(await bench.send("/a"))
        #expect(whole.bytes == PartOrigins.old.body && whole.isWhole)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=70000-")
    }

    @Test("a new response that broke off does not keep the old whole from answering without the origin")
    func replacementBreaksOff() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { PartOrigins.old.answer($0) }
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a") { _ in PartOrigins.new.broken(after: 40_000) }
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == Array(PartOrigins.new.body[..<40_000]) && !received.isWhole)
        await bench.cache.waitForBackgroundWork()
        bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
        let response = await bench.send("/a")
        // RFC 9111 §4.2.4: stale, and the cache is disconnected.
        #expect(response.head.status == .ok && response.head.headerFields[.eTag] == "\"1\"")
        #expect(try await PartOrigins.bytes(response) == PartOrigins.old.body)
    }

    @Test(
        "a range that is stored while the whole arrives leaves the whole its place",
        arguments: Bench.StoreKind.allCases)
    func rangeDuringDownload(_ kind: Bench.StoreKind) async throws {
        for range in ["bytes=0-9", "bytes=50000-50009", "bytes=99990-"] {
            let bench = try Bench(kind)
            let body = ScriptedBody()
            bench.transport.on(Bench.base + "/a") { request in
                guard request.head.headerFields[.range] == nil else { return PartOrigins.old.answer(request) }
                return ScriptedTransport.answer(
                    200, [.cacheControl: "max-age=60", .eTag: "\"1\""], streaming: body, length: 100_000)
            }
            let whole = await bench.send("/a")
            bench.clock.advance(by: .seconds(1))
            let part = await bench.send("/a", [.range: range])
            #expect(part.head.status == .partialContent)
            _ = try await PartOrigins.bytes(part)
            try await bench.store.commits(atLeast: 1)
            body.send(PartOrigins.old.body)
            body.end()
            #expect(try await PartOrigins.bytes(whole) == PartOrigins.old.body)
            await bench.cache.waitForBackgroundWork()
            let later = await bench.send("/a", context: ExchangeContext(mode: .onlyIfStored))
            #expect(later.head.status == .ok, "\(range)")
            if later.head.status == .ok { #expect(try await PartOrigins.bytes(later) == PartOrigins.old.body) }
        }
    }

    @Test("RFC 9110 §15.3.7: an answer to If-Range has not all fields, so it answers nobody else with those alone")
    func partWithoutType() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { request in
            let short: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
            var origin = RangeOrigin(body: PartOrigins.old.body, tag: "\"1\"", fields: short)
            if request.head.headerFields[.ifRange] == nil {
                origin.fields[.contentType] = "text/css"
                origin.fields[.contentEncoding] = "gzip"
            }
            return origin.answer(request)
        }
        let asked: HTTPFields = [.range: "bytes=0-9", .ifRange: "\"1\"", .acceptEncoding: "gzip"]
        #expect(try await bench.seen("/a", asked).requests == 1)
        func fields(_ range: String) async throws -> (HTTPFields, Int) {
            let before = bench.transport.requests.count
            let answer = await bench.send("/a", [.range: range, .acceptEncoding: "gzip"])
            _ = try await PartOrigins.bytes(answer)
            await bench.cache.waitForBackgroundWork()
            return (answer.head.headerFields, bench.transport.requests.count - before)
        }
        // It was not stored, because nothing says what it is a part of.
        #expect(try await fields("bytes=0-9").1 == 1)
        // Now something does.
        let more: HTTPFields = [.range: "bytes=10-19", .ifRange: "\"1\"", .acceptEncoding: "gzip"]
        #expect(try await bench.seen("/a", more).requests == 1)
        let (joined, requests) = try await fields("bytes=0-19")
        #expect(requests == 0 && joined[.contentType] == "text/css" && joined[.contentEncoding] == "gzip")
    }

    @Test("two concurrent ranges are both stored", arguments: Bench.StoreKind.allCases)
    func twoAtOnce(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let bodies = [ScriptedBody(), ScriptedBody()]
        let ranges = [0..<40_000, 40_000..<100_000]
        bench.transport.on(Bench.base + "/a") { request in
            let number = request.head.headerFields[.range] == "bytes=0-39999" ? 0 : 1
            let last = ranges[number].upperBound - 1
            return ScriptedTransport.answer(
                206,
                [
                    .cacheControl: "max-age=60", .eTag: "\"1\"",
                    .contentRange: "bytes \(ranges[number].lowerBound)-\(last)/100000",
                ], streaming: bodies[number], length: Int64(ranges[number].count))
        }
        let responses = [
            await bench.send("/a", [.range: "bytes=0-39999"]), await bench.send("/a", [.range: "bytes=40000-"]),
        ]
        for (body, range) in zip(bodies, ranges) {
            body.send(Array(PartOrigins.old.body[range]))
            body.end()
        }
        for (response, range) in zip(responses, ranges) {
            #expect(try await PartOrigins.bytes(response) == Array(PartOrigins.old.body[range]))
        }
        await bench.cache.waitForBackgroundWork()
        let whole = await bench.send("/a", context: ExchangeContext(mode: .onlyIfStored))
        #expect(whole.head.status == .ok)
        if whole.head.status == .ok { #expect(try await PartOrigins.bytes(whole) == PartOrigins.old.body) }
    }

    @Test("parts that overlap and differ under one strong tag are not joined: the newer one is kept alone")
    func differing() async throws {
        let other = RangeOrigin(body: PartOrigins.new.body, tag: "\"1\"")
        let bench = try await PartOrigins.bench("bytes=0-49999", now: other)
        _ = try await bench.seen("/a", [.range: "bytes=40000-69999"])
        let stored = try #require(try await bench.store.entries(for: bench.key("/a")).first)
        #expect(stored.response.extent == .partial([40_000..<70_000], completeLength: 100_000))
        let response = await bench.send("/a", [.range: "bytes=45000-59999"])
        #expect(try await PartOrigins.bytes(response) == Array(other.body[45_000..<60_000]))
    }

    @Test("parts that arrived out of order answer a range across them, and the rest can be requested")
    func outOfOrder() async throws {
        let bench = try await PartOrigins.bench("bytes=40000-69999", now: PartOrigins.old)
        for range in ["bytes=20000-39999", "bytes=0-24999"] { _ = try await bench.seen("/a", [.range: range]) }
        bench.transport.on(Bench.base + "/a") { request in
            #expect(request.head.headerFields[.range] == "bytes=70000-")
            return PartOrigins.old.answer(request)
        }
        let part = await bench.send("/a", [.range: "bytes=10000-65000"])
        #expect(part.head.status == .partialContent && part.cacheStatus.isHit)
        #expect(part.body.length == 55_001)
        #expect(try await PartOrigins.bytes(part) == Array(PartOrigins.old.body[10_000...65_000]))
        let whole = try await bench.seen("/a")
        #expect(whole.status == 200)
        let stored = try #require(try await bench.store.entries(for: bench.key("/a")).first)
        #expect(stored.response.extent == .complete && stored.bodyLength.bytes == 100_000)
        #expect(try await PartOrigins.bytes(await bench.send("/a")) == PartOrigins.old.body)
    }

    @Test("a part that is being joined while the whole arrives does not replace the whole")
    func joinedMeanwhile() async throws {
        let bench = try await PartOrigins.bench("bytes=0-9", now: PartOrigins.old)
        let gate = Gate()
        let cache = ResponseCache(
            store: GatedStore(base: bench.store, gate: gate), transport: bench.transport,
            configuration: .init(clock: bench.clock.engineClock))
        func request(_ fields: HTTPFields, _ mode: CacheMode) -> EngineRequest {
            EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "example.com", path: "/a", headerFields: fields),
                context: ExchangeContext(mode: mode))
        }
        // The part has arrived, and waits to be joined with the stored one.
        _ = try await PartOrigins.bytes(await cache.respond(to: request([.range: "bytes=10-19"], .reload)))
        try await gate.arrivals(1)
        let whole = try await PartOrigins.bytes(await cache.respond(to: request([:], .reload)))
        #expect(whole == PartOrigins.old.body)
        // Enough turns for a commit that does not wait.
        for _ in 0..<2_000 { await Task.yield() }
        gate.open()
        await cache.waitForBackgroundWork()
        let stored = try #require(try await bench.store.entries(for: bench.key("/a")).first)
        #expect(stored.response.extent == .complete && stored.bodyLength.bytes == 100_000)
    }

    @Test("§4.4: a response that is still arriving when its URI is invalidated is not stored")
    func invalidatedWhileArriving() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { request in
            request.head.method == .put
                ? ScriptedTransport.answer(204)
                : ScriptedTransport.answer(
                    206, [.cacheControl: "max-age=60", .eTag: "\"1\"", .contentRange: "bytes 0-9/100"],
                    streaming: body, length: 10)
        }
        let part = await bench.send("/a", [.range: "bytes=0-9"])
        _ = try await bench.text("/a", method: .put)
        body.send("0123456789")
        body.end()
        #expect(try await Bench.read(part) == "0123456789")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("a part that can't be stored leaves the stored parts")
    func storeFails() async throws {
        let bench = try await PartOrigins.bench("bytes=0-9", now: PartOrigins.old)
        bench.store.setFault(.committing)
        #expect(try await bench.seen("/a", [.range: "bytes=10-19"]).status == 206)
        bench.store.setFault(nil)
        #expect(try await bench.seen("/a", [.range: "bytes=0-9"]).requests == 0)
        #expect(try await bench.seen("/a", [.range: "bytes=10-19"]).requests == 1)
        #expect(try await bench.seen("/a", [.range: "bytes=0-19"]).requests == 0)
    }

    @Test("an unrequested 206 is not given to waiting requests as if it were the whole")
    func unaskedPart() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return PartOrigins.old.part(0..<10)
        }
        let answers = await withTaskGroup(of: EngineResponse.self) { group in
            for _ in 0..<5 { group.addTask { await bench.send("/a") } }
            try? await gate.arrivals(1)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        for answer in answers {
            // §3.3: "MUST NOT send a partial response to a client without explicitly marking it".
            #expect(answer.head.status == .partialContent)
            #expect(answer.head.headerFields[.contentRange] == "bytes 0-9/100000")
            #expect(try await PartOrigins.bytes(answer) == Array(PartOrigins.old.body[..<10]))
        }
    }
}
