#if Proxy
import Locking
import NIOCore
import NIOPosix
import NIOSSL
import OriginDialing

/// Goes through the pipeline of a client's connection when the proxy is about to stop: what is under way may end, and
/// nothing more begins.
struct EndOfService: Sendable {}

/// The clients' connections that are open, so that they can be brought to an end together.
final class OpenConnections: Sendable {
    private struct State: Sendable {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isEnding = false
    }

    private let state = LockedBox(State())

    /// Set before any connection is told. A connection whose handlers change looks here, because the event may have
    /// come while none of them was there to understand it.
    var isEnding: Bool { state.withLock { $0.isEnding } }

    /// - Throws: `ChannelError.ioOnClosedChannel` when they are being ended already.
    func add(_ channel: any Channel) throws {
        let id = ObjectIdentifier(channel)
        try state.withLock { state in
            guard !state.isEnding else { throw ChannelError.ioOnClosedChannel }
            state.channels[id] = channel
        }
        channel.closeFuture.whenComplete { [state] _ in state.withLock { $0.channels[id] = nil } }
    }

    /// Tells all of them that the service ends (``EndOfService``), and returns when they are closed. Those that are
    /// still open after the grace are closed as they are.
    func end(within grace: TimeAmount, on loop: any EventLoop) async {
        let channels = state.withLock { state -> [any Channel] in
            state.isEnding = true
            return Array(state.channels.values)
        }
        let late = loop.scheduleTask(in: grace) {
            for channel in channels { channel.eventLoop.execute { Self.closeAtOnce(channel) } }
        }
        for channel in channels {
            channel.eventLoop.execute {
                channel.pipeline.fireUserInboundEventTriggered(EndOfService())
                // A client that was told that its tunnel stands, and has sent nothing through it.
                try? ByteHoldingHandler.find(on: channel).stopWaiting()
            }
        }
        for channel in channels { try? await channel.closeFuture.get() }
        late.cancel()
    }

    /// Closes past the handlers that take their time: the codec until its client has read the last answer, TLS until
    /// the client has said goodbye.
    private static func closeAtOnce(_ channel: any Channel) {
        let operations = channel.pipeline.syncOperations
        if let first = (try? operations.context(handlerType: NIOSSLServerHandler.self))
            ?? (try? operations.context(handlerType: HTTPServerCodec.self))
        {
            first.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }
}

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
        // A listener that closes it without having let it in is another program's.
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

/// Accepts no more clients than can be served, and pauses where the system has no descriptor for another one.
///
/// A client that can't be accepted stays in the listener's queue and keeps it readable: without a pause the event loop
/// would ask again and again. Those in the queue are accepted as soon as others have left.
final class AcceptLimit: ChannelInboundHandler {
    typealias InboundIn = any Channel

    /// Half of the files that this process may have open, less 64 for its own: each client may need a connection to an
    /// origin. At least 8.
    static var standard: Int { max(8, (OpenFileLimit.current - 64) / 2) }

    /// How long no client is accepted after the system had no descriptor.
    static let pause = TimeAmount.milliseconds(100)

    private let limit: Int
    /// Called when the system has no descriptor, on the event loop.
    private let onShortage: () -> Void
    private var open = 0
    private var isPausing = false
    private var isAccepting = true

    init(limit: Int = standard, onShortage: @escaping () -> Void) {
        self.limit = limit
        self.onShortage = onShortage
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        open += 1
        let channel = context.channel
        unwrapInboundIn(data).closeFuture.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in
            self.open -= 1
            self.update(channel)
        }
        update(channel)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard DescriptorShortage.isCause(of: error) else { return context.fireErrorCaught(error) }
        onShortage()
        guard !isPausing else { return }
        isPausing = true
        let channel = context.channel
        update(channel)
        context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) {
            self.isPausing = false
            self.update(channel)
        }
    }

    private func update(_ channel: any Channel) {
        let accepts = open < limit && !isPausing
        guard accepts != isAccepting else { return }
        isAccepting = accepts
        channel.setOption(ChannelOptions.autoRead, value: accepts).whenFailure { _ in }
    }
}
#endif
