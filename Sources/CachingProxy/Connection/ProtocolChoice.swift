#if Proxy
import NIOCore
import NIOTLS

/// Waits for the TLS handshake of an intercepted tunnel, for a limited time, and adds the handlers for the version of
/// HTTP that the client chose in it (RFC 7301).
final class ProtocolChoice: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private let limit: TimeAmount
    private let configure: (_ channel: any Channel, _ isHTTP2: Bool) throws -> Void
    private var late: Scheduled<Void>?

    init(
        _ limits: ProxyConfiguration.Limits,
        configure: @escaping (_ channel: any Channel, _ isHTTP2: Bool) throws -> Void
    ) {
        limit = limits.head
        self.configure = configure
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = context.loopBound
        late = context.eventLoop.assumeIsolated().scheduleTask(in: limit) { bound.value.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { late?.cancel() }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case TLSUserEvent.handshakeCompleted(let chosen):
            do {
                try configure(context.channel, chosen == "h2")
            } catch {
                return context.close(promise: nil)
            }
            context.fireUserInboundEventTriggered(event)
            context.pipeline.syncOperations.removeHandler(context: context, promise: nil)
        // Nothing was asked yet.
        case is EndOfService, ChannelEvent.inputClosed: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
