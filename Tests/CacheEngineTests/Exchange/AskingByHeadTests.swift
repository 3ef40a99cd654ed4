import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.3: validating by HEAD first, when a rule says so", .timeLimit(.minutes(5)))
struct AskingByHeadTests {
    private static let rules = RuleList([Rule("slow", .followProtocol, validation: .head)])
    private static let modified = "Tue, 14 Nov 2023 10:00:00 GMT"
    private static let stored: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: modified]

    /// Answers HEAD as told, and GET with `new` whatever its conditions, like an origin that HEAD first is meant for.
    private static func origin(
        _ status: Int, _ fields: HTTPFields, get: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"2\""]
    ) -> ScriptedTransport.Handler {
        { request in
            guard request.head.method == .head else { return ScriptedTransport.answer(200, get, body: "new") }
            return TransportResponse(
                head: HTTPResponse(status: .init(code: status), headerFields: fields), body: ScriptedBody([]),
                bodyLength: 0)
        }
    }

    /// A store with `old` under `/a`, stale.
    private func bench(
        _ fields: HTTPFields = stored, rules: RuleList = rules, kind: Bench.StoreKind = .memory,
        origin: @escaping ScriptedTransport.Handler
    ) async throws -> Bench {
        let bench = try Bench(kind, rules: rules)
        bench.answer("/a", 200, fields, body: "old")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.transport.on(Bench.base + "/a", origin)
        return bench
    }

    /// The methods sent after the store was filled, each with a `?` if the request had conditions.
    private func sent(_ bench: Bench, since count: Int = 1) -> [String] {
        bench.transport.requests.dropFirst(count).map { request in
            request.head.method.rawValue + (ConditionalRequest.isConditional(request.head.headerFields) ? "?" : "")
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var stored: HTTPFields
        var status: Int
        var head: HTTPFields
        var sent: [String]
        var source: String

        init(
            stored: HTTPFields = AskingByHeadTests.stored, _ status: Int, _ head: HTTPFields, _ sent: [String],
            _ source: String
        ) {
            (self.stored, self.status, self.head, self.sent, self.source) = (stored, status, head, sent, source)
        }

        var testDescription: String { "\(status) \(head): \(sent), \(source)" }
    }

    private static let saved = ["HEAD?"]
    private static let fetched = ["HEAD?", "GET"]
    private static let validated = ["HEAD?", "GET?"]
    private static let weak: HTTPFields = [.cacheControl: "max-age=60", .eTag: "W/\"1\"", .lastModified: modified]

    private static let rows: [Row] =
        [
            Row(304, [.eTag: "\"1\""], saved, "§4.3.4: selected by the same strong validator"),
            Row(304, [:], saved, "§4.3.4: without a validator, it confirms the one response that was validated"),
            Row(304, [.eTag: "\"9\""], fetched, "§4.3.4: it confirms a response that is not stored"),
            Row(200, [.eTag: "\"1\""], saved, "§4.3.5: the same strong entity tag"),
            Row(200, [.eTag: "\"1\"", .contentLength: "3"], saved, "§4.3.5: and the same length"),
            Row(200, [.eTag: "\"1\"", .contentLength: "4"], fetched, "§4.3.5: \"Content-Length … match\""),
            Row(200, [.lastModified: modified, .contentLength: "3"], saved, "§4.3.5: the same date and length"),
            Row(200, [.lastModified: modified], fetched, "RFC 9110 §8.8.2.2: a date alone is no strong validator"),
            Row(200, [.contentLength: "3"], fetched, "a length is no validator (RFC 9110 §8.8)"),
            Row(
                200, [.eTag: "\"2\"", .lastModified: modified, .contentLength: "3"], fetched,
                "§4.3.5: another entity tag"),
            Row(
                200, [.eTag: "\"1\"", .lastModified: "Tue, 14 Nov 2023 11:00:00 GMT"], fetched,
                "§4.3.5: another Last-Modified"),
            Row(200, [:], fetched, "nothing to compare"),
            Row(200, [.eTag: "\"1\"", .vary: "*"], fetched, "§4.1: a Vary of * always fails to match"),
            Row(stored: weak, 200, [.eTag: "W/\"1\""], fetched, "RFC 9110 §8.8.3: a weak tag identifies no bytes"),
            Row(
                stored: weak, 200, [.eTag: "W/\"1\"", .lastModified: modified, .contentLength: "3"], saved,
                "§4.3.5: with date and length it matches"),
        ]
        + [204, 301, 400, 403, 404, 405, 429, 500, 501, 503].map {
            Row($0, [.eTag: "\"1\""], validated, "RFC 9110 §9.3.2 wants the fields of GET; without them ask by GET")
        }

    @Test("what the answer to HEAD leads to", arguments: rows, Bench.StoreKind.allCases)
    func answers(_ row: Row, _ kind: Bench.StoreKind) async throws {
        var head = row.head
        head[.cacheControl] = "max-age=600"
        head[.server] = "asked"
        let bench = try await bench(row.stored, kind: kind, origin: Self.origin(row.status, head))
        let (response, text) = try await bench.text("/a")
        await bench.cache.waitForBackgroundWork()
        #expect(sent(bench) == row.sent)
        let isSaved = row.sent == Self.saved
        #expect(text == (isSaved ? "old" : "new") && response.head.status == .ok)
        #expect(response.cacheStatus.detail == (isSaved ? "slow/head" : "slow/head-get"))
        #expect(response.cacheStatus.forward == .stale && !response.cacheStatus.isHit)
        #expect(response.cacheStatus.forwardStatus == (isSaved ? row.status : nil))
        if isSaved {
            #expect(response.head.headerFields[.server] == "asked" && response.head.headerFields[.age] == "0")
            #expect(response.cacheStatus.timeToLive == 600)
        }
        // The stored response is updated or replaced.
        #expect(try await bench.seen("/a") == Seen(200, isSaved ? "old" : "new", requests: 0))
        let headProbe = try #require(bench.transport.requests.dropFirst().first?.head.headerFields)
        #expect(headProbe[.ifNoneMatch] == row.stored[.eTag] && headProbe[.ifModifiedSince] == Self.modified)
    }

    @Test("after a HEAD that is refused, a GET with conditions is answered by 304 as usual (§4.3.3)")
    func refused() async throws {
        let bench = try await bench { request in
            request.head.method == .head
                ? ScriptedTransport.answer(405, [:])
                : ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 2))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 0))
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var code: TransportError.Code
        /// The text of the answer; `nil` for an error answer of the cache's own.
        var text: String?
        var sent: [String]
        var source: String
        var testDescription: String { source }
    }

    @Test(
        "a HEAD that fails",
        arguments: [
            Failure(code: .connectionFailed, text: "old", sent: saved, source: "§4.2.4: the origin can't be reached"),
            Failure(code: .timedOut, text: "old", sent: saved, source: "§4.2.4: the origin does not answer in time"),
            Failure(code: .closedEarly, text: "new", sent: validated, source: "a server that closes on HEAD"),
            Failure(code: .malformedResponse, text: "new", sent: validated, source: "a server that sends content"),
            Failure(code: .certificateUntrusted, text: nil, sent: saved, source: "a bad certificate is never hidden"),
        ])
    func failures(_ row: Failure) async throws {
        let bench = try await bench { request in
            if request.head.method == .head { throw TransportError(code: row.code, message: "no") }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "new")
        }
        let (response, text) = try await bench.text("/a")
        #expect((response.failure == nil ? text : nil) == row.text)
        #expect(sent(bench) == row.sent)
    }

    @Test("if the GET that follows fails, the stored response answers where §4.2.4 lets it")
    func getFails() async throws {
        let bench = try await bench { request in
            if request.head.method == .head { return ScriptedTransport.answer(200, [.eTag: "\"2\""]) }
            throw TransportError(code: .connectionFailed, message: "gone")
        }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 2))
    }

    /// How much of 2 s the HEAD takes, what remains for the GET (`nil`: not sent), and what the page gets.
    @Test(
        "HEAD and GET share one time-out, the rule's or the request's",
        arguments: [(0, 2_000, "new"), (1_500, 500, "new"), (2_000, nil, "old"), (3_000, nil, "old")], [true, false])
    func deadline(_ row: (taken: Int, left: Int?, text: String), _ isRules: Bool) async throws {
        let limit = Duration.seconds(2)
        let rules = isRules ? RuleList([Rule("slow", .networkFirst(timeout: limit), validation: .head)]) : Self.rules
        let bench = try await bench(rules: rules) { _ in throw TransportError(code: .timedOut, message: "") }
        let answer = Self.origin(200, [.eTag: "\"2\""])
        bench.transport.on(Bench.base + "/a") { request in
            if request.head.method == .head { bench.clock.advance(by: .milliseconds(row.taken)) }
            return try await answer(request)
        }
        let context = ExchangeContext(timeout: isRules ? nil : limit)
        #expect(try await bench.text("/a", context: context).text == row.text)
        let timeouts = bench.transport.requests.dropFirst().prefix(2).map(\.timeout)
        #expect(timeouts.first == limit)
        // After the rule's time-out the origin is asked again in the background, without a time-out.
        #expect(timeouts.dropFirst().compactMap { $0 } == (row.left.map { [.milliseconds($0)] } ?? []))
        await bench.cache.waitForBackgroundWork()
    }

    @Test("a 304 or a 200 that forbids storing confirms for this request only (§5.2.2.5)", arguments: [304, 200])
    func noStore(_ status: Int) async throws {
        let bench = try await bench(origin: Self.origin(status, [.eTag: "\"1\"", .cacheControl: "no-store"]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
    }

    @Test("no-cache and a client's reload are satisfied by a HEAD as well (§5.2.2.4, §5.2.1.4)")
    func noCache() async throws {
        var fields = Self.stored
        fields[.cacheControl] = "no-cache"
        let bench = try await bench(fields, origin: Self.origin(200, [.eTag: "\"1\""]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a", [.cacheControl: "no-cache"]) == Seen(200, "old", requests: 1))
        #expect(sent(bench) == ["HEAD?", "HEAD?"])
        #expect(bench.transport.requests.last?.head.headerFields[.cacheControl] == "no-cache")
    }

    @Test("a HEAD has no range (RFC 9110 §14.2): the range is answered from the confirmed response, or by the GET")
    func ranges() async throws {
        let confirmed = try await bench(origin: Self.origin(304, [.eTag: "\"1\""]))
        #expect(try await confirmed.seen("/a", [.range: "bytes=1-"]) == Seen(206, "ld", requests: 1))
        #expect(confirmed.transport.requests.last?.head.headerFields[.range] == nil)
        let other = try await bench(origin: Self.origin(200, [.eTag: "\"2\""]))
        #expect(try await other.seen("/a", [.range: "bytes=1-"]) == Seen(200, "new", requests: 2))
        #expect(other.transport.requests.last?.head.headerFields[.range] == "bytes=1-")
    }

    @Test("a client's own condition is evaluated against the response that the HEAD confirmed (§4.3.2)")
    func conditions() async throws {
        let bench = try await bench(origin: Self.origin(200, [.eTag: "\"1\""]))
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"1\""]) == Seen(304, "", requests: 1))
        bench.clock.advance(by: .seconds(100))
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"0\""]) == Seen(200, "old", requests: 1))
    }

    @Test("the GET after a wasted HEAD has the client's conditions alone, so its 304 is the client's (§4.3.2)")
    func clientsNotModified() async throws {
        let bench = try await bench { request in
            let fields: HTTPFields = [.eTag: "\"2\"", .cacheControl: "max-age=60"]
            return ScriptedTransport.answer(request.head.method == .head ? 200 : 304, fields)
        }
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"2\""]) == Seen(304, "", requests: 2))
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"2\"")
        #expect(bench.transport.requests.last?.head.headerFields[.ifModifiedSince] == nil)
        // That 304 confirmed no stored response.
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "new")
        #expect(try await bench.seen("/a").text == "new")
    }

    @Test("concurrent requests share one HEAD, and one GET if it was wasted (§4)", arguments: [true, false])
    func collapsed(_ isSaved: Bool) async throws {
        let gate = Gate()
        let origin = Self.origin(200, [.eTag: isSaved ? "\"1\"" : "\"2\"", .cacheControl: "max-age=60"])
        let bench = try await bench { request in
            if request.head.method == .head { try await gate.pass() }
            return try await origin(request)
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await bench.text("/a").text } }
            try await gate.arrivals(1)
            gate.open()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == Array(repeating: isSaved ? "old" : "new", count: 10))
        #expect(sent(bench) == (isSaved ? Self.saved : Self.fetched))
    }

    @Test("a validation in the background asks by HEAD as well (RFC 5861 §3)")
    func background() async throws {
        let rules = RuleList([Rule("slow", .staleWhileRevalidate(for: nil), validation: .head)])
        let bench = try await bench(
            rules: rules, origin: Self.origin(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(sent(bench) == Self.saved)
    }

    @Test("only a GET for a whole 200 with a validator begins with a HEAD, and only under the rule")
    func notAsked() async throws {
        let get = Self.origin(200, [.eTag: "\"1\""])
        let plain = try await bench(rules: RuleList([Rule("plain", .followProtocol)]), origin: get)
        _ = try await plain.seen("/a")
        #expect(sent(plain) == ["GET?"])
        let bare = try await bench([.cacheControl: "max-age=60"], origin: get)
        _ = try await bare.seen("/a")
        #expect(sent(bare) == ["GET"])
        let head = try await bench(origin: get)
        _ = try await head.seen("/a", method: .head)
        #expect(sent(head) == ["HEAD?"])
        #expect(head.recorder.reports.last?.cacheStatus.detail == "slow")
        let missing = try Bench(rules: Self.rules)
        missing.answer("/a", 404, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "none")
        try await missing.fill("/a")
        missing.clock.advance(by: .seconds(100))
        _ = try await missing.seen("/a")
        #expect(sent(missing) == ["GET?"])
    }

    @Test("after three wasted HEADs in a row the host is asked by GET for an hour, then by HEAD again")
    func pays() async throws {
        let bench = try await bench(origin: Self.origin(405, [:]))
        func methods() async throws -> [String] {
            let before = bench.transport.requests.count
            bench.clock.advance(by: .seconds(100))
            _ = try await bench.seen("/a")
            return sent(bench, since: before)
        }
        for _ in 1...3 { #expect(try await methods() == Self.validated) }
        for _ in 1...3 { #expect(try await methods() == ["GET?"]) }
        bench.clock.advance(by: HeadProbeHistory.pause)
        // One HEAD tries, and decides for another hour.
        #expect(try await methods() == Self.validated)
        #expect(try await methods() == ["GET?"])
        bench.clock.advance(by: HeadProbeHistory.pause)
        bench.transport.on(Bench.base + "/a", Self.origin(200, [.eTag: "\"2\"", .cacheControl: "max-age=60"]))
        #expect(try await methods() == Self.saved)
        #expect(try await methods() == Self.saved)
    }

    @Test("a HEAD that saves a GET resets the count; beyond the limit the oldest host is forgotten")
    func trials() {
        let trials = HeadProbeHistory()
        func note(_ host: String, _ saved: [Bool], at uptime: Int = 0) {
            for saved in saved { trials.note(host, saved: saved, at: .seconds(uptime)) }
        }
        note("a.test", [false, false, true, false, false])
        #expect(trials.mayAsk("a.test", at: .zero))
        note("a.test", [false])
        #expect(!trials.mayAsk("a.test", at: .seconds(3_599)) && trials.mayAsk("a.test", at: .seconds(3_600)))
        #expect(trials.mayAsk("b.test", at: .zero))
        for number in 1...HeadProbeHistory.limit { note("\(number).test", [false, false, false], at: number) }
        #expect(trials.mayAsk("a.test", at: .seconds(300)))
        #expect(!trials.mayAsk("1.test", at: .seconds(300)))
    }

    @Test("an explanation says that HEAD comes first, or why it does not")
    func explained() async throws {
        let bench = try await bench(origin: Self.origin(405, [:]))
        func explanation() async -> Explanation {
            await bench.cache.explain(
                EngineRequest(
                    head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")))
        }
        let first = await explanation()
        #expect(first.answer == .validated && first.summary.contains("is asked by HEAD with If-None-Match: \"1\""))
        #expect(first.cacheStatus == "Larder; fwd=stale; detail=slow/head")
        for _ in 1...3 {
            _ = try await bench.seen("/a")
            bench.clock.advance(by: .seconds(100))
        }
        let later = await explanation()
        #expect(later.summary.contains("the origin is asked with If-None-Match"))
        #expect(later.steps.contains { $0.title == "HEAD first" && $0.finding.contains("the last 3") })
        #expect(later.cacheStatus == "Larder; fwd=stale; detail=slow")
    }
}
