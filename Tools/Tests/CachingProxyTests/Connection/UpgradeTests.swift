import CachingProxy
import Testing
import WireSupport

@Suite("RFC 9110 §7.8 Upgrade through the proxy", .serialized, .timeLimit(.minutes(60)))
struct UpgradeTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
    private static let switching = TunnelBench.switching

    private func ask(
        _ fields: String, method: String = "GET", version: String = "HTTP/1.1", content: String = ""
    ) -> String {
        "\(method) http://shop.test/live \(version)\r\nHost: shop.test\r\n\(fields)\r\n\(content)"
    }

    @Test("the request says Upgrade anew, keeps its other fields, and no credentials")
    func request() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.switching + "first"))
        let client = try await WireClient.open(port: bench.port)
        client.send(
            ask(
                "Connection: Upgrade, X-Hop\r\nUpgrade: websocket\r\nX-Hop: 1\r\nProxy-Authorization: Basic x\r\n"
                    + "Sec-WebSocket-Key: y\r\n"))
        let text = try await client.read(until: "first")
        #expect(WireResponse(text)?.status == 101)
        #expect(WireResponse(text)?["upgrade"] == "websocket")
        let received = bench.origin.received.joined()
        let start = "GET /live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        #expect(received.hasPrefix(start))
        #expect(received.contains("\r\nSec-WebSocket-Key: y\r\n"))
        #expect(received.contains("\r\nVia: 1.1 larder-"))
        #expect(!received.contains("X-Hop") && !received.contains("Proxy-Authorization"))
    }

    @Test(
        "a proxy that passes on nothing unread refuses WebSocket and tunnels, and asks nobody",
        arguments: [
            "GET http://shop.test/live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
            "CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test:80\r\nConnection: close\r\n\r\n",
        ])
    func unread(_ request: String) async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.refusesUncached = true
        let bench = try await WireBench(
            try await WireOrigin.start(answer: Self.switching), configuration: configuration)
        let client = try await WireClient.open(port: bench.port)
        client.send(request)
        let text = try await client.read(until: "can't read.\n")
        #expect(WireResponse(text)?.status == 403, "\(text)")
        #expect(bench.origin.received.joined().isEmpty)
    }

    @Test("after 101 octets pass both ways")
    func relay() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start { request, number in
                number == 1 ? .init(text: Self.switching) : .init(text: "back")
            })
        let client = try await WireClient.open(port: bench.port)
        client.send(ask("Connection: Upgrade\r\nUpgrade: websocket\r\n"))
        _ = try await client.read(until: "\r\n\r\n")
        client.send("there\r\n\r\n")
        #expect(try await client.read(until: "back").hasSuffix("back"))
        #expect(bench.origin.received.joined().hasSuffix("\r\n\r\nthere\r\n\r\n"))
    }

    @Test(
        "an origin that does not switch is heard, and the connection closed",
        arguments: [
            (ok, "ok"), ("HTTP/1.1 103 Early Hints\r\n\r\n" + ok, "ok"),
            (
                "HTTP/1.1 426 Upgrade Required\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
                "2\r\nok\r\n0\r\n\r\n"
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", ""),
        ])
    func refusal(answer: String, rest: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: answer))
        let text = try await bench.exchange(ask("Connection: Upgrade\r\nUpgrade: websocket\r\n"))
        #expect(text.hasSuffix("\r\n\r\n" + rest))
        #expect(text.lowercased().contains("\r\nconnection: close\r\n"))
        #expect(text.contains("103 Early Hints") == answer.contains("103 "))
    }

    @Test(
        "an origin that talks no HTTP, or stops in the middle",
        arguments: [
            ("SSH-2.0\r\n\r\n", false, 502), ("", true, 502),
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok", true, 200),
        ])
    func broken(answer: String, closes: Bool, status: Int) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: answer, closes: closes))
        let response = WireResponse(try await bench.exchange(ask("Connection: Upgrade\r\nUpgrade: websocket\r\n")))
        #expect(response?.status == status)
    }

    @Test(
        "an answer that does not switch is one like any other: no field of the connection, and said to be past the cache"
    )
    func ordinaryRefusal() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 403 Forbidden\r\nConnection: X-Hop\r\nX-Hop: 1\r\nKeep-Alive: timeout=5\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\nX-Hop: 1\r\nX-End: 1\r\n\r\n"))
        let text = try await bench.exchange(ask("Connection: Upgrade\r\nUpgrade: websocket\r\n"))
        let answer = try #require(WireResponse(text))
        #expect(answer.status == 403)
        #expect(answer["cache-status"] == "Larder; fwd=bypass")
        #expect(answer["connection"] == "close")
        #expect(answer["x-hop"] == nil && answer["keep-alive"] == nil)
        #expect(answer.rest == "2\r\nno\r\n0\r\nX-End: 1\r\n\r\n")
    }

    @Test(
        "an origin that switches to what nobody asked for is refused", arguments: ["h2c", "websocket, h2c", "echo"])
    func otherProtocol(_ name: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: \(name)\r\n\r\nother"))
        let text = try await bench.exchange(ask("Connection: Upgrade\r\nUpgrade: websocket, \(name)\r\n"))
        #expect(WireResponse(text)?.status == 502)
        #expect(bench.origin.received.joined().contains("\r\nUpgrade: websocket\r\n"))
    }

    @Test("another method with Upgrade goes through the cache: what it changes is invalidated (RFC 9111 §4.4)")
    func invalidates() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start { _, number in
                .init(
                    text: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\n"
                        + "n\(number)")
            })
        let get = ask("Connection: close\r\n")
        #expect(try await bench.exchange(get).hasSuffix("n1"))
        #expect(try await bench.exchange(get).hasSuffix("n1"))
        let post = ask("Connection: Upgrade, close\r\nUpgrade: websocket\r\nContent-Length: 0\r\n", method: "POST")
        #expect(try await bench.exchange(post).hasSuffix("n2"))
        #expect(try await bench.exchange(get).hasSuffix("n3"))
    }

    @Test("who accepts nothing but a stored answer asks nothing of the origin (RFC 9111 §5.2.1.7)")
    func onlyIfCached() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.switching))
        let text = try await bench.exchange(
            ask("Connection: Upgrade, close\r\nUpgrade: websocket\r\nCache-Control: only-if-cached\r\n"))
        #expect(WireResponse(text)?.status == 504)
        #expect(bench.origin.received.isEmpty)
    }

    @Test("Max-Forwards 0 ends here, with Upgrade too (RFC 9110 §7.6.2)")
    func lastHop() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.switching))
        let text = try await bench.exchange(
            ask("Connection: Upgrade, close\r\nUpgrade: websocket\r\nMax-Forwards: 0\r\n", method: "OPTIONS"))
        #expect(WireResponse(text)?["allow"] != nil)
        #expect(bench.origin.received.isEmpty)
    }

    @Test(
        "where it is ignored the request is one like any other",
        arguments: [
            ("Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: x\r\n", "HTTP/1.1", ""),
            ("Connection: Upgrade\r\nUpgrade: websocket\r\n", "HTTP/1.0", ""),
            ("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n", "HTTP/1.1", "hello"),
            ("Upgrade: websocket\r\n", "HTTP/1.1", ""), ("Connection: Upgrade\r\n", "HTTP/1.1", ""),
            ("Connection: Upgrade\r\nUpgrade: h2c, x\r\n", "HTTP/1.1", ""),
            ("Connection: Upgrade\r\nUpgrade: echo\r\n", "HTTP/1.1", ""),
            ("Connection: Upgrade\r\nUpgrade: TLS/1.0\r\n", "HTTP/1.1", ""),
        ])
    func ignored(fields: String, version: String, content: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let client = try await WireClient.open(port: bench.port)
        client.send(ask(fields, version: version, content: content))
        #expect(WireResponse(try await client.read(until: "\r\n\r\nok"))?["cache-status"] != nil)
        let received = bench.origin.received.joined().lowercased()
        #expect(received.hasSuffix("\r\n\r\n" + content))
        for name in ["upgrade:", "connection:", "http2-settings:"] { #expect(!received.contains(name)) }
    }
}
