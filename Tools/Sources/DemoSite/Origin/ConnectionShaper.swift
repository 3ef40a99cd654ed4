import NIOCore

/// Holds back what a connection reads: nothing before the handshakes' round trips are over, and uploads at line speed.
///
/// It stands first in the pipeline, next to the socket, so that bytes not yet "arrived" stay in the kernel and the
/// client's own flow control notices.
final class ConnectionShaper: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer

    private let up: Bandwidth
    private let handshake: TimeAmount
    private var openFrom = NIODeadline.distantPast
    private var waiting: Scheduled<Void>?

    /// - Parameter handshake: Round trips of TCP and TLS together.
    init(up: Bandwidth, handshake: TimeAmount) {
        self.up = up
        self.handshake = handshake
    }

    func handlerAdded(context: ChannelHandlerContext) {
        openFrom = .now() + handshake
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        waiting?.cancel()
        waiting = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let size = unwrapInboundIn(data).readableBytes
        if let through = up.reserve(bytes: size, now: .now()) { openFrom = max(openFrom, through) }
        context.fireChannelRead(data)
    }

    func read(context: ChannelHandlerContext) {
        guard waiting == nil else { return }
        guard openFrom > .now() else { return context.read() }
        waiting = context.eventLoop.assumeIsolated().scheduleTask(deadline: openFrom) {
            self.waiting = nil
            self.read(context: context)
        }
    }
}
