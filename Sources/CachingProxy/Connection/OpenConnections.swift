#if Proxy
import Locking
import NIOCore
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

    /// Set before any connection is told. A connection whose handlers change looks here, because the event may have come
    /// while none of them was there to understand it.
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

    /// Tells all of them that the service ends (``EndOfService``), and returns when they are closed. Those that are still
    /// open after the grace are closed as they are.
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

    /// Closes past the handlers that take their time: the codec until its client has read the last answer, TLS until the
    /// client has said goodbye.
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
#endif
