import CacheEngine
import HTTPTypes
import Testing
import WireSupport

/// RFC 9112 §9.3.1: what becomes of a request whose connection closes before an answer.
@Suite("RFC 9112 §9.3.1 Retrying Requests", .serialized, .timeLimit(.minutes(60)))
struct ConnectionReuseTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// An origin that answers the first request of each connection and closes at the second.
    private func forgetful(_ last: String = "") async throws -> WireOrigin {
        try await WireOrigin.start { request, number in
            switch number {
            case 1: .init(text: Self.ok)
            case 2: .init(text: last, closes: true)
            default: .init(text: Self.ok)
            }
        }
    }

    @Test(
        "on a reused connection an idempotent request without content goes out once more",
        arguments: ["GET", "HEAD", "OPTIONS", "TRACE", "DELETE", "PUT"])
    func repeated(_ method: String) async throws {
        let bench = try TransportBench(try await forgetful())
        #expect(await bench.send().failure == nil)
        let outcome = await bench.send(method)
        #expect(outcome.failure == nil)
        #expect(outcome.response?.status == .ok)
        #expect(bench.origin.received.count == 2)
    }

    @Test(
        "a request that may act twice, or whose meaning is unknown, is sent once", arguments: ["POST", "PATCH", "FOO"])
    func notRepeated(_ method: String) async throws {
        let bench = try TransportBench(try await forgetful())
        #expect(await bench.send().failure == nil)
        #expect(await bench.send(method).failure == .closedEarly)
        let all = bench.origin.received.joined()
        #expect(all.ranges(of: "\(method) / HTTP/1.1").count == 1)
    }

    @Test("what has begun to be answered is not sent again", arguments: ["H", "HTTP/1.1 200 OK\r\nContent-Le"])
    func begun(_ part: String) async throws {
        let bench = try TransportBench(try await forgetful(part))
        #expect(await bench.send().failure == nil)
        #expect(await bench.send().failure == .closedEarly)
        #expect(bench.origin.received.count == 1)
    }

    @Test(
        "a 408 that ends a kept connection crossed the request: what may be repeated is (RFC 9110 §15.5.9)",
        arguments: [("GET", 200, 2), ("POST", 408, 2)])
    func timedOut(method: String, status: Int, connections: Int) async throws {
        let late = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 4\r\n\r\nlate"
        let bench = try TransportBench(try await forgetful(late))
        #expect(await bench.send().failure == nil)
        let outcome = await bench.send(method)
        #expect(outcome.response?.status.code == status)
        #expect(bench.origin.received.count == connections)
    }

    @Test("a 408 on a new connection is the answer")
    func timedOutAtOnce() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start(answer: "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n"))
        #expect(await bench.send().response?.status == .requestTimeout)
        #expect(bench.origin.received.count == 1)
    }

    @Test("on a new connection nothing is sent again")
    func new() async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: "", closes: true))
        #expect(await bench.send().failure == .closedEarly)
        #expect(bench.origin.received.count == 1)
    }

    @Test("no second retry")
    func once() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start { _, number in
                number == 1 ? .init(text: Self.ok) : .init(text: "", closes: true)
            })
        #expect(await bench.send().failure == nil)
        #expect(await bench.send().failure == .closedEarly)
        #expect(bench.origin.received.count == 2)
    }
}
