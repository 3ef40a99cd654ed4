#if Proxy
import NIOCore

/// How a client's connection ends, and what ends it.
extension HTTPServerCodec {
    /// Writes the last bytes of the connection.
    func writeLast(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isOver = true
        let bound = context.loopBound
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.assumeIsolated().whenComplete { _ in self.closeGently(bound.value) }
        context.writeAndFlush(wrapOutboundOut(bytes), promise: written)
    }

    /// Closes the connection after reading for a while what the client still sends.
    func closeGently(_ context: ChannelHandlerContext) {
        guard context.channel.isActive, linger == nil else { return }
        linger = context.closeGently(within: limits.linger)
    }

    /// The client has ended its side: whole requests are answered, then the connection is closed.
    func finish(_ context: ChannelHandlerContext) throws(MessageFault) {
        switch request {
        case _ where isOver: return
        case .awaited where isTaken(context): writeLast(ByteBuffer(), context, nil)
        case .arriving where inputHasEnded:
            throw MessageFault(code: .endedEarly, message: "Its content was cut off.")
        case .awaited, .arriving, .complete: return
        }
    }

    /// A client that has ended its side may have left altogether, which only a write can tell.
    func watchHalfClosed(_ context: ChannelHandlerContext) {
        watch?.stop()
        let bound = context.loopBound
        watch = SilenceWatch(limits.halfClosed, on: context.eventLoop) { [weak self] in
            self.map { [$0.exchange, $0.writes, bound.value.waitingBytes] }
        } whenSilent: {
            bound.value.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        linger?.cancel()
        isOver = true
        context.fireChannelInactive()
    }

    /// Passes octets that were received but not read to the next handler.
    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        isOver = true
        let rest = reader.takeRest()
        if rest.readableBytes > 0 {
            context.fireChannelRead(NIOAny(rest))
            context.fireChannelReadComplete()
        }
        if inputHasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }
}
#endif
