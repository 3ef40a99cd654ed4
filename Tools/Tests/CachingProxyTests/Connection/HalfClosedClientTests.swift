import CachingProxy
import Foundation
import Testing
import WireSupport

/// Clients that end their side behind their last request, as `nc -N` does: RFC 9112 §9.6 asks servers to close only
/// once they have answered.
@Suite("Clients that end their side", .serialized, .timeLimit(.minutes(60)))
struct HalfClosedClientTests {
    private static let ok = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\nok"

    /// Beside other work an answer may take longer than clients that have left are given.
    private static var patient: ProxyConfiguration {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.limits.left = .seconds(600)
        return configuration
    }

    private func exchange(_ text: String, _ bench: WireBench) async throws -> String? {
        try await onThread {
            let client = try BlockingSocket.connect(port: bench.port)
            client.send(text)
            client.endOutput()
            return client.receiveToEnd().map { Octets.text($0) }
        }
    }

    private func get(_ path: String) -> String { "GET http://shop.test\(path) HTTP/1.1\r\nHost: shop.test\r\n\r\n" }

    @Test("one request, with content or without, is answered, and the connection closed", arguments: ["GET", "PUT"])
    func one(_ method: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok), configuration: Self.patient)
        for _ in 1...10 {
            let content = method == "PUT" ? "Content-Length: 5\r\n\r\nhello" : "\r\n"
            let head = "\(method) http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n"
            let text = try await exchange(head + content, bench)
            #expect(text?.hasSuffix("\r\n\r\nok") == true)
        }
    }

    @Test("several at once are answered in order, from the origin and from the store")
    func several() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start { request, _ in
                .init(
                    text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\n"
                        + request.dropFirst(4).prefix(2))
            }, configuration: Self.patient)
        for _ in 1...3 {
            let text = try #require(try await exchange(get("/a") + get("/b") + get("/a") + get("/c"), bench))
            let order = text.components(separatedBy: "\r\n\r\n").dropFirst().map { $0.prefix(2) }
            #expect(order == ["/a", "/b", "/a", "/c"])
        }
    }

    @Test("a request that is cut off is not sent on as if it were whole, and its connection is closed")
    func cutOff() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        #expect(try await exchange("GET http://shop.test/ HTTP/1.1\r\nHo", bench) == "")
        let text = try await exchange(
            "PUT http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 9\r\n\r\nhello", bench)
        #expect(text?.contains("200 OK") == false)
    }

    @Test("a client that says nothing and ends is let go")
    func silent() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        #expect(try await exchange("", bench) == "")
    }
}
