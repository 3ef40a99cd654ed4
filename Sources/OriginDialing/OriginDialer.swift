#if Proxy
import CacheEngine
import HTTPCacheSemantics
import NIOCore
import NIOPosix
import NIOSSL

/// Opens connections to origins: host map, name resolution, TCP, and TLS that is always verified.
public struct OriginDialer: Sendable {
    /// Where a connection goes.
    public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        public var host: String
        public var port: Int
        public var isSecure: Bool

        public init(host: String, port: Int, isSecure: Bool) {
            self.host = host
            self.port = port
            self.isSecure = isSecure
        }

        /// From an authority such as `shop.test`, `shop.test:8443` or `[::1]:80`.
        public init?(authority: String, isSecure: Bool) {
            guard let authority = Authority(authority) else { return nil }
            host = authority.host
            port = authority.port ?? (isSecure ? 443 : 80)
            self.isSecure = isSecure
        }

        public var description: String { Authority(host: host, port: port).description }
    }

    public let group: any EventLoopGroup
    public let hostMap: HostMap
    public let trust: OriginTrust
    /// Limit for connecting and for the TLS handshake, each. Ten seconds unless set.
    public let connectTimeout: TimeAmount

    public init(
        group: any EventLoopGroup, hostMap: HostMap = HostMap(), trust: OriginTrust,
        connectTimeout: TimeAmount = .seconds(10)
    ) {
        self.group = group
        self.hostMap = hostMap
        self.trust = trust
        self.connectTimeout = connectTimeout
    }

    /// Connects, and for secure endpoints completes a verified handshake, then adds the caller's handlers.
    ///
    /// - Throws: ``TransportError`` that names the host and says what helps.
    public func connect(
        _ endpoint: Endpoint, configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        let target = hostMap.target(host: endpoint.host, port: endpoint.port)
        let trust = trust
        let timeout = connectTimeout
        let connection: Connection
        do {
            connection = try await ClientBootstrap(group: group)
                .connectTimeout(timeout)
                .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: target.address, port: target.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard endpoint.isSecure else { return Connection(channel: channel, handshake: nil) }
                        let name = endpoint.host.isIPAddress ? nil : endpoint.host
                        let operations = channel.pipeline.syncOperations
                        let handshake = HandshakeHandler(channel.eventLoop, timeout: timeout)
                        try operations.addHandler(NIOSSLClientHandler(context: trust.context, serverHostname: name))
                        try operations.addHandler(handshake)
                        return Connection(channel: channel, handshake: handshake.done)
                    }
                }
        } catch {
            throw ConnectFailure.describe(error, endpoint)
        }
        let channel = connection.channel
        do {
            try await connection.handshake?.get()
            try await channel.eventLoop.submit { try configure(channel) }.get()
            return channel
        } catch {
            channel.close(promise: nil)
            throw ConnectFailure.describe(error, endpoint)
        }
    }
}

/// A connection whose handshake may still be under way, or may have failed already: then its pipeline is empty, and only
/// the future can tell why.
private struct Connection: Sendable {
    var channel: any Channel
    var handshake: EventLoopFuture<Void>?
}

extension String {
    /// Whether this is an IP address, for which TLS sends no server name (RFC 6066 §3).
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: self, port: 0)) != nil }
}
#endif
