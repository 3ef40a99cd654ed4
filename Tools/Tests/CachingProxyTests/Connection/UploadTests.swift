import Testing
import WireSupport

@Suite("Requests with content", .serialized, .timeLimit(.minutes(5)))
struct UploadTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("RFC 9110 §10.1.1: a client waits for 100 from the origin, then sends")
    func expectation() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let client = try await WireClient.open(port: bench.port)
        client.send(
            "POST http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n")
        #expect(try await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 Continue\r\n"))
        client.send("hello")
        #expect(try await client.read(until: "ok").contains("HTTP/1.1 200 OK\r\n"))
        #expect(bench.origin.received.joined().hasSuffix("\r\n\r\nhello"))
    }

    @Test("RFC 9110 §10.1.1: a refusal before the content says that the connection ends: the client may send it or not")
    func refused() async throws {
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno")
        let bench = try await WireBench(origin)
        let client = try await WireClient.open(port: bench.port)
        client.send(
            "POST http://shop.test/refused HTTP/1.1\r\nHost: shop.test\r\nExpect: 100-continue\r\n"
                + "Content-Length: 5\r\n\r\n")
        let text = try await client.read(until: "no")
        #expect(text.contains("HTTP/1.1 401 Unauthorized\r\n"))
        #expect(text.lowercased().contains("connection: close\r\n"))
    }

    @Test(
        "RFC 9112 §3.2.4: OPTIONS for a server as a whole",
        arguments: [
            ("http://shop.test", "*"), ("http://shop.test/", "/"), ("http://shop.test?a", "/?a"),
        ])
    func asterisk(target: String, forwarded: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let text = try await bench.exchange(
            "OPTIONS \(target) HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
        #expect(WireResponse(text)?.status == 200)
        #expect(bench.origin.received.joined().hasPrefix("OPTIONS \(forwarded) HTTP/1.1\r\nHost: shop.test\r\n"))
    }
}
