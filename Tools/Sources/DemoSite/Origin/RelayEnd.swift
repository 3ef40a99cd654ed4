import NIOCore

/// One end of a relayed connection: what it reads reaches the other end as late as the line makes it.
///
/// It reads again when the line has carried the last piece, when not too much is under way, and when the other end
/// takes what it gets; what was not read stays in the kernel, and the sender's own flow control notices. Both ends live
/// on one event loop.
final class RelayEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// An arrival at the other end.
    private enum Item {
        case bytes(ByteBuffer)
        /// Nothing more will come, answers still may.
        case end
        case closed
    }

    /// Bytes under way beyond which no more are read: far more than any shaped line holds.
    private static let most = 1_048_576
    /// Bytes that come before a fault shows: a TLS handshake, heads, and the beginning of a page.
    private static let beforeFault = 4_096
    /// Bytes in a second of a trickling line.
    private static let trickle = 10

    private let line: Bandwidth
    private let delay: TimeAmount
    private let fault: LineFault?
    private let count: (Int) -> Void
    private var passed = 0
    private var readsFrom: NIODeadline
    private var isReadWanted = false
    private var underWay = CircularBuffer<(item: Item, arrives: NIODeadline)>()
    private var bytesUnderWay = 0
    private var arrival: Scheduled<Void>?
    private var wake: Scheduled<Void>?
    private var other: RelayEnd?
    private var context: ChannelHandlerContext?

    /// - Parameters:
    ///   - line: The line that it sends on.
    ///   - delay: One way.
    ///   - opens: When the first byte may be read.
    ///   - fault: Shows after the first 4 KiB.
    ///   - count: Gets the size of each piece.
    init(
        line: Bandwidth, delay: TimeAmount, opens: NIODeadline, fault: LineFault? = nil, count: @escaping (Int) -> Void
    ) {
        self.line = line
        self.delay = delay
        self.fault = fault
        self.count = count
        readsFrom = opens
    }

    /// Makes a pair of two ends; until then neither reads.
    func join(_ other: RelayEnd) {
        self.other = other
        other.other = self
        for end in [self, other] {
            if end.context == nil { end.send(.closed, arrives: .now()) }
            // A client that has ended its output already was read to that end, wanted or not.
            end.deliver()
            end.readIfWanted()
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        wake?.cancel()
        wake = nil
    }

    // MARK: Reading

    func read(context: ChannelHandlerContext) {
        isReadWanted = true
        readIfWanted()
    }

    private func readIfWanted() {
        guard isReadWanted, wake == nil, let context, let other, bytesUnderWay < Self.most,
            other.context?.channel.isWritable ?? false
        else { return }
        guard readsFrom <= .now() else {
            wake = context.eventLoop.assumeIsolated().scheduleTask(deadline: readsFrom) {
                self.wake = nil
                self.readIfWanted()
            }
            return
        }
        isReadWanted = false
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        readsFrom = line.reserve(bytes: bytes.readableBytes, now: .now()) ?? .now()
        let good = fault == nil ? bytes.readableBytes : max(0, min(bytes.readableBytes, Self.beforeFault - passed))
        if let first = bytes.readSlice(length: good), good > 0 { pass(first) }
        if bytes.readableBytes > 0, fault == .lossy { return context.close(promise: nil) }
        while let next = bytes.readSlice(length: min(bytes.readableBytes, Self.trickle)), next.readableBytes > 0 {
            readsFrom = max(readsFrom, .now()) + .seconds(1)
            pass(next)
        }
    }

    private func pass(_ bytes: ByteBuffer) {
        count(bytes.readableBytes)
        passed += bytes.readableBytes
        bytesUnderWay += bytes.readableBytes
        send(.bytes(bytes), arrives: readsFrom + delay)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent { send(.end, arrives: .now() + delay) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        send(.closed, arrives: .now() + delay)
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        other?.readIfWanted()
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Arriving

    private func send(_ item: Item, arrives: NIODeadline) {
        // In order, whatever the deadlines say.
        underWay.append((item, max(arrives, underWay.last?.arrives ?? arrives)))
        deliver()
    }

    private func deliver() {
        guard arrival == nil, let other else { return }
        while let first = underWay.first {
            if first.arrives > .now() {
                guard let loop = (context ?? other.context)?.eventLoop else { return }
                arrival = loop.assumeIsolated().scheduleTask(deadline: first.arrives) {
                    self.arrival = nil
                    self.deliver()
                }
                return
            }
            underWay.removeFirst()
            switch first.item {
            case .bytes(let bytes):
                bytesUnderWay -= bytes.readableBytes
                other.context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
            case .end: other.context?.close(mode: .output, promise: nil)
            case .closed:
                other.context?.close(promise: nil)
                self.other = nil
                return
            }
        }
        readIfWanted()
    }
}
