import CacheEngine
import CacheRules
import Testing
import WireSupport

/// How long an origin may be silent, from sockets. Waiting for one that is silent is all that is timed.
@Suite("Limits of an origin's silence", .serialized, .timeLimit(.minutes(60)))
struct OriginLimitsTests {
    private static let half = "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nContent-Length: 9\r\n\r\nhalf"

    private func bench(
        _ rules: RuleList = .protocolOnly, _ change: (inout OriginLimits) -> Void
    ) async throws -> TunnelBench {
        var engine = EngineConfiguration(rules: rules)
        change(&engine.limits)
        return try await TunnelBench(engine: engine)
    }

    private func get(_ origin: WireOrigin, _ path: String = "/", ends: Bool = true) -> String {
        "GET http://127.0.0.1:\(origin.port)\(path) HTTP/1.1\r\nHost: a\r\n\(ends ? "Connection: close\r\n" : "")\r\n"
    }

    /// Has an answer to the first request, and none to others.
    private func silentOrigin(_ fields: String) async throws -> WireOrigin {
        try await WireOrigin.start { _, number in
            number == 1 ? .init(text: "HTTP/1.1 200 OK\r\n\(fields)Content-Length: 3\r\n\r\nold") : .none
        }
    }

    @Test("before a head, where a stored response may answer: then it does")
    func beforeFallback() async throws {
        let bench = try await bench(RuleList([Rule.disconnected])) { $0.beforeFallback = .seconds(1) }
        let origin = try await silentOrigin("Cache-Control: max-age=10\r\nAge: 20\r\n")
        for _ in 1...2 {
            let text = try await WireClient.exchange(get(origin), port: bench.port)
            #expect(WireResponse(text)?.rest == "old", "\(text)")
        }
        // A third may follow at once: the validation behind the stored answer.
        #expect(origin.received.joined().components(separatedBy: "GET /").count >= 3)
    }

    @Test("before a head, as a rule says")
    func rule() async throws {
        let bench = try await bench(RuleList([Rule("test", .networkFirst(timeout: .seconds(1)))])) { _ in }
        let origin = try await silentOrigin("Cache-Control: max-age=600\r\n")
        for _ in 1...2 {
            let text = try await WireClient.exchange(get(origin), port: bench.port)
            #expect(WireResponse(text)?.rest == "old", "\(text)")
        }
        // A third may follow at once: the validation behind the stored answer.
        #expect(origin.received.joined().components(separatedBy: "GET /").count >= 3)
    }

    @Test("in the middle of content: the response breaks off")
    func content() async throws {
        let bench = try await bench { $0.silence = .milliseconds(50) }
        let origin = try await WireOrigin.start(answer: Self.half)
        #expect(try await WireClient.exchange(get(origin), port: bench.port).hasSuffix("\r\n\r\nhalf"))
        try await origin.closed(0)
    }

    @Test("in the middle of content, while nobody waits: it is given up")
    func background() async throws {
        let bench = try await bench { $0.silenceInBackground = .milliseconds(50) }
        let origin = try await WireOrigin.start { _, number in
            .init(
                text: number == 1
                    ? "HTTP/1.1 200 OK\r\nCache-Control: max-age=10, stale-while-revalidate=600\r\nAge: 20\r\n"
                        + "Content-Length: 3\r\n\r\nold" : Self.half, closes: number == 1)
        }
        for _ in 1...2 {
            let text = try await WireClient.exchange(get(origin), port: bench.port)
            #expect(WireResponse(text)?.rest == "old", "\(text)")
        }
        try await origin.closed(1)
    }

    @Test(
        "in a stream of events or pictures: none",
        arguments: ["text/event-stream", "multipart/x-mixed-replace; boundary=x"])
    func streams(_ type: String) async throws {
        let bench = try await bench { $0.silence = .milliseconds(50) }
        let origin = try await WireOrigin.start { request, _ in
            .init(
                text: request.hasPrefix("GET /stream ")
                    ? "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\n\r\nfirst" : Self.half)
        }
        let client = try await WireClient.open(port: bench.port)
        client.send(get(origin, "/stream"))
        _ = try await client.read(until: "first\r\n")
        // Two after the other: each of them is given up later than the stream would be.
        for path in ["/a", "/b"] { _ = try await WireClient.exchange(get(origin, path), port: bench.port) }
        origin.send("second", on: 0)
        #expect(try await client.read(until: "second\r\n").hasSuffix("second\r\n"))
    }
}
