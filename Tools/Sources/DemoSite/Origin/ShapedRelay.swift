import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// The faults of a network, as a ``ShapedRelay`` has them.
package enum LineFault: String, Sendable {
    /// Connections are taken, and nothing is said on them.
    case silent
    /// Connections end before a byte has come.
    case closing
    /// Each connection brings 4 KiB, and then ten bytes a second.
    case trickling
    /// Every third connection breaks off after 4 KiB.
    case lossy
}

/// A TCP relay on loopback that makes the way to a server as slow as a ``Shaping`` says, or as bad as a ``LineFault``.
///
/// It reads nothing of what it carries, so TLS and WebSocket pass as they are. Every byte arrives half a round trip
/// late, a new connection carries nothing during its first round trip (the TCP handshake), and all connections of a
/// relay share the speed of one line in each direction. Congestion control is not imitated: a connection has the full
/// speed from its first byte.
package final class ShapedRelay: Sendable {
    /// The traffic that a relay has carried.
    package struct Traffic: Hashable, Sendable {
        /// Connections accepted from clients.
        package var connections = 0
        /// Bytes from servers: heads, bodies, and whatever TLS adds.
        package var bytesDown: Int64 = 0
        /// Bytes from clients.
        package var bytesUp: Int64 = 0
    }

    private struct Guarded {
        var traffic = Traffic()
        var listeners: [any Channel] = []
        var connections: [ObjectIdentifier: any Channel] = [:]
        var fault: LineFault?
        var begun = 0
    }

    private let shaping: Shaping
    private let down: Bandwidth
    private let up: Bandwidth
    private let loop: any EventLoop
    private let guarded = NIOLockedValueBox(Guarded())

    /// Makes a relay that is not listening yet.
    ///
    /// - Parameters:
    ///   - shaping: How slow the way is.
    ///   - group: Where it runs, on one event loop; the process-wide group by default.
    package init(shaping: Shaping, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton) {
        self.shaping = shaping
        down = Bandwidth(bitsPerSecond: shaping.downBitsPerSecond)
        up = Bandwidth(bitsPerSecond: shaping.upBitsPerSecond)
        loop = group.next()
    }

    /// Gives the line a fault, or takes it back with `nil`: for connections that begin from now on. Those that are open
    /// are closed.
    package func setFault(_ fault: LineFault?) {
        let open = guarded.withLockedValue { guarded -> [any Channel] in
            (guarded.fault, guarded.begun) = (fault, 0)
            return Array(guarded.connections.values)
        }
        for channel in open { channel.close(promise: nil) }
    }

    /// Listens on 127.0.0.1 for connections to one server. May be called once per server.
    ///
    /// A client whose server can't be reached is accepted and then closed.
    ///
    /// - Parameters:
    ///   - host: The server's name or address.
    ///   - port: The server's port.
    ///   - ownPort: The relay's port; zero takes a free one.
    /// - Returns: The relay's port.
    /// - Throws: ``DemoSiteError`` with `cannotListen`.
    @discardableResult
    package func listen(toHost host: String, port: Int, on ownPort: Int = 0) async throws(DemoSiteError) -> Int {
        do {
            let listener = try await ServerBootstrap(group: loop)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: piece))
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelInitializer { [self] client in
                    client.eventLoop.makeCompletedFuture { try relay(client, toHost: host, port: port) }
                }
                .bind(host: "127.0.0.1", port: ownPort).get()
            guarded.withLockedValue { $0.listeners.append(listener) }
            return listener.localAddress?.port ?? 0
        } catch {
            throw DemoSiteError(.cannotListen, "No port of 127.0.0.1 can be opened for the relay.", cause: error)
        }
    }

    /// The traffic since the last call.
    package func takeTraffic() -> Traffic {
        guarded.withLockedValue { guarded in
            defer { guarded.traffic = Traffic() }
            return guarded.traffic
        }
    }

    /// Stops listening and closes every connection; returns when all are closed.
    package func stop() async {
        let open = guarded.withLockedValue { guarded -> [any Channel] in
            defer { guarded.listeners = [] }
            return guarded.listeners + guarded.connections.values
        }
        for channel in open { channel.close(promise: nil) }
        // A connection that is gone already fails to close again; closed it is either way.
        for channel in open { try? await channel.closeFuture.get() }
    }

    /// Small where the line is limited, so that connections share it evenly.
    private var piece: Int { shaping.downBitsPerSecond == nil ? 65_536 : 8_192 }

    /// The fault of a connection that begins.
    private func nextFault() -> LineFault? {
        guarded.withLockedValue { guarded in
            guarded.begun += 1
            return guarded.fault == .lossy && !guarded.begun.isMultiple(of: 3) ? nil : guarded.fault
        }
    }

    private func relay(_ client: any Channel, toHost host: String, port: Int) throws {
        guarded.withLockedValue { $0.traffic.connections += 1 }
        let fault = nextFault()
        track(client)
        // Not before it is registered, or nobody closes it.
        guard fault != .closing else { return client.eventLoop.execute { client.close(promise: nil) } }
        let oneWay = TimeAmount(shaping.roundTrip / 2)
        let near = RelayEnd(line: up, delay: oneWay, opens: .now() + TimeAmount(shaping.roundTrip)) { [guarded] size in
            guarded.withLockedValue { $0.traffic.bytesUp += Int64(size) }
        }
        let far = RelayEnd(line: down, delay: oneWay, opens: .distantPast, fault: fault) { [guarded] size in
            guarded.withLockedValue { $0.traffic.bytesDown += Int64(size) }
        }
        try client.pipeline.syncOperations.addHandler(near)
        // Its end is joined to none, so that it never reads.
        guard fault != .silent else { return }
        let ends = NIOLoopBound((near: near, far: far), eventLoop: loop)
        ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: piece))
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelInitializer { [self] server in
                server.eventLoop.makeCompletedFuture {
                    try server.pipeline.syncOperations.addHandler(ends.value.far)
                    track(server)
                }
            }
            .connect(host: host, port: port)
            .whenComplete { result in
                switch result {
                case .success: ends.value.near.join(ends.value.far)
                case .failure: client.close(promise: nil)
                }
            }
    }

    private func track(_ channel: any Channel) {
        let key = ObjectIdentifier(channel)
        guarded.withLockedValue { $0.connections[key] = channel }
        channel.closeFuture.whenComplete { [guarded] _ in
            guarded.withLockedValue { $0.connections[key] = nil }
        }
    }
}
