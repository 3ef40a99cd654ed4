#if Proxy
import NIOCore

/// One end of a tunnel: what arrives here is written there, no faster than there takes it, and to the last byte.
///
/// A side that ends (FIN) ends that direction alone, behind what was written; the other goes on (RFC 9293 §3.6). A side
/// that is gone altogether ends both: what it had sent still goes out.
final class GlueHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
    typealias OutboundOut = NIOAny

    private let limits: ProxyConfiguration.Limits
    private var partner: GlueHandler?
    private var context: ChannelHandlerContext?
    private var readIsWaiting = false
    /// What came before the partner was there.
    private var held: [NIOAny] = []
    /// Counts what has come.
    private var reads = 0
    /// Whether nothing more comes.
    private var inputHasEnded = false
    /// Whether the connection is closed.
    private var isGone = false
    /// Whether nothing more will be written.
    private var outputIsEnding = false
    private var linger: Scheduled<Void>?
    private var watch: SilenceWatch<[Int]>?

    private init(_ limits: ProxyConfiguration.Limits) {
        self.limits = limits
    }

    /// Two ends that know each other. Both channels must share an event loop, and allow half-closure.
    static func makePair(_ limits: ProxyConfiguration.Limits) -> (GlueHandler, GlueHandler) {
        let pair = (GlueHandler(limits), GlueHandler(limits))
        pair.0.partner = pair.1
        pair.1.partner = pair.0
        return pair
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        // The partner may have been ready before this end was, or even be gone.
        guard let partner, partner.context != nil || partner.isGone else { return }
        for data in partner.held { context.write(data, promise: nil) }
        if !partner.held.isEmpty { context.flush() }
        partner.held = []
        if partner.isGone {
            self.partner = nil
            return endAlone()
        }
        if partner.inputHasEnded { endOutput() }
        partner.goOn()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        partner = nil
        linger?.cancel()
        watch?.stop()
        watch = nil
    }

    // MARK: Bytes

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reads &+= 1
        guard let partner else { return }
        if let there = partner.context { there.write(data, promise: nil) } else { held.append(data) }
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
        // What comes when the other side is gone is taken in and forgotten.
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
            if outputIsEnding { closeWhenWritten(context) }
        }
        if event is EndOfService {
            for end in [self, partner] {
                end?.watch?.stop()
                end?.watch = nil
            }
            closeWhenSilent(for: limits.tunnelAtEnd)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        (inputHasEnded, isGone) = (true, true)
        if let partner, partner.context != nil {
            (self.partner, partner.partner) = (nil, nil)
            partner.endAlone()
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Ends this direction behind what was written.
    private func endOutput() {
        guard let context, !outputIsEnding else { return }
        outputIsEnding = true
        if inputHasEnded { return closeWhenWritten(context) }
        whenWritten(context) { context in
            // Both directions may have ended meanwhile; then the whole is closed already, or about to be.
            if !self.inputHasEnded { context.close(mode: .output, promise: nil) }
        }
    }

    private func closeWhenWritten(_ context: ChannelHandlerContext) {
        whenWritten(context) { $0.close(promise: nil) }
    }

    /// Once all that was written has gone to the socket, or can't.
    private func whenWritten(_ context: ChannelHandlerContext, _ then: @escaping (ChannelHandlerContext) -> Void) {
        let bound = context.loopBound
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in then(bound.value) }
        context.writeAndFlush(NIOAny(ByteBuffer()), promise: written)
    }

    /// The other side is gone; what it had sent goes out, then the connection is closed.
    private func endAlone() {
        guard let context else { return }
        closeWhenSilent(for: limits.halfClosed)
        if inputHasEnded { return closeWhenWritten(context) }
        outputIsEnding = true
        whenWritten(context) { context in
            guard context.channel.isActive, self.linger == nil else { return }
            self.linger = context.closeGently()
        }
        // Room for what it sends on, which nobody takes any more.
        goOn()
    }

    /// Closes both sides once nothing has moved for a time: of two sides one of which has ended, nobody may be left.
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
}
#endif
