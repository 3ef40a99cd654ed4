import CacheEngine
import HTTPTypes
import NIOTransport
import Testing
import WireSupport

/// Limits until the response head. Waiting for an origin that is silent is all that is timed.
@Suite("TransportRequest.timeout", .serialized, .timeLimit(.minutes(60)))
struct TimeoutTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func request(_ timeout: Duration?, _ path: String = "/silent") -> TransportRequest {
        TransportRequest(
            head: HTTPRequest(method: .get, scheme: "http", authority: "shop.test", path: path), timeout: timeout)
    }

    /// For `/silent` the origin says only this.
    private func bench(_ text: String, limits: NIOOriginTransport.Limits = .init()) async throws -> TransportBench {
        try TransportBench(
            try await WireOrigin.start { request, _ in
                .init(text: request.hasPrefix("GET /silent") ? text : Self.ok)
            }, limits: limits)
    }

    @Test(
        "an origin that says nothing, or nothing final, is given up, and its connection too",
        arguments: ["", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 200 OK\r\nConte"], [true, false])
    func silent(text: String, isReused: Bool) async throws {
        let bench = try await bench(text)
        if isReused { #expect(await bench.send().content == "ok") }
        #expect(await bench.send(request(.milliseconds(50))).failure == .timedOut)
        #expect(await bench.send().content == "ok")
    }

    @Test("a time that is up already")
    func zero() async throws {
        let bench = try await bench("")
        #expect(await bench.send(request(.zero)).failure == .timedOut)
    }

    @Test("where a request has none, the transport's own limit holds")
    func own() async throws {
        var limits = NIOOriginTransport.Limits()
        limits.responseHead = .milliseconds(50)
        let bench = try await bench("", limits: limits)
        #expect(await bench.send(request(nil)).failure == .timedOut)
        try await bench.origin.closed(0)
    }

    @Test("what is answered in time is whole, and its connection is used again")
    func inTime() async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: Self.ok))
        for _ in 1...2 {
            let outcome = await bench.send(request(.seconds(50), "/"))
            #expect(outcome.content == "ok")
            #expect(outcome.failure == nil)
        }
        #expect(bench.origin.received.count == 1)
    }

    @Test("a task that is cancelled is cancelled, not late")
    func cancelled() async throws {
        let bench = try await bench("")
        let transport = bench.transport
        let request = request(.seconds(50))
        let task = Task { try await transport.send(request) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
