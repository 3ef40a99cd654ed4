#if Proxy
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOTransport
import OriginDialing

/// Reads request parts from a stream of HTTP/2 and writes response parts as its frames: the one exchange that the
/// stream carries. ``HTTPServerCodec`` does so for HTTP/1.1.
final class StreamServerCodec: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = RequestPart
    typealias OutboundIn = ResponsePart
    typealias OutboundOut = HTTP2Frame.FramePayload

    private enum Request {
        case awaited
        /// The octets that must come yet, where their number is stated.
        case arriving(left: Int64?)
        case complete
    }

    private static let exchange = 1

    private let handler: ProxyRequestHandler
    private var request = Request.awaited
    private var isSafe = false
    /// The answer's framing once its head is sent.
    private var answer: AnswerWriter?
    /// Whether the whole answer is sent.
    private var isAnswered = false
    /// Set when nothing more is read or written.
    private var isOver = false

    init(_ handler: ProxyRequestHandler) { self.handler = handler }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isOver else { return }
        do throws(MessageFault) {
            switch unwrapInboundIn(data) {
            case .headers(let block): try receive(block, context)
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { return }
                try receive(bytes, isLast: data.endStream, context)
            default: return
            }
        } catch {
            refuse(error, context)
        }
    }

    private func receive(
        _ block: HTTP2Frame.FramePayload.Headers, _ context: ChannelHandlerContext
    ) throws(MessageFault) {
        let lines = FieldBlock(block.headers)
        guard case .awaited = request else { return try end(try HTTPFields(trailers: lines, .request), context) }
        let head = try RequestHead(lines, scheme: "https")
        isSafe = Invalidation.isSafe(head.method)
        let framing = try MessageFraming(of: head, isLast: block.endStream)
        request = .arriving(left: framing.statedLength)
        context.fireChannelRead(wrapInboundOut(.head(head, framing, exchange: Self.exchange)))
        if block.endStream { try end([:], context) }
    }

    private func receive(_ bytes: ByteBuffer, isLast: Bool, _ context: ChannelHandlerContext) throws(MessageFault) {
        guard case .arriving(let left) = request else { return }
        if let left {
            guard Int64(bytes.readableBytes) <= left else {
                throw .malformed("The content is longer than its Content-Length.")
            }
            request = .arriving(left: left - Int64(bytes.readableBytes))
        }
        if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.content(bytes))) }
        if isLast { try end([:], context) }
    }

    private func end(_ trailers: HTTPFields, _ context: ChannelHandlerContext) throws(MessageFault) {
        guard case .arriving(let left) = request, left ?? 0 == 0 else {
            throw .malformed("The content is shorter than its Content-Length.")
        }
        request = .complete
        context.fireChannelRead(wrapInboundOut(.end(trailers: trailers)))
    }

    private func refuse(_ fault: MessageFault, _ context: ChannelHandlerContext) {
        var isBegun = false
        if case .arriving = request {
            isBegun = handler.hasExchange
            context.fireErrorCaught(fault)
        }
        guard answer == nil, !isAnswered else {
            isOver = true
            return context.close(promise: nil)
        }
        let refusal = RequestRefusal.notHTTP(fault)
        if !isBegun { handler.proxy.report(refusal) }
        let (head, content) = refusal.answer
        write(.whole(head, .length(Int64(content.readableBytes)), closes: true, content), context, nil)
        isOver = true
        context.flush()
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        write(unwrapOutboundIn(data), context, promise)
    }

    private func write(_ part: ResponsePart, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        switch part {
        case .interim(let head, _):
            // A client that does not read gets the final answer alone.
            let block = head.block(.none)
            guard answer == nil, !isAnswered, context.channel.isWritable, block.fitsOneFrame else {
                promise?.succeed()
                return
            }
            context.write(wrapOutboundOut(.head(block, isLast: false)), promise: promise)
        case .head(let head, let framing, _): begin(head, framing, isLast: framing == .none, context, promise)
        case .content(let bytes): send(bytes, context, promise)
        case .end(let trailers): end(trailers, context, promise)
        case .whole(let head, let framing, _, let bytes):
            let isLast = framing.statedLength == 0
            begin(head, framing, isLast: isLast, context, isLast ? promise : nil)
            if !isLast { send(bytes, isLast: true, context, promise) }
        }
    }

    private func begin(
        _ head: HTTPResponse, _ framing: MessageFraming, isLast: Bool, _ context: ChannelHandlerContext,
        _ promise: EventLoopPromise<Void>?
    ) {
        let block = head.block(framing)
        guard block.fitsOneFrame else { return leaveToHTTP11(context, promise) }
        answer = AnswerWriter(framing, closes: false)
        if isLast {
            finish(by: .head(block, isLast: true), context, promise)
        } else {
            context.write(wrapOutboundOut(.head(block, isLast: false)), promise: promise)
        }
    }

    private func send(
        _ bytes: ByteBuffer, isLast: Bool = false, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        switch answer?.content(bytes) {
        case nil: promise?.fail(ChannelError.ioOnClosedChannel)
        case .nothing: if isLast { end([:], context, promise) } else { promise?.succeed() }
        case .plain(let bytes), .chunk(let bytes):
            let isWhole = isLast && answer?.end([:]) != nil
            let frame = HTTP2Frame.FramePayload.Data(data: .byteBuffer(bytes), endStream: isWhole)
            guard !isWhole else { return finish(by: .data(frame), context, promise) }
            context.write(wrapOutboundOut(.data(frame)), promise: isLast ? nil : promise)
            if isLast { end([:], context, promise) }
        }
    }

    private func end(_ trailers: HTTPFields, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard let answer, answer.end(trailers) != nil else {
            // There is less content than announced: the client must see that it is incomplete (RFC 9113 §8.1.1).
            isOver = true
            promise?.fail(ChannelError.ioOnClosedChannel)
            return context.close(promise: nil)
        }
        finish(by: .end(trailers), context, promise)
    }

    /// Writes the frame that ends the answer. RFC 9113 §8.1: who has answered without the rest of a request says so by
    /// "RST_STREAM with an error code of NO_ERROR after sending a complete response": behind that frame, which may wait
    /// for the client's window.
    private func finish(
        by last: HTTP2Frame.FramePayload, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        answer = nil
        isAnswered = true
        if case .complete = request { return context.write(wrapOutboundOut(last), promise: promise) }
        isOver = true
        let (bound, sent) = (context.loopBound, promise ?? context.eventLoop.makePromise())
        context.write(wrapOutboundOut(last), promise: sent)
        sent.futureResult.assumeIsolated().whenSuccess {
            bound.value.writeAndFlush(self.wrapOutboundOut(.rstStream(.noError)), promise: nil)
        }
    }

    /// The head is too long for a frame (``FieldBlock/fitsOneFrame``): the client is told to ask by HTTP/1.1 (RFC 9113
    /// §7) where that repeats nothing, and new connections offer nothing else.
    private func leaveToHTTP11(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        isOver = true
        if case .intercepted(let authority) = handler.role,
            let endpoint = OriginDialer.Endpoint(authority: authority, isSecure: true)
        {
            handler.proxy.authority?.offerHTTP11(for: endpoint.host)
        }
        promise?.fail(ChannelError.ioOnClosedChannel)
        context.write(wrapOutboundOut(.rstStream(isSafe ? .http11Required : .internalError)), promise: nil)
        context.flush()
        context.channel.parent?.pipeline.fireUserInboundEventTriggered(EndOfService())
    }
}
#endif
