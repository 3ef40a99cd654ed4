import CacheEngine
import CachingProxy
import NIOCore
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore

/// A forward proxy in this process, for origins on loopback.
package final class TunnelBench: Sendable {
    package let port: Int
    private let listener: ProxyServer.Listener
    private let transport: NIOOriginTransport

    package init(
        _ configuration: ProxyConfiguration = .init(mode: .forward(intercept: .none)),
        authority: CertificateAuthority? = nil, connectTimeout: TimeAmount = .seconds(10),
        lookups: NameLookups = .shared, engine: EngineConfiguration = .init()
    ) async throws {
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton, trust: try Self.trust.get(), connectTimeout: connectTimeout,
            lookups: lookups)
        transport = NIOOriginTransport(dialer: dialer)
        let server = ProxyServer(
            cache: ResponseCache(store: MemoryResponseStore(), transport: transport, configuration: engine),
            configuration: configuration, dialer: dialer, authority: authority)
        listener = try await server.start()
        port = listener.port
    }

    /// Once for all: reading the system's authorities takes long.
    private static let trust = Result { try OriginTrust() }

    deinit {
        Task { [listener, transport] in
            await listener.close()
            transport.closeIdleConnections()
        }
    }

    package static let established = "HTTP/1.1 200 Connection Established\r\n\r\n"

    package static func connect(to port: Int) -> String {
        "CONNECT 127.0.0.1:\(port) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
    }

    package static func upgrade(to port: Int) -> String {
        "GET http://127.0.0.1:\(port)/live HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: Upgrade\r\n"
            + "Upgrade: websocket\r\n\r\n"
    }

    package static let switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
}
