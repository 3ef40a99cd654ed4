#if Proxy
import NIOCore

/// One end of a tunnel: what arrives here is written there, no faster than there takes it.
final class RawRelay: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private var partner: RawRelay?
    private var context: ChannelHandlerContext?
    private var readIsWaiting = false

    /// Two ends that know each other. Both channels must share an event loop.
    static func makePair() -> (RawRelay, RawRelay) {
        let pair = (RawRelay(), RawRelay())
        pair.0.partner = pair.1
        pair.1.partner = pair.0
        return pair
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The partner may have been written to before this end was ready.
        partner?.goOn()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        partner = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        partner?.context?.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        partner?.context?.flush()
        context.fireChannelReadComplete()
    }

    func channelInactive(context: ChannelHandlerContext) {
        partner?.context?.close(promise: nil)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        partner?.context?.close(promise: nil)
        context.close(promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.goOn() }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        if partner?.context?.channel.isWritable ?? false {
            context.read()
        } else {
            readIsWaiting = true
        }
    }

    private func goOn() {
        guard readIsWaiting else { return }
        readIsWaiting = false
        context?.read()
    }
}
#endif
