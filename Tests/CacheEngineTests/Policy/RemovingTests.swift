import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("A removed response is never served again, and accounts see nothing of each other", .timeLimit(.minutes(5)))
struct RemovingTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=600"]

    @Test(
        "a response that is arriving while a selection that means it is removed is delivered, not stored",
        arguments: Bench.StoreKind.allCases,
        [
            EntrySelection.everything, EntrySelection(host: "example.com"), EntrySelection(contentType: "text/html"),
            EntrySelection(uri: "https://example.com/a", partition: ""),
        ])
    func arriving(kind: Bench.StoreKind, selection: EntrySelection) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.fresh, streaming: body)
        }
        let response = await bench.send("/a")
        body.send("old")
        try await bench.cache.remove(selection)
        body.end()
        #expect(try await Bench.read(response) == "old")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key("/a")).isEmpty)
    }

    @Test(
        "a response that is removed during its commit is not there afterwards, nor is its hashed name's content noted",
        arguments: ["/a", "/assets/app.5d60c2ed348e2db0.js"])
    func committing(path: String) async throws {
        let (bench, before, after) = (try Bench(), Gate(), Gate())
        let gates = GatedStore(base: bench.store, gate: Gate(), commits: before, committed: after)
        let cache = ResponseCache(store: gates, transport: bench.transport, configuration: .init())
        bench.answer(path, 200, Self.fresh, body: "old")
        let request = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path))
        #expect(try await Bench.read(await cache.respond(to: request)) == "old")
        try await before.arrivals(1)
        // The removal ends before the commit begins, so the store refuses the commit.
        try await cache.remove(.everything)
        before.open()
        try await after.arrivals(1)
        after.open()
        await cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key(path)).isEmpty)
        let digest = try #require(BodyDigest([UInt8](repeating: 1, count: 32)))
        #expect(try await bench.store.noteContent(digest, under: bench.key(path), variant: "") == nil)
    }

    @Test("a request after a removal does not join one that left before it")
    func collapsing() async throws {
        let bench = try Bench()
        let gate = Gate()
        let transport = bench.transport
        transport.on(Bench.base + "/a") { _ in
            let isFirst = transport.requests(to: Bench.base + "/a").count == 1
            if isFirst { try await gate.pass() }
            return ScriptedTransport.answer(200, Self.fresh, body: isFirst ? "old" : "new")
        }
        async let first = bench.text("/a")
        try await bench.transport.requests(atLeast: 1)
        try await bench.cache.remove(.everything)
        #expect(try await bench.text("/a").text == "new")
        gate.open()
        #expect(try await first.text == "old")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.text("/a").text == "new")
    }

    @Test("removing old responses leaves arriving ones alone")
    func old() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, Self.fresh, streaming: body)
        }
        let response = await bench.send("/a")
        body.send("new")
        try await bench.cache.remove(EntrySelection(storedBefore: bench.clock.now))
        body.end()
        _ = try await Bench.read(response)
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key("/a")).count == 1)
    }

    @Test("an account gets no response of another one: stored, arriving, equal in every byte, or without a network")
    func accounts() async throws {
        for kind in Bench.StoreKind.allCases {
            let bench = try Bench(kind, rules: RuleList([Rule.disconnected]))
            let (anna, ben) = (ExchangeContext(partition: "anna"), ExchangeContext(partition: "ben"))
            bench.answer("/same", 200, Self.fresh, body: String(repeating: "the same for both", count: 10_000))
            bench.answers(
                "/mine",
                [
                    { _ in ScriptedTransport.answer(200, Self.fresh, body: "of anna") },
                    { _ in ScriptedTransport.answer(200, Self.fresh, body: "of ben") },
                ])
            for path in ["/same", "/mine"] { try await bench.fill(path, context: anna) }
            var offline = ben
            offline.connectivity = .disconnected
            for path in ["/same", "/mine"] {
                #expect(await bench.send(path, context: offline).failure?.code == .disconnected)
            }
            #expect(try await bench.text("/mine", context: ben).text == "of ben")
            #expect(try await !bench.text("/same", context: ben).response.cacheStatus.isHit)
            await bench.cache.waitForBackgroundWork()
            #expect(try await bench.text("/mine", context: anna).text == "of anna")
            // Equal bytes count once, and stay for one account when the other is removed.
            #expect(try await bench.store.usage().bodies == 3)
            #expect(try await bench.cache.remove(EntrySelection(partition: "anna")).entries == 2)
            #expect(try await bench.text("/same", context: ben).response.cacheStatus.isHit)
            #expect(try await !bench.text("/mine", context: anna).response.cacheStatus.isHit)
        }
    }

    @Test("a response stored under a rule has the rule's tags and expiry, also after a 304")
    func tags() async throws {
        let rule = Rule("shop", .followProtocol, expiry: .seconds(3_600), tags: ["shop"])
        let bench = try Bench(.disk, rules: RuleList([rule]))
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "a") },
                { _ in ScriptedTransport.answer(304, [.eTag: "\"1\""]) },
            ])
        try await bench.fill("/a")
        func summary() async throws -> EntrySummary? {
            try await bench.store.summaries(of: EntrySelection(tag: "shop"), after: nil, limit: 10).first
        }
        let first = bench.clock.now
        #expect(try await summary()?.expires == first + .seconds(3_600))
        bench.clock.advance(by: .seconds(600))
        #expect(try await bench.text("/a").response.cacheStatus.forwardStatus == 304)
        await bench.cache.waitForBackgroundWork()
        #expect(try await summary()?.expires == first + .seconds(4_200))
        bench.clock.advance(by: .seconds(3_599))
        #expect(try await bench.cache.performMaintenance() == 0)
        bench.clock.advance(by: .seconds(1))
        #expect(try await bench.cache.performMaintenance() == 1)
        // It stays for use without a network.
        bench.cache.rules = RuleList([Rule.disconnected])
        #expect(try await bench.text("/a", context: Bench.disconnected).text == "a")
    }

    @Test("a refresh asks past every cache, and the stored response stays when it fails")
    func refresh() async throws {
        let bench = try Bench(rules: RuleList([Rule("stuck", .permanent)]))
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [:], body: "one") }, Bench.unreachable,
                { _ in ScriptedTransport.answer(200, [:], body: "two") },
            ])
        try await bench.fill("/a")
        let request = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a"))
        #expect(await bench.cache.refresh(request).map { $0.failure != nil } == [true])
        #expect(try await bench.text("/a").text == "one")
        #expect(await bench.cache.refresh(request).map(\.cacheStatus.isStored) == [true])
        await bench.cache.waitForBackgroundWork()
        // The request tells the caches on the way, too (RFC 9111 §5.2.1.4).
        #expect(bench.transport.requests.last?.head.headerFields[.cacheControl] == "no-cache")
        let (response, text) = try await bench.text("/a")
        #expect(response.cacheStatus.isHit && text == "two")
    }

    /// A store whose second look-up waits, either before or after it reads.
    private struct SlowLookUp: ForwardingStorage {
        let base: any ResponseStorage
        let gate: Gate
        let isLate: Bool
        private let count = LockedBox(0)

        init(_ base: any ResponseStorage, _ gate: Gate, isLate: Bool) {
            (self.base, self.gate, self.isLate) = (base, gate, isLate)
        }

        func entries(for key: CacheKey) async throws -> [StoredEntry] {
            let number = count.withLock { count -> Int in
                count += 1
                return count
            }
            if number == 2, !isLate { try await gate.pass() }
            let found = try await base.entries(for: key)
            if number == 2, isLate { try await gate.pass() }
            return found
        }
    }

    @Test("a validation in the background brings back no removed response", arguments: [false, true])
    func background(isLate: Bool) async throws {
        let bench = try Bench()
        let fields: HTTPFields = [.cacheControl: "max-age=60, stale-while-revalidate=600"]
        bench.answer("/a", 200, fields, body: "of anna")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        let gate = Gate()
        let cache = ResponseCache(
            store: SlowLookUp(bench.store, gate, isLate: isLate), transport: bench.transport,
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        // A request with credentials shares no answer, so it does not look up again when another one stores a response.
        let request = EngineRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "example.com", path: "/a",
                headerFields: [.authorization: "Bearer anna"]))
        #expect(try await Bench.read(await cache.respond(to: request)) == "of anna")
        try await gate.arrivals(1)
        try await cache.remove(.everything)
        gate.open()
        await cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key("/a")).isEmpty)
        // A validation that finds no stored response sends no request.
        #expect(bench.transport.requests.count == (isLate ? 2 : 1))
    }

    @Test("a response that the app supplies stays, whatever is being stored under its address")
    func seedMeetsCommit() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, Self.fresh, body: "from the network")
        let (open, commits) = (Gate(), Gate())
        open.open()
        let cache = ResponseCache(
            store: GatedStore(base: bench.store, gate: open, commits: commits), transport: bench.transport,
            configuration: EngineConfiguration(clock: bench.clock.engineClock))
        let request = EngineRequest(
            head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a"))
        _ = try await Bench.read(await cache.respond(to: request))
        try await commits.arrivals(1)
        async let seeded = cache.store(
            HTTPResponse(status: .ok, headerFields: Self.fresh), content: Array("brought".utf8), for: request)
        // Enough turns for a commit that does not wait.
        for _ in 0..<2_000 { await Task.yield() }
        commits.open()
        _ = try await seeded
        await cache.waitForBackgroundWork()
        #expect(try await Bench.read(await cache.respond(to: request)) == "brought")
    }

    @Test("every confirmation of a response renews its expiry by a rule", arguments: [ValidationMethod.get, .head])
    func confirmedByHead(_ validation: ValidationMethod) async throws {
        let rule = Rule("shop", .followProtocol, expiry: .seconds(3_600), validation: validation, tags: ["shop"])
        let bench = try Bench(rules: RuleList([rule]))
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "a")
        try await bench.fill("/a")
        let first = bench.clock.now
        bench.clock.advance(by: .seconds(600))
        // With `.get` the client asks by HEAD (RFC 9111 §4.3.5).
        let answer = try await bench.text("/a", method: validation == .get ? .head : .get).response
        #expect(!answer.cacheStatus.isHit && bench.transport.requests.last?.head.method == .head)
        await bench.cache.waitForBackgroundWork()
        let entry = try #require(try await bench.store.entries(for: bench.key("/a")).first)
        #expect(entry.response.responseTime == first + .seconds(600))
        #expect(entry.response.expires == first + .seconds(4_200) && entry.response.tags == ["shop"])
    }

    @Test("whoever listens to removals is called as long as it lives, and is not kept alive")
    func listener() async throws {
        final class Owner: Sendable {}
        let bench = try Bench()
        let calls = LockedBox(0)
        var owner: Owner? = Owner()
        if let owner { bench.cache.onRemoval(owner) { _ in calls.withLock { $0 += 1 } } }
        try await bench.cache.remove(.everything)
        #expect(calls.withLock { $0 } == 1)
        weak let left = owner
        owner = nil
        #expect(left == nil)
        try await bench.cache.remove(.everything)
        #expect(calls.withLock { $0 } == 1)
    }
}
