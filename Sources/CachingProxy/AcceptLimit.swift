#if Proxy
import NIOCore
import NIOPosix
import OriginDialing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

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
        guard DescriptorShortage.isCause(of: error) else {
            context.fireErrorCaught(error)
            return
        }
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
