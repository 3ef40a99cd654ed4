#if Proxy
import HTTPTypes
import NIOCore

/// Answers that come part by part.
extension HTTPServerCodec {
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isOver else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        writes &+= 1
        switch unwrapOutboundIn(data) {
        case .interim(let head, let number):
            guard (number ?? exchange) == exchange, answer == nil, !isAnswered else {
                promise?.succeed()
                return
            }
            let bytes = MessageWriter.head(head.status, head.headerFields, .none)
            context.write(wrapOutboundOut(bytes), promise: promise)
        case .head(let head, let framing, let closes): begin(context, head, framing, closes, promise)
        case .content(let bytes): write(bytes, context, promise)
        case .end(let trailers): end(context, trailers, promise)
        case .whole(let head, let framing, let closes, let bytes):
            begin(context, head, framing, closes, nil)
            write(bytes, context, nil)
            end(context, [:], promise)
        case .stored(let head, let closes, let part):
            guard let region = try? BodyRegion(part) else {
                promise?.fail(BodyRegion.Fault.cutShort)
                return
            }
            begin(context, head, .length(Int64(part.range.count)), closes, nil)
            answer?.skip(part.range.count)
            write(region, context)
            end(context, [:], promise)
        }
    }

    func begin(
        _ context: ChannelHandlerContext, _ head: HTTPResponse, _ framing: MessageFraming, _ closes: Bool,
        _ promise: EventLoopPromise<Void>?
    ) {
        var fields = head.headerFields
        let closes = closes || isStopping || inputHasEnded && reader.isEmpty
        if closes { fields[.connection] = "close" }
        answer = AnswerWriter(framing, closes: closes)
        context.write(wrapOutboundOut(MessageWriter.head(head.status, fields, framing)), promise: promise)
    }

    func write(_ bytes: ByteBuffer, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        switch answer?.content(bytes) {
        case nil: promise?.fail(ChannelError.ioOnClosedChannel)
        case .nothing: promise?.succeed()
        case .plain(let bytes): context.write(wrapOutboundOut(bytes), promise: promise)
        case .chunk(let bytes):
            context.write(wrapOutboundOut(MessageWriter.chunkHead(bytes.readableBytes)), promise: nil)
            context.write(wrapOutboundOut(bytes), promise: nil)
            context.write(wrapOutboundOut(MessageWriter.chunkEnd), promise: promise)
        }
    }

    func end(_ context: ChannelHandlerContext, _ trailers: HTTPFields, _ promise: EventLoopPromise<Void>?) {
        guard let answer, let last = answer.end(trailers) else {
            // There is less content than announced: the client must see that it is incomplete (RFC 9112 §8).
            isOver = true
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.close(promise: nil)
            return
        }
        self.answer = nil
        isAnswered = true
        if answer.closes {
            writeLast(last, context, promise)
        } else {
            // Even when it is empty: the promise must not succeed before the earlier writes.
            context.write(wrapOutboundOut(last), promise: promise)
            if request == .complete { request = .awaited }
        }
    }
}
#endif
