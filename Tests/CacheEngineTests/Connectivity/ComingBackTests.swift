import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Testing

@testable import CacheEngine

@Suite(
    "RFC 9111 §4.2.4: responses served stale without a network are validated once it is back", .timeLimit(.minutes(5)))
struct ComingBackTests {
    private static let rules = RuleList([Rule.disconnected])
    /// The freshness fields: stale after 60 s, then within the window for 1000 s.
    private static let window = "max-age=60, stale-while-revalidate=1000"

    /// A store with `old` under each path, stale; the origin has `new` from then on.
    private func bench(
        _ paths: [String], _ cacheControl: String = window, rules: RuleList = rules, kind: Bench.StoreKind = .memory,
        configure: (inout EngineConfiguration) -> Void = { _ in }
    ) async throws -> Bench {
        let bench = try Bench(kind, rules: rules, configure: configure)
        for path in paths {
            bench.answer(path, 200, [.cacheControl: cacheControl, .eTag: "\"1\""], body: "old")
            try await bench.fill(path)
            bench.answer(path, 200, [.cacheControl: cacheControl, .eTag: "\"2\""], body: "new")
        }
        bench.clock.advance(by: .seconds(100))
        return bench
    }

    private func paths(_ bench: Bench, since count: Int) -> [String] {
        bench.transport.requests.dropFirst(count).map { $0.head.path ?? "" }
    }

    @Test("offline in the middle of a page: stored responses answer at any age, the others are a 504")
    func middleOfPage() async throws {
        let source = ScriptedConnectivity()
        let monitor = ConnectivityMonitor(source: source)
        let bench = try await bench(["/old.js"], "max-age=60")
        bench.answer("/", 200, [.cacheControl: "no-cache", .eTag: "\"p\""], body: "page")
        bench.answer("/a.js", 200, [.cacheControl: "max-age=60"], body: "a")
        func seen(_ path: String) async throws -> Seen {
            try await bench.seen(path, context: ExchangeContext(connectivity: monitor.current))
        }
        #expect(try await seen("/") == Seen(200, "page", requests: 1))
        #expect(try await seen("/a.js") == Seen(200, "a", requests: 1))
        var changes = monitor.changes().makeAsyncIterator()
        source.report(.disconnected)
        #expect(await changes.next() == .disconnected)
        #expect(try await seen("/old.js") == Seen(200, "old", requests: 0))
        #expect(try await seen("/a.js") == Seen(200, "a", requests: 0))
        #expect(try await seen("/") == Seen(200, "page", requests: 0))
        #expect(try await seen("/b.js") == Seen(504, "", requests: 0))
        source.report(.connected)
        #expect(await changes.next() == .connected)
        bench.answer("/b.js", 200, [.cacheControl: "max-age=60"], body: "b")
        #expect(try await seen("/b.js") == Seen(200, "b", requests: 1))
        #expect(try await seen("/old.js") == Seen(200, "new", requests: 1))
    }

    @Test("with the network back, only responses served stale are validated, the last one served first")
    func validates() async throws {
        let bench = try await bench(["/a", "/b", "/c", "/unused"]) { $0.backgroundLimit = 2 }
        bench.answer("/fresh", 200, [.cacheControl: "max-age=6000"], body: "fresh")
        try await bench.fill("/fresh")
        for path in ["/a", "/b", "/c", "/fresh", "/a"] {
            #expect(try await bench.seen(path, context: Bench.disconnected).requests == 0)
        }
        let before = bench.transport.requests.count
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(paths(bench, since: before) == ["/a", "/c", "/b"])
        #expect(bench.transport.requests.dropFirst(before).allSatisfy { $0.head.headerFields[.ifNoneMatch] == "\"1\"" })
        for path in ["/a", "/b", "/c"] { #expect(try await bench.seen(path) == Seen(200, "new", requests: 0)) }
        // Each was validated once: there is nothing left to do.
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == before + 3)
        #expect(bench.recorder.reports.filter(\.isBackground).count == 3)
    }

    @Test("the same variant is validated, without the client's own conditions and range (§4.1, §4.3.1)")
    func variant() async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept-Language", .eTag: "\"de\""]
        bench.answer("/a", 200, fields, body: "hallo")
        try await bench.fill("/a", [.acceptLanguage: "de"])
        bench.clock.advance(by: .seconds(100))
        let presented: HTTPFields = [.acceptLanguage: "de", .range: "bytes=0-1", .ifNoneMatch: "\"x\""]
        #expect(try await bench.seen("/a", presented, context: Bench.disconnected).status == 206)
        bench.answer("/a", 304, fields)
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        let sent = try #require(bench.transport.requests.last?.head.headerFields)
        #expect(sent[.acceptLanguage] == "de" && sent[.ifNoneMatch] == "\"de\"" && sent[.range] == nil)
        #expect(try await bench.seen("/a", [.acceptLanguage: "de"]) == Seen(200, "hallo", requests: 0))
    }

    struct Traffic: Sendable, CustomTestStringConvertible {
        var connectivity: Connectivity
        var validates: Bool
        var testDescription: String { "\(connectivity): \(validates)" }
    }

    @Test(
        "on a constrained network or a saved battery only requests validate; the next change does the rest",
        arguments: [
            Traffic(connectivity: .connected, validates: true),
            Traffic(connectivity: Connectivity(isExpensive: true), validates: true),
            Traffic(connectivity: Connectivity(isConstrained: true), validates: false),
            Traffic(connectivity: Connectivity(isLowPower: true), validates: false),
            Traffic(connectivity: .disconnected, validates: false),
        ])
    func restrained(_ row: Traffic) async throws {
        let bench = try await bench(["/a"])
        _ = try await bench.seen("/a", context: Bench.disconnected)
        bench.cache.networkChanged(to: row.connectivity)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == (row.validates ? 2 : 1))
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 2)
    }

    @Test("the next request validates first, once, although stale-while-revalidate would let it answer at once")
    func nextRequest() async throws {
        let bench = try await bench(["/a", "/b"])
        #expect(try await bench.seen("/a", context: Bench.disconnected) == Seen(200, "old", requests: 0))
        // Without a network it is served as often as it is requested.
        #expect(try await bench.seen("/a", context: Bench.disconnected) == Seen(200, "old", requests: 0))
        let constrained = ExchangeContext(connectivity: Connectivity(isConstrained: true))
        let (response, text) = try await bench.text("/a", context: constrained)
        #expect(text == "new" && response.cacheStatus.forward == .stale)
        await bench.cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(100))
        #expect(
            try await bench.text("/a", context: constrained).response.cacheStatus.detail == "stale-while-revalidate")
        // A response that was not served without a network keeps its window.
        #expect(try await bench.text("/b", context: constrained).text == "old")
        await bench.cache.waitForBackgroundWork()
    }

    @Test("a verdict or a cache mode that accepts any age still lets the store answer")
    func anyAge() async throws {
        let rules = RuleList {
            Rule.disconnected; Rule("kept", .cacheFirst)
        }
        let kept = try await bench(["/a"], rules: rules)
        _ = try await kept.seen("/a", context: Bench.disconnected)
        #expect(try await kept.seen("/a") == Seen(200, "old", requests: 0))
        let wished = try await bench(["/a"])
        _ = try await wished.seen("/a", context: Bench.disconnected)
        #expect(try await wished.seen("/a", [.cacheControl: "max-stale"]) == Seen(200, "old", requests: 0))
        #expect(
            try await wished.seen("/a", context: ExchangeContext(mode: .preferStored)) == Seen(200, "old", requests: 0))
    }

    @Test("a request during the validation waits for it and sends none of its own")
    func meanwhile() async throws {
        let bench = try await bench(["/a"])
        _ = try await bench.seen("/a", context: Bench.disconnected)
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        }
        bench.cache.networkChanged(to: .connected)
        try await gate.arrivals(1)
        async let answer = bench.text("/a")
        gate.open()
        #expect(try await answer.text == "old")
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 2)
    }

    @Test("a stale answer for an unreachable origin is remembered, and validated with the network")
    func unreachable() async throws {
        let bench = try await bench(["/a"], "max-age=60", rules: .protocolOnly)
        bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 3)
        // The origin still can't be reached, so it is tried again.
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 0))
    }

    @Test("an origin's error, or an answer that forbids storing, ends the validation: it is not repeated")
    func answered() async throws {
        for status in [200, 404, 503] {
            let bench = try await bench(["/a"])
            _ = try await bench.seen("/a", context: Bench.disconnected)
            bench.answer("/a", status, [.cacheControl: "no-store"], body: "private")
            for _ in 0..<2 {
                bench.cache.networkChanged(to: .connected)
                await bench.cache.waitForBackgroundWork()
            }
            #expect(bench.transport.requests.count == 2)
        }
    }

    @Test("half of the limit stays free for validations of pages that are opened meanwhile")
    func room() async throws {
        let paths = (0..<6).map { "/\($0)" }
        let bench = try await bench(paths + ["/page"]) { $0.backgroundLimit = 4 }
        let gate = Gate()
        for path in paths {
            _ = try await bench.seen(path, context: Bench.disconnected)
            bench.transport.on(Bench.base + path) { _ in
                try await gate.pass()
                return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
            }
        }
        bench.cache.networkChanged(to: .connected)
        try await gate.arrivals(2)
        try #require(bench.transport.concurrentRequests == 2)
        // Within the window of stale-while-revalidate: answered at once, and validated although others wait.
        let before = bench.transport.requests.count
        #expect(try await bench.text("/page").text == "old")
        try await bench.transport.requests(atLeast: before + 1)
        #expect(bench.transport.requests.last?.head.path == "/page")
        gate.open()
        await bench.cache.waitForBackgroundWork()
        for path in paths { #expect(try await bench.seen(path) == Seen(200, "old", requests: 0)) }
    }

    @Test("work that has waited leaves room for a page's, whatever hosts it is for")
    func roomBesideHosts() async throws {
        let (work, gate, isPageAsked) = (BackgroundWork(limit: 8), Gate(), AtomicFlag(false))
        work.enqueue(
            (0..<12).map { number in
                (CacheKey(uri: "https://host-\(number % 3).test/\(number)"), { @Sendable in try? await gate.pass() })
            })
        try await gate.arrivals(6)
        work.start(CacheKey(uri: "https://page.test/")) {
            isPageAsked.value = true
            try? await gate.pass()
        }
        try await gate.arrivals(7)
        #expect(isPageAsked.value)
        gate.open()
        await work.waitUntilIdle()
    }

    @Test("a response that was removed meanwhile does not come back")
    func removed() async throws {
        let bench = try await bench(["/a"])
        _ = try await bench.seen("/a", context: Bench.disconnected)
        _ = try await bench.store.removeEntries(for: bench.key("/a"))
        bench.cache.networkChanged(to: .connected)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 1)
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test(
        "flapping: without a network waiting validations are dropped, running ones fail, none is sent twice")
    func flapping() async throws {
        let paths = (0..<5).map { "/\($0)" }
        let bench = try await bench(paths) { $0.backgroundLimit = 2 }
        for path in paths { _ = try await bench.seen(path, context: Bench.disconnected) }
        let gate = Gate()
        bench.transport.on(Bench.base + "/4") { _ in
            try await gate.pass()
            throw TransportError(code: .connectionFailed, message: "gone")
        }
        let before = bench.transport.requests.count
        bench.cache.networkChanged(to: .connected)
        try await gate.arrivals(1)
        bench.cache.networkChanged(to: .disconnected)
        gate.open()
        await bench.cache.waitForBackgroundWork()
        #expect(self.paths(bench, since: before) == ["/4"])
        bench.answer("/4", 200, [.cacheControl: "max-age=60"], body: "new")
        for _ in 0..<3 {
            bench.cache.networkChanged(to: .connected)
            bench.cache.networkChanged(to: .connected)
        }
        await bench.cache.waitForBackgroundWork()
        #expect(self.paths(bench, since: before) == ["/4", "/4", "/3", "/2", "/1", "/0"])
    }

    @Test("a cache that follows a monitor hears of its changes")
    func follows() async throws {
        let monitor = ConnectivityMonitor()
        let bench = try await bench(["/a"])
        bench.cache.follow(monitor)
        monitor.override = .disconnected
        _ = try await bench.seen("/a", context: ExchangeContext(connectivity: monitor.current))
        monitor.override = nil
        try await bench.transport.requests(atLeast: 2)
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.seen("/a") == Seen(200, "new", requests: 0))
    }

    @Test("the backlog is bounded: the response served longest ago is forgotten")
    func bounded() throws {
        let uses = RevalidationBacklog()
        let request = EngineRequest(head: HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
        let keys = (0...RevalidationBacklog.limit).map { CacheKey(uri: "https://a.test/\($0)") }
        for key in keys.dropLast() { uses.note(key, request) }
        uses.note(keys[0], request)
        uses.note(try #require(keys.last), request)
        #expect(uses.latestFirst.count == RevalidationBacklog.limit)
        #expect(uses.contains(keys[0]) && !uses.contains(keys[1]))
        #expect(uses.latestFirst.prefix(2).map(\.key) == [keys[keys.count - 1], keys[0]])
    }
}
