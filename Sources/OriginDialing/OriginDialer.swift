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
        let channel: any Channel
        do {
            channel = try await ClientBootstrap(group: group)
                .connectTimeout(timeout)
                .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard endpoint.isSecure else { return }
                        let name = endpoint.host.isIPAddress ? nil : endpoint.host
                        let operations = channel.pipeline.syncOperations
                        try operations.addHandler(NIOSSLClientHandler(context: trust.context, serverHostname: name))
                        try operations.addHandler(HandshakeHandler(channel.eventLoop, timeout: timeout))
                    }
                }
                .connect(host: target.address, port: target.port).get()
        } catch {
            throw ConnectFailure.describe(error, endpoint)
        }
        do {
            if endpoint.isSecure {
                try await channel.eventLoop.flatSubmit {
                    channel.pipeline.handler(type: HandshakeHandler.self).flatMap { $0.done }
                }.get()
            }
            try await channel.eventLoop.submit { try configure(channel) }.get()
            return channel
        } catch {
            channel.close(promise: nil)
            throw ConnectFailure.describe(error, endpoint)
        }
    }
}

extension String {
    /// Whether this is an IP address, for which TLS sends no server name (RFC 6066 §3).
    var isIPAddress: Bool { (try? SocketAddress(ipAddress: self, port: 0)) != nil }
}
#endif
