import CacheRules
import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.2.4: stale responses, and being disconnected", .timeLimit(.minutes(5)))
struct DisconnectionTests {
    private static let rules = RuleList([Rule.disconnected])

    /// Fills the store and lets the response become stale; then the origin does what `later` says.
    private func stale(
        _ cacheControl: String, rules: RuleList = .protocolOnly,
        later: @escaping @Sendable (TransportRequest) throws -> TransportResponse = Bench.unreachable
    ) async throws -> Bench {
        let bench = try Bench(rules: rules)
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: cacheControl, .eTag: "\"1\""], body: "old") },
                later,
            ])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(1_000))
        return bench
    }

    @Test("§5.2.1.7: only-if-cached answers from the store, or 504, without asking the origin")
    func onlyIfCached() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "x")
        let (none, _) = try await bench.text("/a", [.cacheControl: "only-if-cached"])
        #expect(none.head.status == .gatewayTimeout && none.failure?.code == .notStored)
        #expect(none.cacheStatus.description == "Larder; fwd=uri-miss; detail=only-if-cached")
        #expect(bench.transport.requests.isEmpty)
        try await bench.fill("/a")
        #expect(try await bench.text("/a", [.cacheControl: "only-if-cached"]).text == "x")
        bench.clock.advance(by: .seconds(100))
        let (stale, _) = try await bench.text("/a", [.cacheControl: "only-if-cached"])
        #expect(stale.head.status == .gatewayTimeout)
        #expect(stale.cacheStatus.description == "Larder; fwd=stale; detail=only-if-cached")
        #expect(bench.transport.requests.count == 1)
    }

    @Test(
        "disconnected, the rule serves stored responses at any age, whatever their directives",
        arguments: ["max-age=60", "no-cache", "max-age=60, must-revalidate"])
    func disconnected(_ cacheControl: String) async throws {
        let bench = try await stale(cacheControl, rules: Self.rules)
        let (response, text) = try await bench.text("/a", context: Bench.disconnected)
        #expect(text == "old")
        #expect(response.cacheStatus.isHit && response.cacheStatus.detail == "disconnected")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("disconnected with nothing stored is 504, for any method", arguments: ["GET", "HEAD", "POST"])
    func nothingStored(_ method: String) async throws {
        let bench = try Bench(rules: Self.rules)
        let (response, text) = try await bench.text(
            "/a", method: try #require(HTTPRequest.Method(rawValue: method)), context: Bench.disconnected)
        #expect(response.head.status == .gatewayTimeout && response.failure?.code == .disconnected)
        #expect(response.cacheStatus.detail == "disconnected")
        #expect(text.isEmpty == (method == "HEAD"))
        #expect(bench.transport.requests.isEmpty)
    }

    @Test(
        "an origin that can't be reached lets a stale response be served",
        arguments: [TransportError.Code.nameNotResolved, .connectionFailed, .timedOut, .closedEarly])
    func unreachable(_ code: TransportError.Code) async throws {
        let bench = try await stale("max-age=60") { _ in throw TransportError(code: code, message: "gone") }
        let (response, text) = try await bench.text("/a")
        #expect(text == "old" && response.head.headerFields[.age] == "1000")
        #expect(response.cacheStatus.detail == "origin-unreachable")
        #expect(bench.recorder.reports.last?.outcome == .staleHit)
    }

    @Test("a response that forbids it is not served stale", arguments: ["max-age=60, must-revalidate", "no-cache"])
    func forbidden(_ cacheControl: String) async throws {
        let bench = try await stale(cacheControl)
        let (response, _) = try await bench.text("/a")
        #expect(response.head.status == .gatewayTimeout && response.failure?.code == .originUnreachable)
    }

    @Test(
        "whatever keeps an answer from coming, the disconnected rule serves what forbids it, and is named",
        arguments: [TransportError.Code.nameNotResolved, .connectionFailed, .timedOut, .closedEarly, .tlsFailed])
    func forbiddenButRuled(_ code: TransportError.Code) async throws {
        for control in ["no-cache", "max-age=60, must-revalidate"] {
            let bench = try await stale(control, rules: Self.rules) { _ in
                throw TransportError(code: code, message: "gone")
            }
            let (response, text) = try await bench.text("/a")
            #expect(text == "old")
            #expect(response.cacheStatus.detail == (code == .timedOut ? "disconnected/time-out" : "disconnected"))
        }
    }

    @Test(
        "an origin that answered, but badly, is never hidden behind a stale response",
        arguments: [
            (TransportError.Code.certificateUntrusted, EngineError.Code.originUntrusted),
            (.malformedResponse, .originBroken),
        ])
    func neverHidden(_ code: TransportError.Code, _ expected: EngineError.Code) async throws {
        for rules in [RuleList.protocolOnly, Self.rules] {
            let bench = try await stale("max-age=60", rules: rules) { _ in
                throw TransportError(code: code, message: "bad")
            }
            let (response, _) = try await bench.text("/a")
            #expect(response.head.status == .badGateway && response.failure?.code == expected)
        }
    }

    @Test("after a stale answer the next request tries the origin again, without waiting for the last one")
    func nextTriesAgain() async throws {
        let bench = try await stale("max-age=60")
        for _ in 0..<3 { #expect(try await bench.text("/a").text == "old") }
        #expect(bench.transport.requests.count == 4)
    }

    @Test("requests that wait for a validation that fails get their own answer")
    func followersOfAFailedValidation() async throws {
        let gate = Gate()
        let bench = try await stale("max-age=60")
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            throw TransportError(code: .connectionFailed, message: "gone")
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await bench.text("/a").text } }
            try await gate.arrivals(1)
            gate.open()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "old", count: 10))
    }
}
