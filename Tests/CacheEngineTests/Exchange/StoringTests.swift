import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3: which responses are stored, and how they come back", .timeLimit(.minutes(5)))
struct StoringTests {
    @Test("a miss is stored, then a hit with Age and Cache-Status", arguments: Bench.StoreKind.allCases)
    func missThenHit(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .contentType: "text/plain"], body: "hello")
        let (miss, missText) = try await bench.text("/a")
        #expect(missText == "hello")
        #expect(miss.head.headerFields[.age] == nil)
        #expect(miss.cacheStatus.description == "Larder; fwd=uri-miss; stored")
        try await bench.store.commits(atLeast: 1)
        bench.clock.advance(by: .seconds(20))
        let (hit, hitText) = try await bench.text("/a")
        #expect(hitText == "hello")
        #expect(hit.head.status == .ok)
        #expect(hit.head.headerFields[.age] == "20")
        #expect(hit.head.headerFields[.contentLength] == "5")
        #expect(hit.head.headerFields[.date] == "Tue, 14 Nov 2023 22:13:20 GMT")
        #expect(hit.cacheStatus.description == "Larder; hit; ttl=40")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("bodies of any size come back unchanged", arguments: Bench.StoreKind.allCases, [0, 1, 16_384, 300_000])
    func sizes(_ kind: Bench.StoreKind, _ size: Int) async throws {
        let bench = try Bench(kind)
        let text = String(repeating: "0123456789abcdef", count: size / 16) + String(repeating: "x", count: size % 16)
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: text)
        #expect(try await bench.text("/a").text == text)
        try await bench.store.commits(atLeast: 1)
        let (hit, hitText) = try await bench.text("/a")
        #expect(hitText == text)
        #expect(hit.head.headerFields[.contentLength] == String(size))
        #expect(hit.cacheStatus.isHit)
    }

    @Test(
        "a response that the request or the response forbids to store is not stored",
        arguments: [
            (request: [:], response: [.cacheControl: "no-store"], reason: .noStoreInResponse),
            (request: [.cacheControl: "no-store"], response: [.cacheControl: "max-age=60"], reason: .noStoreInRequest),
            (request: [:], response: [.cacheControl: "max-age=60", .vary: "*"], reason: .variesOnEverything),
        ] as [(request: HTTPFields, response: HTTPFields, reason: StoreDecision.Reason)])
    func notStored(_ row: (request: HTTPFields, response: HTTPFields, reason: StoreDecision.Reason)) async throws {
        let bench = try Bench()
        bench.answer("/a", 200, row.response, body: "x")
        #expect(try await bench.text("/a", row.request).response.cacheStatus.isStored == false)
        #expect(try await bench.text("/a", row.request).text == "x")
        #expect(bench.transport.requests.count == 2)
        #expect(bench.recorder.reports.map(\.notStored) == [row.reason, row.reason])
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("no-cache in the request goes to the origin, with the stored validator, and alone")
    func noCacheInRequest() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "x")
        try await bench.fill("/a")
        let (response, _) = try await bench.text("/a", [.cacheControl: "no-cache"])
        #expect(response.cacheStatus.forward == .request)
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
    }

    @Test("§4.1: each variant is stored, and found by the fields that Vary nominates")
    func variants() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { request in
            ScriptedTransport.answer(
                200, [.cacheControl: "max-age=60", .vary: "Accept-Language"],
                body: request.head.headerFields[.acceptLanguage] ?? "none")
        }
        for language in ["de", "en"] { try await bench.fill("/a", [.acceptLanguage: language]) }
        try await bench.fill("/a")
        #expect(bench.transport.requests.count == 3)
        for language in ["en", "de"] {
            let (response, text) = try await bench.text("/a", [.acceptLanguage: language])
            #expect(text == language && response.cacheStatus.isHit)
        }
        #expect(try await bench.text("/a").text == "none")
        let (other, _) = try await bench.text("/a", [.acceptLanguage: "fr"])
        #expect(other.cacheStatus.forward == .varyMiss)
    }

    @Test("§3.5: a shared cache stores no answer to Authorization, a private one does", arguments: CacheKind.allCases)
    func authorization(_ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "mine")
        let (response, _) = try await bench.text("/a", [.authorization: "Bearer x"])
        #expect(response.cacheStatus.isStored == (kind == .private))
        if kind == .private { try await bench.store.commits(atLeast: 1) }
        let (second, _) = try await bench.text("/a", [.authorization: "Bearer x"])
        #expect(second.cacheStatus.isHit == (kind == .private))
    }

    @Test("one partition never sees another's stored responses")
    func partitions() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "mine")
        try await bench.fill("/a", context: ExchangeContext(partition: "one"))
        let (response, _) = try await bench.text("/a", context: ExchangeContext(partition: "two"))
        #expect(response.cacheStatus.forward == .uriMiss)
        #expect(try await bench.text("/a", context: ExchangeContext(partition: "one")).response.cacheStatus.isHit)
    }

    @Test("RFC 9110 §9.3.1: a GET with content is neither answered from the store nor stored")
    func getWithContent() async throws {
        let bench = try Bench()
        bench.answer("/search", 200, [.cacheControl: "max-age=60"], body: "all")
        try await bench.fill("/search")
        for _ in 0..<2 {
            let body = RequestBody(ScriptedBody([Array("{\"q\":1}".utf8)]), length: 7)
            let response = await bench.send("/search", body: body)
            #expect(try await Bench.read(response) == "all")
            #expect(response.cacheStatus.description == "Larder; fwd=bypass")
        }
        #expect(bench.transport.requests.count == 3)
    }

    @Test("a response without content is stored at once and its report is complete", arguments: [204, 404])
    func withoutContent(_ status: Int) async throws {
        let bench = try Bench()
        bench.answer("/a", status, [.cacheControl: "max-age=60"])
        let response = await bench.send("/a")
        // As proxies do with a response without content.
        if status == 204 { response.body.makeSource().cancel() } else { _ = try await Bench.read(response) }
        try await bench.store.commits(atLeast: 1)
        #expect(try await bench.text("/a").response.cacheStatus.isHit)
        #expect(bench.recorder.reports.map(\.isComplete) == [true, true])
    }

    @Test("§4: HEAD is answered from a stored GET, without content", arguments: Bench.StoreKind.allCases)
    func head(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: String(repeating: "x", count: 40_000))
        try await bench.fill("/a")
        let (response, text) = try await bench.text("/a", method: .head)
        #expect(response.cacheStatus.isHit && text.isEmpty)
        #expect(response.head.headerFields[.contentLength] == "40000")
    }

    @Test("HEAD that misses is forwarded as HEAD, not stored, and reported as complete")
    func headMiss() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in
            var answer = ScriptedTransport.answer(200, [.cacheControl: "max-age=60"])
            answer.head.headerFields[.contentLength] = "5"
            return answer
        }
        let (response, text) = try await bench.text("/a", method: .head)
        #expect(text.isEmpty && response.head.headerFields[.contentLength] == "5")
        #expect(bench.transport.requests.first?.head.method == .head)
        #expect(bench.recorder.reports.map(\.isComplete) == [true])
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("§3.3: a response that breaks off is an error and not stored", arguments: Bench.StoreKind.allCases)
    func truncated(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: body, length: 10)
        }
        let response = await bench.send("/a")
        body.send("01234")
        body.end(throwing: TransportError(code: .closedEarly, message: "cut"))
        let source = response.body.makeSource()
        #expect(try await source.next() == Array("01234".utf8))
        await #expect(throws: TransportError.self) { try await source.next() }
        await bench.landed("/a")
        #expect(bench.store.commits == 0)
        #expect(bench.recorder.reports.map(\.isComplete) == [false])
    }

    @Test("RFC 9112 §6.3: a body that ends before its stated length is an error, and not stored")
    func wrongLength() async throws {
        let bench = try Bench()
        for (path, text) in [("/short", "1234"), ("/long", "123456")] {
            bench.transport.on(Bench.base + path) { _ in
                let body = ScriptedBody([Array(text.utf8)])
                return ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: body, length: 5)
            }
        }
        await #expect(throws: TransportError.self) { try await bench.text("/short") }
        #expect(try await bench.text("/long").text == "12345")
        await bench.cache.waitForBackgroundWork()
        #expect(bench.store.commits == 1)
        let (hit, text) = try await bench.text("/long")
        #expect(hit.cacheStatus.isHit && text == "12345")
    }

    @Test(
        "if the store fails, the response is not stored, but still delivered",
        arguments: [.looking, .receiving, .appending(beyond: 100), .committing] as [FaultyStorage.Fault])
    func failingStore(_ fault: FaultyStorage.Fault) async throws {
        let bench = try Bench(.disk)
        bench.store.setFault(fault)
        let pieces = (0..<40).map { [UInt8](repeating: UInt8($0), count: 70_000) }
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: ScriptedBody(pieces))
        }
        let response = await bench.send("/a")
        #expect(try await response.body.collect(upTo: .mebibytes(8)) == pieces.joinedOctets())
        await bench.landed("/a")
        bench.store.setFault(nil)
        #expect(try await bench.store.usage().entries == (fault == .looking ? 1 : 0))
        let report = try #require(try await bench.recorder.reports(atLeast: 1).first)
        #expect(report.isComplete && bench.recorder.reports.count == 1)
        // The client has what was not stored; the report knows better than `Cache-Status`, which was sent before.
        let isStored = fault == .looking
        #expect(report.outcome == (isStored ? .stored : .forwarded) && report.cacheStatus.isStored == isStored)
        #expect(report.storeFailure?.code == (isStored ? nil : .writeFailed) && report.notStored == nil)
    }

    @Test("a client that pauses while the store fails and others wait gets the rest by a request of its own")
    func leftBehind() async throws {
        let bench = try Bench(.disk)
        bench.store.setFault(.appending(beyond: 100))
        let pieces = (0..<60).map { [UInt8](repeating: UInt8($0), count: 70_000) }
        let all = pieces.joinedOctets()
        let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]
        let whole = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { request in
            guard let range = request.head.headerFields[.range] else {
                return ScriptedTransport.answer(200, fields, streaming: whole, length: Int64(all.count))
            }
            let start = try #require(Int(range.dropFirst(6).dropLast()))
            var partial = fields
            partial[.contentRange] = "bytes \(start)-\(all.count - 1)/\(all.count)"
            #expect(request.head.headerFields[.ifRange] == "\"1\"")
            let rest = ScriptedBody([Array(all[start...])])
            return ScriptedTransport.answer(206, partial, streaming: rest, length: Int64(all.count - start))
        }
        let slow = await bench.send("/a").body.makeSource()
        let fast = await bench.send("/a")
        #expect(fast.cacheStatus.isCollapsed)
        pieces.forEach(whole.send)
        whole.end()
        var got = try #require(try await slow.next())
        let time = Task {
            for count in 1... {
                try await bench.clock.sleepers(atLeast: count)
                bench.clock.advance(by: SpooledBody.patience)
            }
        }
        #expect(try await fast.body.collect(upTo: .mebibytes(8)) == all)
        time.cancel()
        while let piece = try await slow.next() { got += piece }
        #expect(got == all)
        #expect(bench.transport.requests.count == 2)
    }

    @Test(
        "a response without content that can't be stored is reported so",
        arguments: [.receiving, .committing] as [FaultyStorage.Fault])
    func failingStoreWithoutContent(_ fault: FaultyStorage.Fault) async throws {
        let bench = try Bench()
        bench.store.setFault(fault)
        bench.answer("/a", 204, [.cacheControl: "max-age=60"])
        #expect(await bench.send("/a").cacheStatus.isStored == false)
        let report = try #require(bench.recorder.reports.first)
        #expect(report.outcome == .forwarded && report.storeFailure?.code == .writeFailed)
    }

    @Test("a response whose key is removed while it arrives is not reported as stored, and the store is not blamed")
    func removedMeanwhile() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: body)
        }
        let response = await bench.send("/a")
        #expect(response.cacheStatus.isStored)
        _ = try await bench.store.removeEntries(for: bench.key("/a"))
        body.send("late")
        body.end()
        _ = try await Bench.read(response)
        let report = try #require(try await bench.recorder.reports(atLeast: 1).first)
        #expect(report.outcome == .forwarded && !report.cacheStatus.isStored && report.storeFailure == nil)
    }
}
