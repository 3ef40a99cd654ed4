import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

/// What the engine does under each verdict, as documented, with a response stored some time ago and an origin that can
/// or can't be reached.
@Suite("Verdict", .timeLimit(.minutes(5)))
struct VerdictTests {
    enum Network: Sendable { case online, unreachable, failing, disconnected }

    enum Result: Hashable, Sendable {
        /// From the store, without a request to the origin.
        case served
        /// From the store, and validated in the background.
        case servedAndValidated
        /// From the store, in place of a failed response.
        case stoodIn
        case validated
        /// From the origin, by a request without conditions.
        case fetched
        case failed
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var rule: Rule
        /// The `Cache-Control` that the origin sends; nothing for none, with content that is older than any guess (RFC
        /// 9111 §4.2.2) goes.
        var stated: String
        var age: Int64
        var network = Network.online
        var result: Result
        var testDescription: String { "\(rule.verdict), \(stated), \(age) s, \(network): \(result)" }
    }

    private static func row(
        _ verdict: Verdict, _ stated: String, age: Int64, _ result: Result, _ network: Network = .online,
        ignoring: Set<OverridableDirective> = [], expiry: Duration? = nil
    ) -> Row {
        Row(
            rule: Rule("test", verdict, ignoring: ignoring, expiry: expiry), stated: stated, age: age, network: network,
            result: result)
    }

    static let rows: [Row] = [
        row(.followProtocol, "max-age=60", age: 10, .served), row(.followProtocol, "max-age=60", age: 100, .validated),
        row(.followProtocol, "", age: 100_000, .served), row(.followProtocol, "", age: 700_000, .validated),
        row(.neverStore, "max-age=60", age: 10, .fetched),
        row(.neverStore, "max-age=60", age: 10, .failed, .disconnected),
        row(.bypass, "max-age=60", age: 10, .fetched),
        row(.reload(.local), "max-age=60", age: 10, .fetched),
        row(.reload(.everyCache), "max-age=60", age: 10, .fetched),
        row(.revalidate, "max-age=60", age: 10, .validated),
        row(.revalidate, "max-age=60", age: 10, .failed, .unreachable),
        row(.revalidate, "max-age=60, stale-if-error=900", age: 10, .failed, .failing),
        row(.fresh(for: .seconds(900)), "max-age=1", age: 60, .served),
        row(.fresh(for: .seconds(900)), "no-cache", age: 60, .served),
        row(.fresh(for: .seconds(900)), "max-age=9000", age: 1_000, .validated),
        row(.fresh(for: .seconds(900)), "no-store", age: 60, .fetched),
        row(.fresh(for: .seconds(900)), "no-store", age: 60, .served, ignoring: [.noStore]),
        row(.fresh(for: .seconds(900)), "no-store", age: 60, .fetched, ignoring: [.vary, .private]),
        row(.permanent, "max-age=1", age: 100_000_000, .served), row(.permanent, "no-cache", age: 1_000, .served),
        row(.permanent, "no-store", age: 1_000, .fetched),
        row(.permanent, "max-age=1", age: 1_000, .validated, expiry: .seconds(900)),
        row(.permanent, "max-age=1", age: 800, .served, expiry: .seconds(900)),
        row(.cacheFirst, "max-age=0, must-revalidate", age: 100_000, .served),
        row(.cacheFirst, "no-cache", age: 100_000, .served),
        row(.cacheFirst, "no-cache", age: 100_000, .validated, expiry: .seconds(900)),
        row(.cacheFirst, "no-cache", age: 800, .served, expiry: .seconds(900)),
        row(.networkFirst(timeout: nil), "max-age=60", age: 10, .validated),
        row(.networkFirst(timeout: nil), "max-age=60, must-revalidate", age: 100_000, .stoodIn, .unreachable),
        row(.networkFirst(timeout: nil), "no-cache", age: 100_000, .stoodIn, .failing),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60", age: 10, .served),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60", age: 100, .servedAndValidated),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60, must-revalidate", age: 100, .servedAndValidated),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60", age: 200, .validated),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=9000, no-cache", age: 30, .servedAndValidated),
        row(.staleWhileRevalidate(for: nil), "max-age=60", age: 100_000, .servedAndValidated),
        row(.staleWhileRevalidate(for: .seconds(60)), "", age: 30, .servedAndValidated),
        row(.staleWhileRevalidate(for: .seconds(60)), "", age: 90, .validated),
        row(.staleIfError(for: .seconds(60)), "max-age=60, must-revalidate", age: 100, .stoodIn, .unreachable),
        row(.staleIfError(for: .seconds(60)), "max-age=60, must-revalidate", age: 100, .stoodIn, .failing),
        row(.staleIfError(for: .seconds(60)), "max-age=60, must-revalidate", age: 200, .failed, .unreachable),
        row(.staleIfError(for: .seconds(60)), "max-age=60", age: 100, .validated),
        row(.onlyIfStored, "max-age=60", age: 100_000, .served),
    ]

    /// What each verdict does without a network; the origin could be reached, but gets no request.
    static let disconnectedRows: [Row] = [
        row(.followProtocol, "max-age=60", age: 10, .served, .disconnected),
        row(.followProtocol, "max-age=60", age: 100, .served, .disconnected),
        row(.followProtocol, "max-age=60, must-revalidate", age: 100, .failed, .disconnected),
        row(.followProtocol, "max-age=60, no-cache", age: 10, .failed, .disconnected),
        row(.neverStore, "max-age=60", age: 10, .failed, .disconnected),
        row(.bypass, "max-age=60", age: 10, .failed, .disconnected),
        row(.reload(.local), "max-age=60", age: 100, .served, .disconnected),
        row(.reload(.everyCache), "max-age=60", age: 10, .served, .disconnected),
        row(.reload(.local), "max-age=60, must-revalidate", age: 100, .failed, .disconnected),
        row(.revalidate, "max-age=60", age: 10, .failed, .disconnected),
        row(.fresh(for: .seconds(900)), "no-cache", age: 60, .served, .disconnected),
        row(.fresh(for: .seconds(900)), "max-age=60", age: 1_000, .served, .disconnected),
        row(.permanent, "no-cache", age: 100_000, .served, .disconnected),
        row(.permanent, "max-age=60", age: 1_000, .served, .disconnected, expiry: .seconds(900)),
        row(.cacheFirst, "no-cache", age: 100_000, .served, .disconnected),
        row(.cacheFirst, "max-age=60", age: 1_000, .served, .disconnected, expiry: .seconds(900)),
        row(.networkFirst(timeout: nil), "no-cache", age: 100_000, .served, .disconnected),
        row(.networkFirst(timeout: .seconds(2)), "max-age=60, must-revalidate", age: 100, .served, .disconnected),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60, must-revalidate", age: 100, .served, .disconnected),
        row(.staleWhileRevalidate(for: .seconds(60)), "max-age=60", age: 200, .served, .disconnected),
        row(.staleWhileRevalidate(for: nil), "max-age=60", age: 100_000, .served, .disconnected),
        row(.staleIfError(for: .seconds(60)), "max-age=60, must-revalidate", age: 100, .served, .disconnected),
        row(.staleIfError(for: .seconds(60)), "max-age=60, must-revalidate", age: 200, .failed, .disconnected),
        row(.onlyIfStored, "no-cache", age: 100_000, .served, .disconnected),
    ]

    @Test("look-up, forwarding and storing", arguments: rows + disconnectedRows)
    func behaviour(_ row: Row) async throws {
        let bench = try Bench()
        let stated = row.stated
        bench.transport.on(Bench.base + "/a") { request in
            let fields: HTTPFields =
                stated.isEmpty
                ? [.lastModified: "Mon, 01 Jan 1990 00:00:00 GMT", .eTag: "\"1\""]
                : [.cacheControl: stated, .eTag: "\"1\""]
            if request.head.headerFields[.ifNoneMatch] == "\"1\"" { return ScriptedTransport.answer(304, fields) }
            return ScriptedTransport.answer(200, fields, body: "content")
        }
        // A response that the protocol lets be stored is stored before the rule is set, others only under the rule.
        if stated == "no-store" { bench.cache.rules = RuleList([row.rule]) }
        _ = try await bench.text("/a")
        await bench.cache.waitForBackgroundWork()
        bench.cache.rules = RuleList([row.rule])
        bench.clock.advance(by: .seconds(row.age))
        switch row.network {
        case .online, .disconnected: break
        case .unreachable: bench.transport.on(Bench.base + "/a", Bench.unreachable)
        case .failing: bench.answer("/a", 503, [:])
        }
        let context = ExchangeContext(connectivity: row.network == .disconnected ? .disconnected : .connected)
        let (response, text) = try await bench.text("/a", context: context)
        await bench.cache.waitForBackgroundWork()
        let later = bench.transport.requests.dropFirst()
        let isConditional = later.last?.head.headerFields.contains(.ifNoneMatch)
        #expect(response.failure != nil || text == "content" || row.result == .failed)
        switch row.result {
        case .served: #expect(later.isEmpty && response.cacheStatus.isHit)
        case .servedAndValidated: #expect(later.count == 1 && isConditional == true && response.cacheStatus.isHit)
        case .stoodIn: #expect(later.count == 1 && text == "content")
        case .validated: #expect(later.count == 1 && isConditional == true && response.head.status == .ok)
        case .fetched: #expect(later.count == 1 && isConditional == false && response.head.status == .ok)
        case .failed: #expect(response.head.status.kind == .serverError)
        }
        if row.network == .disconnected { #expect(later.isEmpty) }
        if row.network == .online { #expect(response.cacheStatus.detail == "test") }
    }

    @Test(
        "without a network nothing is sent: for a miss, for a method other than GET, or for a client's reload"
    )
    func nothingLeaves() async throws {
        for rules in [RuleList.protocolOnly, RuleList([Rule("test", .networkFirst(timeout: nil))]), .webViewDefaults] {
            let bench = try Bench(rules: rules)
            bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "content")
            for method in [HTTPRequest.Method.get, .head, .post, .put, .delete, .options] {
                let response = await bench.send("/a", method: method, context: Bench.disconnected)
                #expect(response.failure?.code == .disconnected, "\(method)")
            }
            for mode in CacheMode.allCases {
                let context = ExchangeContext(connectivity: .disconnected, mode: mode)
                let code = await bench.send("/a", context: context).failure?.code
                #expect(code == .disconnected || code == .notStored, "\(mode)")
            }
            #expect(bench.transport.requests.isEmpty)
        }
    }

    @Test("a reload while the origin fails: a file that a rule lets be shown stale stands in, as its page does")
    func reloads() async throws {
        for window in [nil, Duration.seconds(60)] {
            let bench = try Bench(rules: RuleList([Rule("test", .staleWhileRevalidate(for: window))]))
            bench.answer("/a", 200, [.eTag: "\"1\""], body: "content")
            _ = try await bench.text("/a")
            await bench.cache.waitForBackgroundWork()
            bench.answer("/a", 502, [:])
            for reload in ["no-cache", "max-age=0"] {
                #expect(try await bench.text("/a", [.cacheControl: reload]).text == "content", "\(reload)")
            }
            bench.clock.advance(by: .seconds(100))
            #expect(try await bench.text("/a", [.cacheControl: "no-cache"]).text == (window == nil ? "content" : ""))
        }
    }

    @Test(
        "the verdict does not apply to an error, but to the response that follows it",
        arguments: [
            Verdict.permanent, .cacheFirst, .fresh(for: .seconds(9_000)), .staleWhileRevalidate(for: .seconds(9_000)),
        ])
    func errors(_ verdict: Verdict) async throws {
        let bench = try Bench()
        bench.cache.rules = RuleList([Rule("test", verdict)])
        bench.answer("/a", 404, [.eTag: "\"1\""])
        _ = try await bench.text("/a")
        bench.answer("/b", 404, [.cacheControl: "max-age=60"])
        _ = try await bench.text("/b")
        // The response's own terms: RFC 9111 §4.2.
        #expect(try await bench.text("/b").0.cacheStatus.isHit)
        bench.clock.advance(by: .seconds(100))
        for path in ["/a", "/b"] {
            bench.answer(path, 200, [:], body: "content")
            #expect(try await bench.text(path).0.head.status == .ok)
        }
        await bench.cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(100))
        for path in ["/a", "/b"] {
            let (response, text) = try await bench.text(path)
            #expect(response.cacheStatus.isHit && response.cacheStatus.detail == "test" && text == "content")
        }
    }

    @Test("never-store removes a response stored before it; bypass leaves it alone")
    func removal() async throws {
        for (verdict, isKept) in [(Verdict.neverStore, false), (.bypass, true)] {
            let bench = try Bench()
            bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "content")
            try await bench.fill("/a")
            bench.cache.rules = RuleList([Rule("test", verdict)])
            _ = try await bench.text("/a")
            #expect(try await bench.store.entries(for: bench.key("/a")).isEmpty != isKept)
        }
    }

    @Test("Cache-Status of a response that a disconnected cache serves stale says that there was no network")
    func detail() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "content")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        let (response, text) = try await bench.text("/a", context: Bench.disconnected)
        #expect(text == "content" && response.cacheStatus.isHit)
        #expect(response.cacheStatus.detail == "disconnected")
    }

    @Test("a reload past every cache tells the caches on the way, a reload past this one does not")
    func reach() async throws {
        for (reach, said) in [(Verdict.Reach.local, nil), (.everyCache, "no-cache")] {
            let bench = try Bench(rules: RuleList([Rule("test", .reload(reach))]))
            bench.answer("/a", 200, [.cacheControl: "max-age=60"])
            _ = try await bench.text("/a")
            #expect(bench.transport.requests.last?.head.headerFields[.cacheControl] == said)
        }
    }

    @Test("network-first: a stored response answers when the origin is too slow; without one the client waits")
    func tooSlow() async throws {
        let bench = try Bench(rules: RuleList([Rule("test", .networkFirst(timeout: .seconds(3)))]))
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        #expect(bench.transport.requests.last?.timeout == nil)
        bench.transport.on(Bench.base + "/a") { request in
            guard request.timeout == nil else {
                throw TransportError(code: .timedOut, message: "Three seconds passed.")
            }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"2\""], body: "new")
        }
        let (late, text) = try await bench.text("/a")
        #expect(text == "old")
        // It was forwarded, so it is no hit (RFC 9211 §2.1).
        #expect(late.cacheStatus.description == "Larder; fwd=stale; ttl=60; detail=test/time-out")
        await bench.cache.waitForBackgroundWork()
        // The one behind the answer may be reported before it.
        let reports = bench.recorder.reports
        #expect(reports.filter(\.isBackground).map(\.outcome) == [.stored])
        let seen = reports.filter { !$0.isBackground }
        #expect(seen.map(\.outcome) == [.stored, .staleHit] && seen.last?.cacheStatus.detail == "test/time-out")
        #expect(bench.transport.requests.map(\.timeout) == [nil, .seconds(3), nil])
        bench.cache.rules = .protocolOnly
        #expect(try await bench.text("/a").text == "new")
    }

    @Test("network-first: a client that wants confirmation waits, however slow the origin is (Fetch no-cache)")
    func tooSlowForOneWhoWaits() async throws {
        let bench = try Bench(rules: RuleList([Rule("test", .networkFirst(timeout: .seconds(3)))]))
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        bench.transport.on(Bench.base + "/a") { request in
            guard request.timeout == nil else {
                throw TransportError(code: .timedOut, message: "Three seconds passed.")
            }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"2\""], body: "new")
        }
        #expect(try await bench.text("/a", context: ExchangeContext(mode: .revalidate)).text == "new")
        #expect(bench.transport.requests.last?.timeout == nil)
    }
}
