#if Proxy
import NIOCore
import NIOSSL
import NIOTLS

/// Waits for the TLS handshake of a new connection, for a limited time, and checks for whom the certificate speaks.
final class HandshakeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The protocol that the origin chose (RFC 7301), if any. Fails with what broke the handshake off, or with
    /// ``OriginIdentityError``.
    var done: EventLoopFuture<String?> { promise.futureResult }

    private let promise: EventLoopPromise<String?>
    private let identity: OriginIdentity
    private let timeout: TimeAmount
    private var limit: Scheduled<Void>?

    init(_ eventLoop: any EventLoop, _ identity: OriginIdentity, timeout: TimeAmount) {
        promise = eventLoop.makePromise()
        (self.identity, self.timeout) = (identity, timeout)
    }

    /// Nothing is read unless somebody asks; the TLS handler goes on from here by itself.
    func channelActive(context: ChannelHandlerContext) {
        let (promise, channel) = (promise, context.channel)
        limit = context.eventLoop.scheduleTask(in: timeout) {
            promise.fail(ChannelError.connectTimeout(.nanoseconds(0)))
            channel.close(promise: nil)
        }
        context.fireChannelActive()
        context.read()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.handshakeCompleted(let negotiatedProtocol)) = event as? TLSUserEvent {
            limit?.cancel()
            do {
                let certificate = try context.pipeline.syncOperations.nioSSL_peerCertificate()
                try identity.check(certificate?.toDERBytes() ?? [])
                promise.succeed(negotiatedProtocol)
            } catch {
                promise.fail(error)
                return context.close(promise: nil)
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        limit?.cancel()
        promise.fail(error)
        context.fireErrorCaught(error)
    }

    /// A connection that fails before it is active is told nothing else. An error that is known already stays.
    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        promise.fail(ChannelError.eof)
    }

    func channelInactive(context: ChannelHandlerContext) {
        limit?.cancel()
        promise.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}
#endif
