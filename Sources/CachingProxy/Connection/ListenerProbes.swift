#if Proxy
import Locking
import NIOCore
import NIOPosix

/// Connections that a proxy makes to itself, to see whether its listener still accepts.
final class ListenerProbes: Sendable {
    private struct State: Sendable {
        /// How many probes are under way.
        var running = 0
        /// The clients' ports that were accepted meanwhile.
        var accepted: Set<Int> = []
        /// The probes that wait for their own connection, by its port.
        var waiting: [Int: EventLoopPromise<Bool>] = [:]
    }

    /// How long a probe waits for its connection to be accepted.
    private static let limit = TimeAmount.seconds(1)

    private let state = LockedBox(State())

    /// - Returns: Whether the listener at the address, and no other program's, has accepted a connection.
    func reach(_ address: SocketAddress, on group: any EventLoopGroup) async -> Bool {
        state.withLock { $0.running += 1 }
        defer {
            state.withLock { state in
                state.running -= 1
                if state.running == 0 { state.accepted = [] }
            }
        }
        let connecting = ClientBootstrap(group: group).connectTimeout(Self.limit).connect(to: address)
        guard let client = try? await connecting.get() else { return false }
        defer { client.close(promise: nil) }
        guard let port = client.localAddress?.port else { return false }
        let promise = client.eventLoop.makePromise(of: Bool.self)
        // Whoever closes it without having let it in is another program.
        client.closeFuture.whenComplete { _ in self.end(port, false) }
        let alarm = client.eventLoop.scheduleTask(in: Self.limit) { self.end(port, false) }
        let isAccepted = state.withLock { state in
            state.waiting[port] = promise
            return state.accepted.contains(port)
        }
        if isAccepted { end(port, true) } else if !client.isActive { end(port, false) }
        defer { alarm.cancel() }
        return (try? await promise.futureResult.get()) ?? false
    }

    private func end(_ port: Int, _ isReached: Bool) {
        state.withLock { $0.waiting.removeValue(forKey: port) }?.succeed(isReached)
    }

    /// Notes who connects, while there is a probe. On the channel's event loop, before it is active.
    func watch(_ channel: any Channel) throws {
        guard state.withLock({ $0.running > 0 }) else { return }
        try channel.pipeline.syncOperations.addHandler(Watch(self), position: .first)
    }

    private func note(_ port: Int) {
        state.withLock { _ = $0.accepted.insert(port) }
        end(port, true)
    }

    /// Sees a client's address, which an accepted channel has from its activation on.
    private final class Watch: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = NIOAny

        private let probes: ListenerProbes

        init(_ probes: ListenerProbes) { self.probes = probes }

        func channelActive(context: ChannelHandlerContext) {
            if let port = context.remoteAddress?.port { probes.note(port) }
            context.fireChannelActive()
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        }
    }
}
#endif
