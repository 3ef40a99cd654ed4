import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Networks, budgets and servers that are to be spared", .timeLimit(.minutes(5)))
struct WaitingTests {
    struct Network: Sendable {
        var connectivity: Connectivity
        var fetched: Set<PreloadGroup>
        var reason: PreloadRefusal.Reason?
    }

    @Test(
        "expensive networks and low power are for what every page needs, constrained ones for nothing",
        arguments: [
            Network(connectivity: .connected, fetched: [.boot, .page, .lazy]),
            Network(connectivity: .init(isExpensive: true), fetched: [.boot], reason: .expensive),
            Network(connectivity: .init(isLowPower: true), fetched: [.boot], reason: .lowPower),
            Network(connectivity: .init(isConstrained: true), fetched: [], reason: .constrained),
            Network(connectivity: .init(isExpensive: true, isConstrained: true), fetched: [], reason: .constrained),
            Network(connectivity: .disconnected, fetched: [], reason: .offline),
        ])
    func networks(_ network: Network) async throws {
        let bench = try PreloadBench()
        let items = PreloadGroup.allCases.map { bench.file("/\($0.rawValue).js", $0.rawValue, group: $0) }
        bench.connectivity.report(network.connectivity)
        let summary = await bench.preload(items)
        #expect(
            Set(bench.transport.requests.map { $0.head.path ?? "" })
                == Set(network.fetched.map { "/\($0.rawValue).js" }))
        if let reason = network.reason { #expect(summary.waiting == [reason: 3 - network.fetched.count]) }
        #expect(summary.next == nil)
        bench.connectivity.report(.connected)
        #expect(await bench.queue.run().verified == 3)
        #expect(bench.transport.requests.count == 3)
    }

    @Test("a transfer stops when its network is to be spared, and goes on later from there")
    func inTheMiddle() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        bench.on("/a.js") { request in
            let tag: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=60"]
            guard request.head.headerFields[.range] == "bytes=2-" else {
                return ScriptedTransport.answer(200, tag, streaming: body, length: 4)
            }
            var part = tag
            part[.contentRange] = "bytes 2-3/4"
            return ScriptedTransport.answer(206, part, body: "od")
        }
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await body.pulls(atLeast: 1)
        bench.connectivity.report(.init(isConstrained: true))
        body.send("go")
        #expect(await summary.waiting == [.constrained: 1])
        #expect(body.isCancelled)
        bench.connectivity.report(.connected)
        #expect(await bench.queue.run().verified == 1)
    }

    @Test("a run that is called for while one is under way looks again at what waits")
    func calledAgain() async throws {
        let bench = try PreloadBench()
        let gate = Gate()
        bench.on("/boot.js") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, PreloadBench.fresh, body: "boot")
        }
        bench.connectivity.report(.init(isExpensive: true))
        let items = [PreloadBench.item("/boot.js", "boot", group: .boot), bench.file("/page.js", "page")]
        await bench.queue.add(items, set: "app")
        async let first = bench.queue.run()
        try await gate.arrivals(1)
        while await bench.queue.summary.waiting.isEmpty { await Task.yield() }
        bench.connectivity.report(.connected)
        async let second = bench.queue.run()
        while await !bench.queue.machine.isWantedAgain { await Task.yield() }
        gate.open()
        #expect(await first.verified == 2)
        #expect(await second.verified == 2)
    }

    @Test("a server that sends nothing is left alone for a minute, with all that is wanted of it")
    func silent() async throws {
        let bench = try PreloadBench {
            $0.answerTimeout = .seconds(7)
            $0.atOncePerHost = 1
        }
        bench.on("/a.js") { _ in throw TransportError(code: .timedOut, message: "no answer") }
        let summary = await bench.preload([PreloadBench.item("/a.js", "a"), bench.file("/b.js", "b")])
        #expect(summary.waiting == [.network: 2] && bench.transport.requests.count == 1)
        #expect(bench.transport.requests.first?.timeout == .seconds(7))
        #expect(summary.next == bench.clock.now + .seconds(60))
        _ = bench.file("/a.js", "a")
        #expect(await bench.runToEnd().verified == 2)
    }

    @Test("what is stored is verified without a network")
    func offline() async throws {
        let bench = try PreloadBench()
        let item = bench.file("/a.js", "a")
        _ = try await bench.text(await bench.page("/a.js"))
        bench.connectivity.report(.disconnected)
        #expect(await bench.preload([item]).verified == 1)
    }

    @Test("the day's bytes are spent in order, and the rest follows the next day")
    func budget() async throws {
        let bench = try PreloadBench { $0.budget = PreloadBudget(bytesPerDay: ByteCount(25)) }
        let items = (0..<5).map { bench.file("/\($0).js", "ten bytes\($0)") }
        let today = await bench.preload(items)
        #expect(today.verified == 2 && today.waiting == [.budget: 3] && today.transferred == ByteCount(20))
        let midnight = try #require(today.next)
        #expect(midnight.unixSeconds % 86_400 == 0 && midnight - bench.clock.now <= .seconds(86_400))
        bench.clock.advance(by: midnight - bench.clock.now)
        #expect(await bench.queue.run().verified == 4)
        #expect(await bench.runToEnd().verified == 5)
    }

    @Test("what is spent is kept by the caller, and counts for the next process")
    func keptBudget() async throws {
        let bench = try PreloadBench { $0.budget = PreloadBudget(bytesPerDay: ByteCount(25)) }
        let items = (0..<5).map { bench.file("/\($0).js", "ten bytes\($0)") }
        await bench.preload(items)
        let spending = await bench.queue.budget
        var budget = try #require(PreloadBudget(day: spending.day, spentBytes: spending.spent.bytes))
        #expect(budget.spent == ByteCount(20))
        budget.bytesPerDay = ByteCount(35)
        let next = try bench.restarted { [budget] in $0.budget = budget }
        #expect(await next.preload(items).verified == 3)
    }

    @Test("what states no size stops when the day's bytes are spent, and is resumed the next day")
    func budgetInTheMiddle() async throws {
        let bench = try PreloadBench { $0.budget = PreloadBudget(bytesPerDay: ByteCount(600)) }
        let origin = CutOrigin(1)
        bench.on("/0.js") { request in
            let content = CutOrigin.content(0)
            let fields: HTTPFields = [.eTag: "\"1\"", .cacheControl: "max-age=3600"]
            guard request.head.headerFields[.ifRange] != nil else {
                let body = ScriptedBody([Array(content[..<600])], ends: false)
                return ScriptedTransport.answer(200, fields, streaming: body, length: 1_000)
            }
            let from = Int(request.head.headerFields[.range]?.dropFirst(6).dropLast() ?? "") ?? 0
            var part = fields
            part[.contentRange] = "bytes \(from)-999/1000"
            return ScriptedTransport.answer(206, part, body: Array(content[from...]))
        }
        var item = origin.items[0]
        item.content = nil
        #expect(await bench.preload([item]).waiting == [.budget: 1])
        #expect(await bench.runToEnd().verified == 1)
    }

    @Test("what is longer than a whole day's bytes is refused")
    func neverEnough() async throws {
        let bench = try PreloadBench { $0.budget = PreloadBudget(bytesPerDay: ByteCount(3)) }
        #expect(await bench.preload([bench.file("/a.js", "good")]).refused == [.budget: 1])
        #expect(bench.transport.requests.isEmpty)
    }

    @Test("a host that asks for patience gets it, as long as it says; others go on", arguments: [429, 503])
    func patience(_ status: Int) async throws {
        let bench = try PreloadBench { $0.atOncePerHost = 1 }
        let items = (0..<10).map { bench.file("/\($0).js", "file \($0)") }
        bench.on("/0.js") { _ in
            bench.transport.requests(to: PreloadBench.base + "/0.js").count == 1
                ? ScriptedTransport.answer(status, [.retryAfter: "120"])
                : ScriptedTransport.answer(200, PreloadBench.fresh, body: "file 0")
        }
        bench.transport.on("https://cdn.test/x.js") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, body: "x")
        }
        let other = PreloadItem(url: "https://cdn.test/x.js", destination: .script)
        let summary = await bench.preload(items + [other])
        #expect(summary.verified == 1 && summary.waiting == [.retryAfter: 10])
        #expect(bench.transport.requests.count == 2)
        #expect(summary.next == bench.clock.now + .seconds(120))
        bench.clock.advance(by: .seconds(119))
        #expect(await bench.queue.run().verified == 1)
        #expect(bench.transport.requests.count == 2)
        bench.clock.advance(by: .seconds(1))
        #expect(await bench.queue.run().verified == 11)
    }

    @Test("without a number the waits double, up to ten minutes, and begin anew after an answer")
    func doubling() {
        var backoff = HostBackoff()
        let start = WallInstant(unixSeconds: 0)
        for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600] as [Int64] {
            let before = backoff.until ?? start
            backoff.fail(at: before, stated: nil, .retryAfter)
            #expect(backoff.until == before + .seconds(seconds))
        }
        backoff.succeed()
        let now = backoff.until ?? start
        backoff.fail(at: now, stated: nil, .retryAfter)
        #expect(backoff.until == now + .seconds(1))
        // An earlier end that another answer names does not shorten it.
        backoff.fail(at: now, stated: .zero, .retryAfter)
        #expect(backoff.until == now + .seconds(1))
    }

    @Test("the queue waits by the clock that it was given until all is settled")
    func untilSettled() async throws {
        let bench = try PreloadBench()
        let origin = CutOrigin(3) { $0 == 2 }
        origin.serve(bench.transport)
        await bench.queue.add(origin.items, set: "app")
        let isOver = LockedBox(false)
        let summary = Task {
            defer { isOver.withLock { $0 = true } }
            return await bench.queue.runUntilSettled()
        }
        while !isOver.withLock({ $0 }) {
            bench.clock.advanceToSleeper(within: .seconds(10))
            await Task.yield()
        }
        #expect(await summary.value.verified == 3)
    }

    @Test(
        "RFC 9110 §10.2.3: a date or seconds; a day at most",
        arguments: [
            ("120", 120), ("0", 0), (" 5", 5), ("99999999999", 86_400), ("Tue, 14 Nov 2023 22:14:20 GMT", 60),
            ("Tue, 14 Nov 2023 22:00:00 GMT", 0), ("Fri, 14 Nov 2025 22:00:00 GMT", 86_400), ("-1", nil), ("1.5", nil),
            ("soon", nil), ("", nil),
        ] as [(String, Int64?)])
    func retryAfter(_ value: String, _ seconds: Int64?) {
        let delay = RetryAfter.delay([.retryAfter: value], now: WallInstant(unixSeconds: 1_700_000_000))
        #expect(delay == seconds.map { .seconds($0) })
    }

    @Test("what is spent counts for its day, and is never less than nothing")
    func budgetOfADay() {
        var budget = PreloadBudget(bytesPerDay: ByteCount(100))
        budget.spend(ByteCount(30), at: WallInstant(unixSeconds: 86_400 * 20_000 + 5))
        #expect(budget.day == 20_000 && budget.spent == ByteCount(30))
        #expect(PreloadBudget(day: 20_000, spentBytes: 30)?.spent == ByteCount(30))
        #expect(budget.left(at: WallInstant(unixSeconds: 86_400 * 20_000)) == ByteCount(70))
        #expect(budget.left(at: WallInstant(unixSeconds: 86_400 * 20_001)) == ByteCount(100))
        budget.spend(ByteCount(Int64.max), at: WallInstant(unixSeconds: 86_400 * 20_000))
        #expect(budget.left(at: WallInstant(unixSeconds: 86_400 * 20_000)) == .zero)
        #expect(PreloadBudget(day: 1, spentBytes: -1) == nil)
    }
}
