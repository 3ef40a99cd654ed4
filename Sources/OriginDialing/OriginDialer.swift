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
    /// What is closed when there is no descriptor for a connection; whoever keeps idle ones says so here.
    public let spare: SpareConnections

    public init(
        group: any EventLoopGroup, hostMap: HostMap = HostMap(), trust: OriginTrust,
        connectTimeout: TimeAmount = .seconds(10), spare: SpareConnections = SpareConnections()
    ) {
        self.group = group
        self.hostMap = hostMap
        self.trust = trust
        self.connectTimeout = connectTimeout
        self.spare = spare
    }

    /// The same, with connections that live on one event loop.
    public func on(_ eventLoop: any EventLoop) -> OriginDialer {
        OriginDialer(group: eventLoop, hostMap: hostMap, trust: trust, connectTimeout: connectTimeout, spare: spare)
    }

    /// Connects, and for secure endpoints completes a verified handshake, then adds the caller's handlers, which miss
    /// nothing of what the origin says. A task that is cancelled gives the attempt up.
    ///
    /// Where there is no descriptor left, connections that nobody uses are closed, and it is tried once more.
    ///
    /// - Parameter forRelay: Whether both directions end on their own (RFC 9293 §3.6), and nothing is read until it is
    ///   asked for. Otherwise the origin's end closes the connection, and it is read at once.
    /// - Throws: ``TransportError`` that names the host and says what helps; `CancellationError`.
    public func connect(
        _ endpoint: Endpoint, forRelay: Bool = false, configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        let attempt = DialAttempt()
        return try await withTaskCancellationHandler {
            do {
                return try await connect(endpoint, attempt, forRelay: forRelay, configure)
            } catch {
                throw attempt.isCancelled ? CancellationError() : ConnectFailure.describe(error, endpoint)
            }
        } onCancel: {
            attempt.cancel()
        }
    }

    private func connect(
        _ endpoint: Endpoint, _ attempt: DialAttempt, forRelay: Bool,
        _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        do {
            return try await open(endpoint, attempt, forRelay: forRelay, configure)
        } catch  where DescriptorShortage.isCause(of: error) {
            await spare.close()
        }
        do {
            return try await open(endpoint, attempt, forRelay: forRelay, configure)
        } catch  where DescriptorShortage.isCause(of: error) {
            throw TransportError(
                code: .connectionFailed,
                message:
                    "No connection to '\(endpoint)' could be opened: as many files and sockets are open as may be; "
                    + "raise the limit (ulimit -n).",
                cause: error)
        }
    }

    private func open(
        _ endpoint: Endpoint, _ attempt: DialAttempt, forRelay: Bool,
        _ configure: @escaping @Sendable (any Channel) throws -> Void
    ) async throws -> any Channel {
        let target = hostMap.target(host: endpoint.host, port: endpoint.port)
        let trust = trust
        let timeout = connectTimeout
        let connection = try await ClientBootstrap(group: group)
            .connectTimeout(timeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(ChannelOptions.autoRead, value: false)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: forRelay)
            .connect(host: target.address, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try attempt.begin(channel)
                    let operations = channel.pipeline.syncOperations
                    var handshake: HandshakeHandler?
                    if endpoint.isSecure {
                        let name = endpoint.host.isIPAddress ? nil : endpoint.host
                        let handler = HandshakeHandler(channel.eventLoop, timeout: timeout)
                        try operations.addHandler(NIOSSLClientHandler(context: trust.context, serverHostname: name))
                        try operations.addHandler(handler)
                        handshake = handler
                    }
                    try operations.addHandler(ByteHoldingHandler(), name: ByteHoldingHandler.name)
                    return Connection(channel: channel, handshake: handshake?.done)
                }
            }
        let channel = connection.channel
        do {
            try await connection.handshake?.get()
            try await channel.eventLoop.flatSubmit {
                channel.eventLoop.makeCompletedFuture {
                    if attempt.isCancelled { throw CancellationError() }
                    try configure(channel)
                    if !forRelay { try channel.syncOptions?.setOption(ChannelOptions.autoRead, value: true) }
                }.flatMap { ByteHoldingHandler.release(on: channel) }
            }.get()
            return channel
        } catch {
            channel.close(promise: nil)
            throw error
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
