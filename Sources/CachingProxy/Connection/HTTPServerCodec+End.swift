#if Proxy
import HTTPMessages
import NIOCore

/// How a client's connection ends, and what ends it.
extension HTTPServerCodec {
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
        case .awaited where socketHasRoom(context): writeLast(ByteBuffer(), context, nil)
        case .arriving where inputHasEnded:
            throw MessageFault(code: .endedEarly, message: "Its content was cut off.")
        case .awaited, .arriving, .complete: return
        }
    }

    /// A client that has ended its side may have left altogether, which only a write can tell.
    func watchHalfClosed(_ context: ChannelHandlerContext) {
        watch?.stop()
        let bound = context.loopBound
        watch = SilenceWatch(limits.left, on: context.eventLoop) { [weak self] in
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

/// Notices that nothing has moved on a connection for a time. Lives on its event loop.
///
/// One task is scheduled for the whole of a connection, not one for each thing that moves; so silence is noticed after
/// one to two times the limit.
final class SilenceWatch<Progress: Equatable> {
    private let loop: any EventLoop
    private let limit: TimeAmount
    private let progress: () -> Progress?
    private let whenSilent: () -> Void
    private var task: Scheduled<Void>?

    /// Watches until ``stop()``, or until it was silent.
    ///
    /// - Parameters:
    ///   - progress: A value that changes when something moves; `nil` while silence does not count.
    ///   - whenSilent: Called once.
    init(
        _ limit: TimeAmount, on loop: any EventLoop, progress: @escaping () -> Progress?,
        whenSilent: @escaping () -> Void
    ) {
        (self.limit, self.loop, self.progress, self.whenSilent) = (limit, loop, progress, whenSilent)
        schedule(after: progress())
    }

    private func schedule(after last: Progress?) {
        task = loop.assumeIsolated().scheduleTask(in: limit) {
            let now = self.progress()
            if let now, now == last { self.whenSilent() } else { self.schedule(after: now) }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}

extension ChannelHandlerContext {
    /// How many bytes that were written wait for the socket; falls while a slow reader takes them.
    var waitingBytes: Int { (try? channel.syncOptions?.getOption(ChannelOptions.bufferedWritableBytes)) ?? 0 }

    /// Closes the output and takes in what still comes for a time, then closes.
    ///
    /// RFC 9112 §9.6: with an immediate close "there is a significant risk that the client will not be able to read the
    /// last HTTP response": the system discards what the other side has not read when it has sent more meanwhile.
    func closeGently(within limit: TimeAmount) -> Scheduled<Void> {
        let bound = loopBound
        let linger = eventLoop.assumeIsolated().scheduleTask(in: limit) { bound.value.close(promise: nil) }
        close(mode: .output, promise: nil)
        channel.setOption(ChannelOptions.autoRead, value: true).whenFailure { _ in }
        read()
        return linger
    }
}
#endif
