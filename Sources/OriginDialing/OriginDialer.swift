#if Proxy
import CacheEngine
import HTTPCacheSemantics
import Locking
import NIOCore
import NIOPosix
import NIOSSL

/// Opens connections to origins: host map, name resolution, TCP, and TLS that is always verified.
package struct OriginDialer: Sendable {
    /// Where a connection goes.
    package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
        package var host: String
        package var port: Int
        package var isSecure: Bool

        package init(host: String, port: Int, isSecure: Bool) {
            self.host = host
            self.port = port
            self.isSecure = isSecure
        }

        /// From an authority such as `shop.test`, `shop.test:8443` or `[::1]:80`.
        package init?(authority: String, isSecure: Bool) {
            guard let authority = Authority(authority) else { return nil }
            host = authority.host
            port = authority.port ?? (isSecure ? 443 : 80)
            self.isSecure = isSecure
        }

        package var description: String { Authority(host: host, port: port).description }
    }

    package private(set) var group: any EventLoopGroup
    package let hostMap: HostMap
    package let trust: OriginTrust
    /// Limit for connecting and for the TLS handshake, each. Ten seconds unless set.
    package let connectTimeout: TimeAmount
    /// Idle connections, closed when no descriptor is left for a new one. Those who keep idle connections register
    /// here.
    package let spare = SpareConnections()
    /// Looks up the names that the host map does not have.
    package let lookups: NameLookups

    package init(
        group: any EventLoopGroup, hostMap: HostMap = HostMap(), trust: OriginTrust,
        connectTimeout: TimeAmount = .seconds(10), lookups: NameLookups = .shared
    ) {
        (self.group, self.hostMap, self.trust) = (group, hostMap, trust)
        (self.connectTimeout, self.lookups) = (connectTimeout, lookups)
    }

    /// The same, with connections that live on one event loop.
    package func on(_ eventLoop: any EventLoop) -> OriginDialer {
        var dialer = self
        dialer.group = eventLoop
        return dialer
    }

    package typealias Configure = @Sendable (_ channel: any Channel, _ isHTTP2: Bool) throws -> Void

    /// Connects, and for secure endpoints completes a verified handshake, then adds the caller's handlers, which miss
    /// nothing of what the origin says. A task that is cancelled gives the attempt up.
    ///
    /// Where no descriptor is left, idle connections are closed, and it is tried once more.
    ///
    /// - Parameters:
    ///   - configure: Gets the channel, and whether it speaks HTTP/2. `nil` for a relay, in which both directions end
    ///     on their own (RFC 9293 §3.6), and which reads when it is asked to: its ``ByteHoldingHandler`` holds what the
    ///     origin says until the caller removes it.
    /// - Throws: ``TransportError`` that names the host and says what helps; `CancellationError`.
    package func connect(
        _ endpoint: Endpoint, offersHTTP2: Bool = false, configure: Configure?
    ) async throws -> any Channel {
        let attempt = DialAttempt()
        return try await withTaskCancellationHandler {
            do {
                do {
                    return try await open(endpoint, attempt, offersHTTP2, configure)
                } catch  where DescriptorShortage.isCause(of: error) {
                    await spare.close()
                }
                return try await open(endpoint, attempt, offersHTTP2, configure)
            } catch {
                if attempt.isCancelled { throw CancellationError() }
                lookups.forget(hostMap.target(host: endpoint.host, port: endpoint.port).address)
                throw ConnectFailure.describe(error, endpoint)
            }
        } onCancel: {
            attempt.cancel()
        }
    }

    private func open(
        _ endpoint: Endpoint, _ attempt: DialAttempt, _ offersHTTP2: Bool, _ configure: Configure?
    ) async throws -> any Channel {
        let target = hostMap.target(host: endpoint.host, port: endpoint.port)
        let context = try endpoint.isSecure && !offersHTTP2 ? trust.context : trust.contextForHTTP2
        let (timeout, loop) = (connectTimeout, group.next())
        let query = NameQuery(lookups, on: loop)
        try attempt.begin { query.cancelQueries() }
        let connection = try await ClientBootstrap(group: loop)
            .resolver(query)
            .connectTimeout(timeout)
            .channelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(ChannelOptions.autoRead, value: false)
            .channelOption(ChannelOptions.allowRemoteHalfClosure, value: configure == nil)
            .connect(host: target.address, port: target.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try attempt.begin { channel.close(promise: nil) }
                    let operations = channel.pipeline.syncOperations
                    var handshake: HandshakeHandler?
                    if endpoint.isSecure {
                        let identity = OriginIdentity(host: endpoint.host)
                        let tls = try NIOSSLClientHandler(context: context, serverHostname: identity.serverName)
                        let handler = HandshakeHandler(channel.eventLoop, identity, timeout: timeout)
                        try operations.addHandlers(tls, handler)
                        handshake = handler
                    }
                    try ByteHoldingHandler.add(to: channel)
                    return Connection(channel: channel, handshake: handshake?.done)
                }
            }
        let channel = connection.channel
        do {
            let isHTTP2 = try await connection.handshake?.get() == "h2"
            guard let configure else { return channel }
            try await channel.eventLoop.flatSubmit {
                channel.eventLoop.makeCompletedFuture {
                    if attempt.isCancelled { throw CancellationError() }
                    try configure(channel, isHTTP2)
                    try channel.syncOptions?.setOption(ChannelOptions.autoRead, value: true)
                }.flatMap { ByteHoldingHandler.release(on: channel) }
            }.get()
            return channel
        } catch {
            channel.close(promise: nil)
            throw error
        }
    }
}

/// A connection whose handshake may still be under way, or may have failed already: then its pipeline is empty, and
/// only the future can tell why.
private struct Connection: Sendable {
    var channel: any Channel
    var handshake: EventLoopFuture<String?>?
}

/// One attempt to connect, so that it can be given up: a name is looked up, and where it has several addresses, they
/// are tried on several channels.
final class DialAttempt: Sendable {
    private struct State: Sendable {
        var parts: [@Sendable () -> Void] = []
        var isCancelled = false
    }

    private let state = LockedBox(State())

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// - Parameter giveUp: Ends a part of the attempt that begins.
    /// - Throws: `CancellationError` when the attempt was given up already.
    func begin(giveUp: @escaping @Sendable () -> Void) throws {
        let isCancelled = state.withLock { state -> Bool in
            state.parts.append(giveUp)
            return state.isCancelled
        }
        if isCancelled { throw CancellationError() }
    }

    /// Ends what was begun, and lets nothing more begin.
    func cancel() {
        let parts = state.withLock { state -> [@Sendable () -> Void] in
            state.isCancelled = true
            return state.parts
        }
        for giveUp in parts { giveUp() }
    }
}
#endif
