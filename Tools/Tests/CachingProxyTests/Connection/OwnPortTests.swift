import CachingProxy
import Testing
import WireSupport

/// Requests that would lead the proxy to itself.
@Suite("RFC 9110 §7.6.3: no request goes round through this proxy", .serialized, .timeLimit(.minutes(5)))
struct OwnPortTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func bench(credentials: ProxyCredentials? = nil, isPartOfClient: Bool = false) async throws -> WireBench {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        (configuration.credentials, configuration.isPartOfClient) = (credentials, isPartOfClient)
        return try await WireBench(try await WireOrigin.start(answer: Self.ok), configuration: configuration)
    }

    private func expectLoop(_ text: String, _ request: String) {
        #expect(WireResponse(text)?.status == 508, "\(request): \(text)")
        #expect(text.hasSuffix("The request leads back to this proxy; ask for another host or port.\n"), "\(text)")
    }

    @Test("no tunnel to its own port, by whatever name", arguments: ["127.0.0.1", "localhost", "0.0.0.0"])
    func tunnel(host: String) async throws {
        let bench = try await bench()
        let request = "CONNECT \(host):\(bench.port) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        expectLoop(try await bench.exchange(request), request)
    }

    @Test("a tunnel to the same host with another port stands")
    func otherPort() async throws {
        let bench = try await bench()
        let client = try await WireClient.open(port: bench.port)
        client.send(TunnelBench.connect(to: bench.origin.port))
        #expect(try await client.read(until: TunnelBench.established) == TunnelBench.established)
    }

    @Test(
        "a request to its own port ends here, with Upgrade too, and whether it asks for credentials or not",
        arguments: ["Connection: close\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n"], [false, true])
    func request(fields: String, asksForCredentials: Bool) async throws {
        let bench = try await bench(credentials: asksForCredentials ? .init(user: "a", password: "b") : nil)
        let request =
            "GET http://127.0.0.1:\(bench.port)/ HTTP/1.1\r\nHost: a\r\n"
            + "Proxy-Authorization: Basic YTpi\r\n\(fields)\r\n"
        expectLoop(try await bench.exchange(request), request)
    }

    @Test(
        "as a part of its client it names itself to no server, and its own port refuses what comes back",
        arguments: ["Connection: close\r\n", "Connection: Upgrade\r\nUpgrade: websocket\r\n"], [false, true])
    func partOfClient(fields: String, asksForCredentials: Bool) async throws {
        let bench = try await bench(
            credentials: asksForCredentials ? .init(user: "a", password: "b") : nil, isPartOfClient: true)
        func request(_ port: Int) -> String {
            "GET http://127.0.0.1:\(port)/ HTTP/1.1\r\nHost: a\r\nProxy-Authorization: Basic YTpi\r\n\(fields)\r\n"
        }
        let own = try await bench.exchange(request(bench.port))
        #expect((400...508).contains(WireResponse(own)?.status ?? 0), "\(own)")
        #expect(try await bench.exchange(request(bench.origin.port)).hasSuffix("ok"))
        let received = bench.origin.received.joined()
        #expect(received.hasPrefix("GET / HTTP/1.1") && !received.lowercased().contains("via:"), "\(received)")
    }
}
