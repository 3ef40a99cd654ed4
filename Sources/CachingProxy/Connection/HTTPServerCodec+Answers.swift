#if Proxy
import HTTPMessages
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
            // A client that does not read gets the final answer alone: up to 1,000 heads for each would pile up here.
            guard (number ?? exchange) == exchange, answer == nil, !isAnswered, socketHasRoom(context) else {
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

/// A request as ``HTTPServerCodec`` hands it on, in order: head, content, end.
enum RequestPart: Sendable {
    /// - Parameter exchange: Counts the requests of the connection.
    case head(RequestHead, MessageFraming, exchange: Int)
    case content(ByteBuffer)
    case end(trailers: HTTPFields)
}

/// An answer as ``HTTPServerCodec`` takes it, in order: any interim responses, head, content, end.
enum ResponsePart: Sendable {
    /// Left out when that exchange is not the current one any more, its final head is out, or the socket takes no more
    /// bytes.
    ///
    /// - Parameter exchange: `nil` for the current one.
    case interim(HTTPResponse, exchange: Int?)
    /// - Parameter closes: Whether the connection is closed behind the end; the fields get the option for it.
    case head(HTTPResponse, MessageFraming, closes: Bool)
    case content(ByteBuffer)
    case end(trailers: HTTPFields)
    /// Head, content and end at once.
    case whole(HTTPResponse, MessageFraming, closes: Bool, ByteBuffer)
}

/// An answer from the store that can be written at once.
struct ReadyAnswer {
    var head: ByteBuffer
    var content: ArraySlice<UInt8>
    var closes: Bool
}

/// Puts the content of an answer into the framing that its head announced.
struct AnswerWriter {
    let closes: Bool
    private let framing: MessageFraming
    private var left: Int64

    init(_ framing: MessageFraming, closes: Bool) {
        self.closes = closes
        self.framing = framing
        left = framing.statedLength ?? 0
    }

    /// The framed form of a piece of content.
    enum Piece: Equatable {
        case nothing
        case plain(ByteBuffer)
        case chunk(ByteBuffer)
    }

    /// Never more than was announced: a client would take the rest for another answer (RFC 9112 §11.1).
    mutating func content(_ bytes: ByteBuffer) -> Piece {
        guard bytes.readableBytes > 0 else { return .nothing }
        switch framing {
        case .none: return .nothing
        case .length where Int64(bytes.readableBytes) <= left:
            left -= Int64(bytes.readableBytes)
            return .plain(bytes)
        case .length:
            defer { left = 0 }
            return bytes.getSlice(at: bytes.readerIndex, length: Int(left)).map { .plain($0) } ?? .nothing
        case .chunked: return .chunk(bytes)
        case .untilClose: return .plain(bytes)
        }
    }

    /// The octets that end the content; `nil` when less has come than was announced.
    func end(_ trailers: HTTPFields) -> ByteBuffer? {
        guard left == 0 else { return nil }
        return framing == .chunked ? MessageWriter.lastChunk(trailers: trailers) : ByteBuffer()
    }
}
#endif
