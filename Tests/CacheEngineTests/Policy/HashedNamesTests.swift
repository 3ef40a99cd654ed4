import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("A hashed name is believed as long as its bytes stay the same", .timeLimit(.minutes(5)))
struct HashedNamesTests {
    private static let path = "/assets/app.5d60c2ed348e2db0.js"
    private static let fields: HTTPFields = [.contentType: "text/javascript", .eTag: "\"1\""]

    private func bench(_ kind: Bench.StoreKind = .memory, samples: Bool = true) async throws -> Bench {
        let bench = try Bench(kind, rules: .webViewDefaults) { $0.samplesHashedNames = samples }
        bench.answer(Self.path, 200, Self.fields, body: "one")
        try await bench.fill(Self.path)
        return bench
    }

    private func use(_ bench: Bench) async throws -> EngineResponse {
        let response = try await bench.text(Self.path).response
        await bench.cache.waitForBackgroundWork()
        return response
    }

    @Test("the bytes behind a name are remembered after the response is gone, and changed ones are noticed")
    func remembered() async throws {
        for kind in Bench.StoreKind.allCases {
            let bench = try await bench(kind)
            // Removed as by eviction, not on request.
            try await bench.store.removeEntries(for: bench.key(Self.path))
            bench.answer(Self.path, 200, Self.fields, body: "two")
            try await bench.fill(Self.path)
            #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
            #expect(bench.recorder.reports.map(\.breaksHashedName) == [false, true])
            // Another engine on the same store knows the distrust, too.
            let other = ResponseCache(
                store: bench.store, transport: bench.transport,
                configuration: .init(rules: .webViewDefaults, clock: bench.clock.engineClock))
            #expect(other.hostsWithBrokenHashes == ["example.com"])
            try await bench.cache.remove(.everything)
            #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
        }
    }

    @Test("two engines, as of two processes, on one store: what one learns holds in the other at its next request")
    func twoEngines() async throws {
        let folder = try TemporaryDirectory()
        let (clock, transport) = (ManualClock(), ScriptedTransport())
        let stores = try (0..<2).map { _ in try DiskResponseStore(directory: folder.store, durability: .process) }
        func engine(_ store: DiskResponseStore) -> ResponseCache {
            ResponseCache(
                store: store, transport: transport,
                configuration: .init(rules: .webViewDefaults, clock: clock.engineClock))
        }
        let other = "/assets/vendor.7c60c2ed348e2db1.js"
        for path in [Self.path, other] {
            transport.on(Bench.base + path) { request in
                ScriptedTransport.answer(200, Self.fields, body: request.head.path ?? "")
            }
        }
        let (first, second) = (engine(stores[0]), engine(stores[1]))
        func ask(_ cache: ResponseCache, _ path: String) async throws -> EngineResponse {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)
            let answer = await cache.respond(to: EngineRequest(head: head))
            _ = try await Bench.read(answer)
            await cache.waitForCommits()
            return answer
        }
        for path in [Self.path, other] { _ = try await ask(second, path) }
        for path in [Self.path, other] { #expect(try await ask(second, path).cacheStatus.detail == "hashed-name") }
        try await stores[0].distrust("example.com", at: clock.now)
        #expect(try await ask(second, other).cacheStatus.detail == "static-script")
        #expect(second.hostsWithBrokenHashes == ["example.com"])
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: other)
        #expect(
            await first.explain(EngineRequest(head: head)).answer == second.explain(EngineRequest(head: head)).answer)
    }

    @Test("what was caught long ago is not learned, and takes no fresh distrust away")
    func learning() {
        let (now, policy) = (
            WallInstant(sinceEpoch: .seconds(1_700_000_000)), RulesInForce(.webViewDefaults, distrustedHosts: [:])
        )
        policy.distrust("new.example", since: now, at: now)
        let generation = policy.generation
        let old = WallInstant(sinceEpoch: .seconds(1_699_000_000))
        #expect(!policy.learnDistrust(of: "old.example", since: old, at: now))
        #expect(policy.generation == generation)
        #expect(policy.snapshot(for: "new.example", at: now).distrustsHashedNames)
        let earlier = WallInstant(sinceEpoch: .seconds(1_699_996_400))
        #expect(policy.learnDistrust(of: "other.example", since: earlier, at: now))
        #expect(!policy.learnDistrust(of: "other.example", since: earlier, at: now))
        for host in ["new.example", "other.example"] {
            #expect(policy.snapshot(for: host, at: now).distrustsHashedNames, "\(host)")
        }
    }

    @Test("other content codings and nominated fields may have other bytes and break no promise")
    func variants() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.transport.on(Bench.base + Self.path) { request in
            var fields = Self.fields
            fields[.vary] = "Accept-Encoding, Accept"
            fields[.contentEncoding] = request.head.headerFields[.acceptEncoding]
            let body = "\(request.head.headerFields[.acceptEncoding] ?? "") \(request.head.headerFields[.accept] ?? "")"
            return ScriptedTransport.answer(200, fields, body: body)
        }
        try await bench.fill(Self.path)
        try await bench.fill(Self.path, [.acceptEncoding: "gzip"])
        try await bench.fill(Self.path, [.acceptEncoding: "gzip", .accept: "image/avif"])
        #expect(bench.cache.hostsWithBrokenHashes.isEmpty)
        #expect(bench.recorder.reports.map(\.breaksHashedName) == [false, false, false])
    }

    @Test("the report for a hashed name waits until the bytes are compared or dropped, but has the reader's times")
    func reportWaits() async throws {
        let bench = try await bench()
        for (hasEnd, text) in [(true, "two"), (false, "tw")] {
            try await bench.store.removeEntries(for: bench.key(Self.path))
            let body = ScriptedBody()
            bench.transport.on(Bench.base + Self.path) { _ in
                ScriptedTransport.answer(200, Self.fields, streaming: body, length: 3)
            }
            let count = bench.recorder.reports.count
            let source = await bench.send(Self.path).body.makeSource()
            body.send(text)
            #expect(try await source.next() == Array(text.utf8))
            bench.clock.advance(by: .seconds(1))
            // The reader has all that it wants, but the storing has to end as well.
            source.cancel()
            bench.clock.advance(by: .seconds(1))
            if hasEnd {
                #expect(bench.recorder.reports.count == count)
                body.end()
            }
            await bench.cache.waitForBackgroundWork()
            let report = try #require(bench.recorder.reports.dropFirst(count).first)
            #expect(bench.recorder.reports.count == count + 1)
            #expect(report.breaksHashedName == hasEnd && report.isComplete == hasEnd)
            #expect(report.duration == .seconds(1) && report.bodyBytes == Int64(text.utf8.count))
        }
    }

    @Test("the first use after a day is compared with the origin's, then one use in 200; the answer never waits")
    func samples() async throws {
        let bench = try await bench()
        bench.clock.advance(by: .seconds(86_399))
        #expect(try await use(bench).cacheStatus.isHit)
        #expect(bench.transport.requests.count == 1)
        bench.clock.advance(by: .seconds(1))
        bench.answer(Self.path, 304, [.eTag: "\"1\""])
        #expect(try await use(bench).cacheStatus.isHit)
        #expect(bench.transport.requests.count == 2)
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        // The 304 has made it young again.
        for _ in 1...199 { _ = try await use(bench) }
        #expect(bench.transport.requests.count == 2)
        _ = try await use(bench)
        #expect(bench.transport.requests.count == 3)
    }

    @Test("a sample that finds changed bytes ends the privilege, and the old ones are not served again")
    func sampleFindsOthers() async throws {
        let bench = try await bench(.disk)
        bench.clock.advance(by: .seconds(86_400))
        bench.answer(Self.path, 200, Self.fields, body: "two")
        let (response, text) = try await bench.text(Self.path)
        #expect(response.cacheStatus.isHit && text == "one")
        await bench.cache.waitForBackgroundWork()
        // The sample may be reported before the answer.
        let reports = bench.recorder.reports
        #expect(reports.filter(\.isBackground).map(\.breaksHashedName) == [true])
        #expect(reports.filter { !$0.isBackground }.map(\.breaksHashedName) == [false, false])
        #expect(bench.cache.hostsWithBrokenHashes == ["example.com"])
        #expect(try await bench.text(Self.path).text == "two")
        #expect(try await bench.text(Self.path, context: Bench.disconnected).text == "two")
    }

    @Test("nothing is compared when sampling is off, without a network, for HEAD, or under other rules")
    func noSamples() async throws {
        let bench = try await bench(samples: false)
        bench.clock.advance(by: .seconds(86_400))
        _ = try await use(bench)
        #expect(bench.transport.requests.count == 1)

        let other = try await self.bench()
        other.clock.advance(by: .seconds(86_400))
        _ = try await other.text(Self.path, context: Bench.disconnected)
        _ = try await other.text(Self.path, method: .head)
        other.cache.rules = RuleList([Rule("for-good", .permanent)])
        _ = try await other.text(Self.path)
        await other.cache.waitForBackgroundWork()
        #expect(other.transport.requests.count == 1)
    }

    @Test("a request that accepts only a stored response sends no sample; the next request does")
    func samplesOfStoredOnly() async throws {
        for mode in [CacheMode.protocolDefault, .onlyIfStored] {
            let bench = try await bench()
            bench.clock.advance(by: .seconds(86_400))
            let fields: HTTPFields = mode == .onlyIfStored ? [:] : [.cacheControl: "only-if-cached"]
            var context = ExchangeContext()
            context.mode = mode
            #expect(try await bench.text(Self.path, fields, context: context).response.cacheStatus.isHit)
            await bench.cache.waitForBackgroundWork()
            #expect(bench.transport.requests.count == 1)
            _ = try await use(bench)
            #expect(bench.transport.requests.count == 2)
        }
    }
}
