import CacheEngine
import CacheTesting
import CachingProxy
import OriginDialing
import ResponseStore
import Testing
import WireSupport

@Suite("Listeners of a proxy", .serialized, .timeLimit(.minutes(5)))
struct ListenerTests {
    private func server(_ origin: WireOrigin, _ configuration: ProxyConfiguration) throws -> ProxyServer {
        let transport = try TransportBench(origin)
        return ProxyServer(
            cache: ResponseCache(store: MemoryResponseStore(), transport: transport.transport),
            configuration: configuration, dialer: transport.dialer,
            authority: try CertificateAuthority(inMemoryWith: .system))
    }

    @Test(
        "a forward proxy listens on addresses of loopback only",
        arguments: [
            "127.evil.test", "127.0.0.1.evil.test", "localhost.evil.test", "0.0.0.0", "10.0.0.1", "::", "7f00::1",
        ])
    func loopback(host: String) async throws {
        let configuration = ProxyConfiguration(mode: .forward(intercept: .none), host: host)
        let server = try server(try await WireOrigin.start(answer: ""), configuration)
        let failure = await #expect(throws: ProxyError.self) { _ = try await server.start() }
        #expect(failure?.code == .notLoopback)
    }

    /// An hour of grace would not be over in time.
    @Test(
        "a tunnel that is being set up when the proxy stops is not waited for",
        arguments: ["", "no TLS", "\u{16}"])
    func tunnelAtEnd(firstBytes: String) async throws {
        let asked = Gate()
        let configuration = ProxyConfiguration(
            mode: .forward(intercept: .only([HostNamePattern("shop.test")])),
            willPresent: { _, _ in try? await asked.pass() })
        let origin = try await WireOrigin.start { _, _ in .none }
        let listener = try await server(origin, configuration).start()
        let client = try await WireClient.open(port: listener.port)
        client.send("CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test\r\n\r\n" + firstBytes)
        try await asked.arrivals(1)
        let end = Task { await listener.close(within: .hours(1)) }
        while let late = try? await WireClient.open(port: listener.port) { try? await late.close() }
        asked.open()
        await end.value
        #expect(["", TunnelBench.established].contains(try await client.readToEnd()))
    }

    /// An hour, for a client that has ended nothing, would not be over in time.
    @Test(
        "without a grace the end waits for no client that keeps its connection",
        arguments: ["", "GET http://shop.test/", "GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n"])
    func noGrace(sent: String) async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.limits.linger = .hours(1)
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let listener = try await server(origin, configuration).start()
        let port = listener.port
        let client = try await onThread {
            let client = try BlockingSocket.connect(port: port)
            client.send(sent)
            if sent.hasSuffix("\r\n\r\n") { _ = client.receive(until: "ok") }
            return client
        }
        await listener.close(within: .zero)
        #expect(try await onThread { client.isEnded() })
    }

    @Test("a client whose tunnel stands and that has sent nothing is not waited for when the proxy stops")
    func silentTunnel() async throws {
        let configuration = ProxyConfiguration(mode: .forward(intercept: .only([HostNamePattern("shop.test")])))
        let listener = try await server(try await WireOrigin.start(answer: ""), configuration).start()
        let client = try await WireClient.open(port: listener.port)
        client.send("CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test\r\n\r\n")
        #expect(try await client.read(until: TunnelBench.established) == TunnelBench.established)
        await listener.close(within: .hours(1))
        #expect(try await client.readToEnd() == TunnelBench.established)
    }
}
