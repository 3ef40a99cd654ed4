import CacheRules
import CacheTesting
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("Content that stops coming lets the stored response answer", .timeLimit(.minutes(5)))
struct StoppingContentTests {
    private static let rules = RuleList([Rule.disconnected])

    struct Stop: Sendable, CustomTestStringConvertible {
        var type: String
        var piece = "new"
        /// How many pieces come.
        var pieces = 0
        /// The error with which it ends; silence otherwise.
        var error: TransportError.Code?
        /// Whether the page gets what is stored.
        var isStored = true
        var testDescription: String {
            "\(type), \(pieces) pieces of \(piece.utf8.count) B, then \(error.map { "\($0)" } ?? "silence")"
        }
    }

    @Test(
        "a response whose content does not come is none, as long as nobody has got any of it",
        arguments: [
            Stop(type: "text/html"), Stop(type: "text/html", error: .closedEarly),
            Stop(type: "text/html", pieces: 1), Stop(type: "text/html", pieces: 2, error: .closedEarly),
            Stop(type: "text/html", piece: String(repeating: "n", count: 20_000), pieces: 1),
            Stop(type: "text/html", piece: String(repeating: "n", count: 20_000), pieces: 2, error: .closedEarly),
            Stop(type: "application/xhtml+xml", pieces: 1),
            Stop(type: "text/css"), Stop(type: "text/css", pieces: 2),
            Stop(type: "text/javascript", pieces: 2, error: .closedEarly),
            Stop(type: "application/json", pieces: 1), Stop(type: "application/ld+json; charset=utf-8", pieces: 1),
            Stop(type: "font/woff2", pieces: 1, error: .closedEarly), Stop(type: "image/png", pieces: 1),
            Stop(type: "video/mp4", isStored: false), Stop(type: "application/x-ndjson", pieces: 1, isStored: false),
        ])
    func held(_ stop: Stop) async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "no-cache", .contentType: stop.type]
        let body = ScriptedBody(Array(repeating: Array(stop.piece.utf8), count: stop.pieces), ends: false)
        if let code = stop.error { body.end(throwing: TransportError(code: code, message: "The test says so.")) }
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, fields, body: "old") },
                { _ in ScriptedTransport.answer(200, fields, streaming: body) }, Bench.unreachable,
            ])
        try await bench.fill("/a")
        let answer = Task { await bench.send("/a") }
        let time = Task {
            while stop.isStored, stop.error == nil, !Task.isCancelled {
                bench.clock.advance(by: .milliseconds(100))
                await Task.yield()
            }
        }
        let response = await answer.value
        time.cancel()
        if stop.isStored {
            #expect(try await Bench.read(response) == "old")
            #expect(response.cacheStatus.detail?.hasPrefix("disconnected") == true)
        } else {
            #expect(response.cacheStatus.forward == .stale)
            response.body.makeSource().cancel()
        }
        body.send("late")
        body.end()
        await bench.cache.waitForBackgroundWork()
        guard stop.isStored, stop.error == nil else { return }
        // It goes on, and is not asked for again; the next request finds nobody.
        #expect(bench.transport.requests(to: Bench.base + "/a").count == 2)
        #expect(try await bench.text("/a").text == String(repeating: stop.piece, count: stop.pieces) + "late")
    }

    @Test("a script's data whose content stops is no long poll, and is not waited for as one")
    func stoppedData() async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "no-cache", .contentType: "application/json"]
        bench.answer("/", 200, [.contentType: "text/html"], body: "page")
        try await bench.fill("/", context: ExchangeContext(destination: .document))
        let body = ScriptedBody([], ends: false)
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, fields, body: "old") },
                { _ in ScriptedTransport.answer(200, fields, streaming: body) },
            ])
        let script = ExchangeContext(destination: .fetch)
        try await bench.fill("/a", context: script)
        async let answer = bench.text("/a", context: script).text
        try await body.pulls(atLeast: 1)
        try await bench.clock.sleeper(of: .seconds(1))
        bench.clock.advance(by: .seconds(1))
        #expect(try await answer == "old")
        #expect(!bench.cache.patience.isHeldBack(Bench.base + "/a"))
        body.send("new")
        body.end()
        await bench.cache.waitForBackgroundWork()
    }

    struct Pace: Sendable, CustomTestStringConvertible {
        var type: String
        /// The length of a piece, in bytes; one comes every 900 ms.
        var piece: Int
        var isWaitedFor = false
        var testDescription: String { "\(type), \(piece) B every 900 ms" }
    }

    @Test(
        "a file that comes slowly is waited for; a page is for three seconds, and so is what trickles",
        arguments: [
            Pace(type: "text/css", piece: 1_024, isWaitedFor: true), Pace(type: "text/css", piece: 1),
            Pace(type: "text/html", piece: 100), Pace(type: "text/html", piece: 1),
        ])
    func slow(_ pace: Pace) async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "no-cache", .contentType: pace.type]
        let body = ScriptedBody([], ends: false)
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, fields, body: "old") },
                { _ in ScriptedTransport.answer(200, fields, streaming: body) }, Bench.unreachable,
            ])
        try await bench.fill("/a")
        let isOver = AtomicFlag(false)
        let answer = Task {
            defer { isOver.value = true }
            return try await bench.text("/a").text
        }
        let piece = String(repeating: "n", count: pace.piece)
        var number = 0
        while pace.isWaitedFor ? number < 5 : !isOver.value {
            number += 1
            if pace.isWaitedFor { try await body.pulls(atLeast: number) }
            bench.clock.advance(by: .milliseconds(900))
            body.send(piece)
            for _ in 0..<20 { await Task.yield() }
        }
        if pace.isWaitedFor { body.end() }
        #expect(try await answer.value == (pace.isWaitedFor ? String(repeating: piece, count: 5) : "old"))
        body.end()
        await bench.cache.waitForBackgroundWork()
    }

    @Test("a page is shown as it comes once its server has not stopped for 100 ms behind the first 14,600 B")
    func settled() async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "no-cache", .contentType: "text/html"]
        bench.answer("/a", 200, fields, body: "old")
        try await bench.fill("/a")
        let body = ScriptedBody([Array(repeating: 110, count: 14_600)], ends: false)
        bench.transport.on(Bench.base + "/a") { _ in ScriptedTransport.answer(200, fields, streaming: body) }
        let answer = Task { await bench.send("/a") }
        try await body.pulls(atLeast: 2)
        bench.clock.advance(by: .milliseconds(100))
        body.send("new")
        let source = await answer.value.body.makeSource()
        #expect(try await source.next()?.first == 110)
        source.cancel()
        body.end()
        await bench.cache.waitForBackgroundWork()
    }

    @Test(
        "the report says why a stored response answers",
        arguments: [
            ("'example.com' answered 503.", { _ in ScriptedTransport.answer(503, [:]) }),
            ("Nobody listens there.", Bench.unreachable),
            (
                "The server stopped in the middle of its answer.",
                { _ in
                    let body = ScriptedBody([], ends: false)
                    body.end(
                        throwing: TransportError(
                            code: .closedEarly, message: "The server stopped in the middle of its answer."))
                    return ScriptedTransport.answer(200, [.contentType: "text/html"], streaming: body)
                }
            ),
        ] as [(String, @Sendable (TransportRequest) throws -> TransportResponse)])
    func report(_ words: String, _ answer: @escaping @Sendable (TransportRequest) throws -> TransportResponse)
        async throws
    {
        let bench = try Bench(rules: .webViewDefaults)
        let page = ExchangeContext(destination: .document)
        bench.answers("/a", [{ _ in ScriptedTransport.answer(200, [.contentType: "text/html"], body: "old") }, answer])
        try await bench.fill("/a", context: page)
        #expect(try await bench.text("/a", context: page).text == "old")
        await bench.cache.waitForBackgroundWork()
        #expect(bench.recorder.reports.map { $0.originFailure?.message } == [nil, words])
    }

    @Test(
        "what its server makes bit by bit is shown so at the next visit too, also after a 304",
        arguments: [
            ("text/html", 1_000), ("application/json", 1_000), ("application/problem+json; charset=utf-8", 1_000),
            ("text/html", 250), ("application/json", 250),
        ])
    func pausing(_ type: String, milliseconds: Int) async throws {
        let bench = try Bench(rules: Self.rules)
        let fields: HTTPFields = [.cacheControl: "no-cache", .eTag: "\"1\"", .contentType: type]
        let (first, next) = (ScriptedBody([Array("a shell".utf8)], ends: false), ScriptedBody([[110]], ends: false))
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, fields, streaming: first) },
                { _ in ScriptedTransport.answer(304, [:]) },
                { _ in ScriptedTransport.answer(200, fields, streaming: next) },
            ])
        let filling = Task { try await bench.fill("/a") }
        let pieces = 1_000 / milliseconds
        for number in 1...pieces {
            try await first.pulls(atLeast: number + 1)
            bench.clock.advance(by: .milliseconds(milliseconds))
            first.send("c")
        }
        first.end()
        try await filling.value
        #expect(try await bench.text("/a").text == "a shell" + String(repeating: "c", count: pieces))
        let source = await bench.send("/a").body.makeSource()
        #expect(try await source.next() == [110])
        source.cancel()
        next.end()
        await bench.cache.waitForBackgroundWork()
    }
}
