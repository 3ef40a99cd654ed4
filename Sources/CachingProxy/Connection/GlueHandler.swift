#if Proxy
import NIOCore
import OriginDialing

/// One end of a tunnel: passes on what arrives, no faster than the other end takes it, and to the last byte.
///
/// A side that ends (FIN) ends that direction alone, behind what was written; the other goes on (RFC 9293 §3.6). A side
/// that is gone altogether ends both: what it had sent still goes out.
final class GlueHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private let limits: ProxyConfiguration.Limits
    /// `nil` once the other side is gone.
    private var partner: GlueHandler?
    private var context: ChannelHandlerContext?
    private var readIsWaiting = false
    /// Counts the reads that have arrived, and their octets.
    private var (reads, octets) = (0, Int64(0))
    private var inputHasEnded = false
    /// Whether nothing more will be written.
    private var outputIsEnding = false
    private var linger: Scheduled<Void>?
    private var watch: SilenceWatch<[Int]>?

    private init(_ limits: ProxyConfiguration.Limits) { self.limits = limits }

    /// Makes a tunnel of two connections that share an event loop and allow half-closure. What a ``ByteHoldingHandler``
    /// in each of them holds goes on through the tunnel.
    ///
    /// - Parameter whenOver: Called when the first connection is closed, with the octets that came from either.
    static func join(
        _ one: any Channel, _ other: any Channel, _ limits: ProxyConfiguration.Limits,
        _ whenOver: @escaping @Sendable (Int64, Int64) -> Void
    ) -> EventLoopFuture<Void> {
        one.eventLoop.makeCompletedFuture {
            let ends = (GlueHandler(limits), GlueHandler(limits))
            one.closeFuture.assumeIsolated().whenComplete { _ in whenOver(ends.0.octets, ends.1.octets) }
            try one.pipeline.syncOperations.addHandler(ends.0)
            try other.pipeline.syncOperations.addHandler(ends.1)
            (ends.0.partner, ends.1.partner) = (ends.1, ends.0)
        }.flatMap {
            ByteHoldingHandler.release(on: one).and(ByteHoldingHandler.release(on: other))
        }.flatMap { _ in
            one.setOption(ChannelOptions.autoRead, value: true)
                .and(other.setOption(ChannelOptions.autoRead, value: true)).map { _ in }
        }
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        leave()
        self.context = nil
        linger?.cancel()
        stopWatch()
    }

    // MARK: Bytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads &+= 1
        octets &+= Int64(unwrapInboundIn(data).readableBytes)
        partner?.context?.write(data, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        partner?.context?.flush()
        context.fireChannelReadComplete()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.goOn() }
        context.fireChannelWritabilityChanged()
    }

    func read(context: ChannelHandlerContext) {
        // Bytes that arrive when the other side is gone are read and dropped.
        if linger != nil || partner?.context?.channel.isWritable ?? false {
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

    // MARK: The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent, !inputHasEnded {
            inputHasEnded = true
            partner?.endOutput()
            closeWhenSilent(for: limits.halfClosed)
            if outputIsEnding { endOutput() }
        }
        if event is EndOfService {
            stopWatch()
            partner?.stopWatch()
            closeWhenSilent(for: limits.tunnelAtEnd)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// This side is gone: what it had sent goes out on the other side, which is then closed.
    private func leave() {
        inputHasEnded = true
        guard let other = partner else { return }
        (partner, other.partner) = (nil, nil)
        other.closeWhenSilent(for: limits.halfClosed)
        other.endOutput()
        // Reads what the other side still sends, which is dropped.
        other.goOn()
    }

    /// Once all that was written has gone to the socket, or can't, ends the output, and closes the connection where the
    /// input has ended as well or where the other side is gone.
    private func endOutput() {
        guard let context else { return }
        outputIsEnding = true
        let bound = context.loopBound
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            let context = bound.value
            if self.inputHasEnded {
                context.close(promise: nil)
            } else if self.partner != nil {
                context.close(mode: .output, promise: nil)
            } else if context.channel.isActive, self.linger == nil {
                self.linger = context.closeGently(within: self.limits.linger)
            }
        }
        context.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    /// Closes both sides once nothing has moved for a time: where one side has ended, the other may be gone as well.
    private func closeWhenSilent(for limit: TimeAmount) {
        guard let context, watch == nil, partner?.watch == nil else { return }
        let bound = context.loopBound
        watch = SilenceWatch(limit, on: context.eventLoop) { [weak self] in
            guard let self else { return nil }
            let there = self.partner
            return [reads, there?.reads ?? 0, bound.value.waitingBytes, there?.context?.waitingBytes ?? 0]
        } whenSilent: { [weak self] in
            self?.partner?.context?.close(promise: nil)
            bound.value.close(promise: nil)
        }
    }

    private func stopWatch() {
        watch?.stop()
        watch = nil
    }
}
#endif
