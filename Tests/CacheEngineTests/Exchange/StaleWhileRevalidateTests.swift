import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 5861 §3: stale-while-revalidate", .timeLimit(.minutes(5)))
struct StaleWhileRevalidateTests {
    private static let usual = "max-age=60, stale-while-revalidate=30"

    /// A store with `old`, this many seconds old; the origin has `new` from then on.
    private func bench(
        _ cacheControl: String = usual, age: Int64, cacheKind: CacheKind = .private,
        configure: (inout EngineConfiguration) -> Void = { _ in }
    ) async throws -> Bench {
        let bench = try Bench(cacheKind: cacheKind, configure: configure)
        bench.answer("/a", 200, [.cacheControl: cacheControl, .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        bench.answer("/a", 200, [.cacheControl: cacheControl, .eTag: "\"2\""], body: "new")
        bench.clock.advance(by: .seconds(age))
        return bench
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var stored = StaleWhileRevalidateTests.usual
        var age: Int64 = 70
        var presented: HTTPFields = [:]
        var kind = CacheKind.private
        /// Whether the stale response answers at once.
        var answers: Bool
        var source: String
        var testDescription: String { "\(stored), \(age) s, \(presented), \(kind): \(answers), as \(source)" }
    }

    private static let windows: [Row] = [
        Row(age: 60, answers: true, source: "§3: stale from here on, since age equals lifetime"),
        Row(age: 89, answers: true, source: "§3 \"up to the indicated number of seconds\""),
        Row(age: 90, answers: true, source: "§3 \"up to the indicated number of seconds\""),
        Row(age: 91, answers: false, source: "§3: one second more"),
        Row(stored: "max-age=60", answers: false, source: "RFC 9111 §4.2.4"),
        Row(stored: "max-age=60, stale-while-revalidate=0", age: 61, answers: false, source: "§3: no window"),
        Row(stored: "max-age=60, stale-while-revalidate", age: 61, answers: false, source: "§3 \"= delta-seconds\""),
        Row(stored: "max-age=60, stale-while-revalidate=x", age: 61, answers: false, source: "§3 delta-seconds"),
        Row(stored: "max-age=60, stale-while-revalidate=-9", age: 61, answers: false, source: "§3 delta-seconds"),
        Row(stored: "max-age=60, Stale-While-Revalidate=\"30\"", answers: true, source: "RFC 9111 §5.2, both forms"),
        Row(
            stored: "max-age=60, stale-while-revalidate=99999999999999999999", age: 2_000_000, answers: true,
            source: "RFC 9111 §1.2.2: a number that is too great counts as 2^31"),
        Row(
            stored: "stale-while-revalidate=30", age: 0, answers: true, source: "§3 with a lifetime of zero"),
    ]

    private static let forbidden: [Row] = [
        Row(stored: usual + ", must-revalidate", answers: false, source: "RFC 9111 §5.2.2.2"),
        Row(stored: usual + ", no-cache", answers: false, source: "RFC 9111 §5.2.2.4"),
        Row(stored: usual + ", no-cache", age: 5, answers: false, source: "RFC 9111 §5.2.2.4"),
        Row(stored: usual + ", proxy-revalidate", kind: .shared, answers: false, source: "RFC 9111 §5.2.2.8"),
        Row(stored: usual + ", proxy-revalidate", answers: true, source: "RFC 9111 §5.2.2.8: shared caches only"),
        Row(stored: usual + ", s-maxage=60", kind: .shared, answers: false, source: "RFC 9111 §5.2.2.10"),
        Row(stored: usual + ", s-maxage=60", answers: true, source: "RFC 9111 §5.2.2.10: shared caches only"),
    ]

    private static let presented: [Row] = [
        Row(presented: [.cacheControl: "no-cache"], answers: false, source: "RFC 9111 §5.2.1.4"),
        Row(presented: [.pragma: "no-cache"], answers: false, source: "RFC 9111 §5.4"),
        Row(presented: [.cacheControl: "max-age=60"], answers: false, source: "RFC 9111 §5.2.1.1"),
        Row(presented: [.cacheControl: "max-age=500"], answers: false, source: "RFC 9111 §5.2.1.1, without max-stale"),
        Row(presented: [.cacheControl: "min-fresh=1"], answers: false, source: "RFC 9111 §5.2.1.3"),
        Row(presented: [.acceptLanguage: "de"], answers: true, source: "a field that does not matter"),
    ]

    @Test("the window, and what overrides it", arguments: windows + forbidden + presented)
    func decides(_ row: Row) async throws {
        let bench = try await bench(row.stored, age: row.age, cacheKind: row.kind)
        let (response, text) = try await bench.text("/a", row.presented)
        #expect(text == (row.answers ? "old" : "new"))
        if row.answers {
            #expect(response.head.headerFields[.age] == String(row.age))
            #expect(response.cacheStatus.isHit)
        }
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 2)
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(try await bench.stored("/a") == "new")
    }

    @Test("one validation runs per key for any number of requests; another key has its own")
    func oneAtATime() async throws {
        let bench = try Bench()
        let gate = Gate()
        for path in ["/a", "/b"] {
            bench.answer(path, 200, [.cacheControl: Self.usual, .eTag: "\"1\""], body: path)
            try await bench.fill(path)
            bench.transport.on(Bench.base + path) { _ in
                try await gate.pass()
                return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: Self.usual])
            }
        }
        bench.clock.advance(by: .seconds(70))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<60 { group.addTask { try await bench.text(number % 2 == 0 ? "/a" : "/b").text } }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts.sorted() == Array(repeating: "/a", count: 30) + Array(repeating: "/b", count: 30))
        try await gate.arrivals(2)
        gate.open()
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 4)
        #expect(try await bench.seen("/a") == Seen(200, "/a", requests: 0))
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: @Sendable (TransportRequest) throws -> TransportResponse
        /// What the next request gets, and how many requests the origin gets for it.
        var next: Seen
        var testDescription: String { name }
    }

    private static let answers: [Answer] = [
        Answer(
            name: "304",
            answer: { _ in ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"]) },
            next: Seen(200, "old", requests: 0)),
        Answer(
            name: "200",
            answer: { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "new") },
            next: Seen(200, "new", requests: 0)),
        // RFC 9111 §4.3.3: "a cache … can … send the stored response" or forward the error; nobody waits for it here.
        Answer(
            name: "503", answer: { _ in ScriptedTransport.answer(503, body: "down") },
            next: Seen(200, "old", requests: 1)),
        Answer(name: "failure", answer: Bench.unreachable, next: Seen(200, "old", requests: 1)),
        Answer(
            name: "certificate",
            answer: { _ in throw TransportError(code: .certificateUntrusted, message: "Bad.") },
            next: Seen(200, "old", requests: 1)),
        // RFC 9111 §4.3.3: "a full response … indicates that none of the stored responses … are suitable".
        Answer(
            name: "no-store",
            answer: { _ in ScriptedTransport.answer(200, [.cacheControl: "no-store"], body: "private") },
            next: Seen(200, "private", requests: 1)),
        Answer(
            name: "Vary: *", answer: { _ in ScriptedTransport.answer(200, [.vary: "*"], body: "each") },
            next: Seen(200, "each", requests: 1)),
        Answer(
            name: "403", answer: { _ in ScriptedTransport.answer(403, body: "no") },
            next: Seen(403, "no", requests: 1)),
        Answer(
            name: "429", answer: { _ in ScriptedTransport.answer(429, body: "later") },
            next: Seen(200, "old", requests: 1)),
    ]

    @Test("the answer to the validation in the background decides what the next request gets", arguments: answers)
    func brings(_ row: Answer) async throws {
        let bench = try await bench(age: 70)
        bench.transport.on(Bench.base + "/a") { try row.answer($0) }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a") == row.next)
    }

    @Test("§3: after the window a failed validation is repeated in the foreground")
    func pastTheWindow() async throws {
        let bench = try await bench(age: 70)
        bench.answer("/a", 503, [:], body: "down")
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        bench.clock.advance(by: .seconds(21))
        #expect(try await bench.seen("/a") == Seen(503, "down", requests: 1))
    }

    @Test(
        "validations beyond the limit wait for their turn: the last file of a page is asked about as the first one is")
    func limit() async throws {
        let gate = Gate()
        let bench = try Bench { $0.backgroundLimit = 2 }
        let paths = (0..<4).map { "/\($0)" }
        for path in paths {
            bench.answer(path, 200, [.cacheControl: Self.usual, .eTag: "\"1\""], body: path)
            try await bench.fill(path)
            bench.transport.on(Bench.base + path) { _ in
                try await gate.pass()
                return ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: Self.usual])
            }
        }
        bench.clock.advance(by: .seconds(70))
        for path in paths { #expect(try await bench.text(path).text == path) }
        try await gate.arrivals(2)
        #expect(bench.transport.requests.count == 4 + 2)
        // One that waits is not noted twice.
        for path in paths { #expect(try await bench.text(path).text == path) }
        gate.open()
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 4 + 4)
        for path in paths { #expect(try await bench.seen(path) == Seen(200, path, requests: 0)) }
    }

    @Test("a host that is silent keeps no other one's files from being asked about")
    func silentHost() async throws {
        let gate = Gate()
        let bench = try Bench { $0.backgroundLimit = 4 }
        let silent = (0..<8).map { "https://silent.example/\($0)" }
        let others = (0..<8).map { Bench.base + "/\($0)" }
        func ask(_ url: String) async throws -> String {
            let parts = try #require(TargetURI.split(url))
            let head = HTTPRequest(method: .get, scheme: "https", authority: parts.authority, path: parts.path)
            return try await Bench.read(await bench.cache.respond(to: EngineRequest(head: head)))
        }
        let fields: HTTPFields = [.cacheControl: Self.usual, .eTag: "\"1\""]
        for url in silent + others {
            bench.transport.on(url) { _ in ScriptedTransport.answer(200, fields, body: "old") }
            #expect(try await ask(url) == "old")
        }
        await bench.cache.waitForBackgroundWork()
        for url in silent {
            bench.transport.on(url) { _ in
                try await gate.pass()
                return ScriptedTransport.answer(304, fields)
            }
        }
        for url in others { bench.transport.on(url) { _ in ScriptedTransport.answer(304, fields) } }
        bench.clock.advance(by: .seconds(70))
        for url in silent + others { #expect(try await ask(url) == "old") }
        // Each was asked twice by now; the silent ones are still waited for.
        for url in others {
            while bench.transport.requests(to: url).count < 2 { await Task.yield() }
        }
        gate.open()
        await bench.cache.waitForBackgroundWork()
        for url in silent { #expect(bench.transport.requests(to: url).count == 2) }
    }

    @Test("a validation whose answer breaks off leaves the stored response, which still answers")
    func brokenOff() async throws {
        let bench = try await bench(age: 70)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: Self.usual, .eTag: "\"2\""], streaming: body, length: 9)
        }
        #expect(try await bench.text("/a", context: ExchangeContext(timeout: .seconds(3))).text == "old")
        body.send("new")
        try await body.pulled(atLeast: 3)
        #expect(bench.transport.requests.last?.timeout == .seconds(3))
        body.end(throwing: TransportError(code: .connectionFailed, message: "It broke off."))
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.stored("/a") == "old")
        bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
        #expect(try await bench.text("/a").text == "old")
    }

    struct Part: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method
        var fields: HTTPFields
        var expected: Seen
        var testDescription: String { "\(method) \(fields)" }
    }

    @Test(
        "requests for a part start a validation of the whole",
        arguments: [
            Part(method: .head, fields: [:], expected: Seen(200, "", requests: 1)),
            Part(method: .get, fields: [.range: "bytes=1-1"], expected: Seen(206, "l", requests: 1)),
            Part(
                method: .get, fields: [.range: "bytes=1-1", .ifRange: "\"1\""], expected: Seen(206, "l", requests: 1)),
            Part(method: .get, fields: [.ifNoneMatch: "\"1\""], expected: Seen(304, "", requests: 1)),
        ])
    func whole(_ row: Part) async throws {
        let bench = try await bench(age: 70)
        #expect(try await bench.seen("/a", row.fields, method: row.method) == row.expected)
        let sent = try #require(bench.transport.requests.last).head
        #expect(sent.method == .get)
        #expect(sent.headerFields[.range] == nil && sent.headerFields[.ifRange] == nil)
        #expect(sent.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(try await bench.seen("/a") == Seen(200, "new", requests: 0))
    }

    @Test("the validation is reported as one in the background, and its client's exchange only once")
    func reports() async throws {
        let bench = try await bench(age: 70)
        _ = try await bench.seen("/a")
        let reports = try await bench.recorder.reports(atLeast: 3).dropFirst()
        #expect(reports.filter(\.isBackground).map(\.outcome) == [.stored])
        #expect(reports.filter { !$0.isBackground }.map(\.outcome) == [.staleHit])
    }

    @Test("after the window, a request during the validation shares its answer")
    func joinsValidation() async throws {
        let bench = try await bench(age: 70)
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, [.cacheControl: Self.usual, .eTag: "\"2\""], body: "new")
        }
        #expect(try await bench.text("/a").text == "old")
        try await gate.arrivals(1)
        bench.clock.advance(by: .seconds(21))
        let late = Task { try await bench.text("/a").text }
        gate.open()
        #expect(try await late.value == "new")
        #expect(bench.transport.requests.count == 2)
    }
}
