#if Proxy
import HTTPMessages
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// A head that is not sent, as it would end the connection; see ``FieldBlock/fitsOneFrame``.
private struct HeadTooLong: Error {}

/// HTTP/2 on a stream that carries one exchange, RFC 9113 §8.1.
struct StreamCodec: ExchangeCodec {
    private enum State {
        case head
        /// The octets that must come yet, where their number is stated.
        case content(left: Int64?)
        case done
    }

    private let channel: any Channel
    private let connection: SharedConnectionHandler
    private var input = CircularBuffer<HTTP2Frame.FramePayload>()
    private var state = State.head
    /// The trailers of a response that has ended.
    private var trailers: HTTPFields?

    init(_ channel: any Channel, _ connection: SharedConnectionHandler) {
        self.channel = channel
        self.connection = connection
    }

    // MARK: The request

    func send(_ head: RequestHead, _ framing: MessageFraming, isLast: Bool) -> EventLoopFuture<Void>? {
        write(head.block(scheme: connection.scheme, framing), isLast: isLast)
    }

    func send(_ bytes: ByteBuffer, _ framing: MessageFraming) -> EventLoopFuture<Void> {
        channel.writeAndFlush(HTTP2Frame.FramePayload.data(.init(data: .byteBuffer(bytes))))
    }

    func end(_ trailers: HTTPFields, _ framing: MessageFraming) -> EventLoopFuture<Void> {
        channel.writeAndFlush(HTTP2Frame.FramePayload.end(trailers))
    }

    private func write(_ block: FieldBlock, isLast: Bool) -> EventLoopFuture<Void> {
        guard block.fitsOneFrame else { return channel.eventLoop.makeFailedFuture(HeadTooLong()) }
        return channel.writeAndFlush(HTTP2Frame.FramePayload.head(block, isLast: isLast))
    }

    // MARK: The response

    mutating func append(_ part: HTTP2Frame.FramePayload) -> Bool {
        switch part {
        case .headers, .data:
            input.append(part)
            return true
        // A reset comes as the channel's error as well.
        default: return false
        }
    }

    /// Frames beyond the response's end are nobody's; the stream is over.
    var isEmpty: Bool { true }

    mutating func head(to method: HTTPRequest.Method) throws(MessageFault) -> ReceivedHead? {
        guard let frame = input.popFirst() else { return nil }
        guard case .headers(let block) = frame else { throw .malformed("Content comes before its head.") }
        var head = try ResponseHead(FieldBlock(block.headers))
        let (framing, _) = try MessageFraming.of(&head, to: method)
        if head.status.code < 200 {
            guard !block.endStream else { throw .malformed("An interim response ends the stream.") }
        } else {
            connection.standing.withLock { $0.hasServed = true }
            state = .content(left: framing == .untilClose ? nil : framing.statedLength)
            if framing == .none { state = .done } else if block.endStream { trailers = [:] }
        }
        // The next exchange opens a stream in the place of this one once both sides have ended it.
        return ReceivedHead(head: head, length: framing.statedLength, persists: framing != .none || block.endStream)
    }

    mutating func content() throws(MessageFault) -> MessageReader.Content? {
        while true {
            guard case .content(let left) = state else { return .end(trailers: [:]) }
            if let trailers {
                guard left ?? 0 == 0 else { throw .cutOff }
                state = .done
                return .end(trailers: trailers)
            }
            guard let frame = input.popFirst() else { return nil }
            switch frame {
            case .headers(let block):
                guard block.endStream else { throw .malformed("Trailers do not end the stream.") }
                trailers = try HTTPFields(trailers: FieldBlock(block.headers), .response)
            case .data(let data):
                guard case .byteBuffer(let bytes) = data.data else { continue }
                if let left {
                    // RFC 9113 §8.1.1: malformed "if the value of a Content-Length header field does not equal the
                    // sum of the DATA frame payload lengths".
                    guard Int64(bytes.readableBytes) <= left else {
                        throw .malformed("The content is longer than its Content-Length.")
                    }
                    state = .content(left: left - Int64(bytes.readableBytes))
                }
                if data.endStream { trailers = [:] }
                if bytes.readableBytes > 0 { return .bytes(bytes) }
            default: continue
            }
        }
    }

    mutating func endOfInput() throws(MessageFault) -> MessageReader.Content? {
        if case .content = state { throw .cutOff }
        return nil
    }

    // MARK: The stream

    /// Resets the stream, unless both sides have ended it: then it closes by itself after the frame that ended it.
    func close() {
        let channel = channel
        channel.eventLoop.execute {
            if channel.isActive { channel.close(promise: nil) }
        }
    }

    var fault: MessageFault? { connection.fault }

    /// A connection that ends closes its streams before it says why.
    func settle(_ body: @escaping () -> Void) {
        channel.eventLoop.assumeIsolated().execute(body)
    }

    func reason(for error: (any Error)?) -> ClosedBeforeResponse.Reason? {
        if error is HeadTooLong { return .wantsHTTP11(mayBePerformed: false) }
        let id = try? channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        return connection.reason(for: error, stream: id)
    }

    func waits(since begin: NIODeadline) { connection.waits(since: begin) }

    static var isShared: Bool { true }
}

extension HTTP2Frame.FramePayload {
    package static func head(_ block: FieldBlock, isLast: Bool) -> Self {
        .headers(.init(headers: HPACKHeaders(block), endStream: isLast))
    }

    /// The last frame of a message whose head and content are sent. RFC 9110 §6.5.1: whoever can't carry trailers
    /// leaves them out.
    package static func end(_ trailers: HTTPFields) -> Self {
        let block = trailers.trailerBlock
        let isBare = trailers.isEmpty || !block.fitsOneFrame
        return isBare ? .data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)) : .head(block, isLast: true)
    }
}

extension HPACKHeaders {
    /// As they go out on a connection of HTTP/2.
    fileprivate init(_ block: FieldBlock) {
        self.init()
        for (name, value) in block { add(name: name, value: value, indexing: Self.indexing(name, value)) }
    }

    /// Whether a line enters the table that both sides keep, RFC 7541 §2.3.
    private static func indexing(_ name: String, _ value: String) -> HPACKIndexing {
        switch name {
        // §7.1.3: a value that can be guessed must not.
        case "authorization", "proxy-authorization", "set-cookie": .neverIndexed
        // These hardly come again, would drive out what does, and each search goes through all of the table.
        case ":path", "age", "cache-status", "content-length", "content-range", "date", "etag", "expires",
            "if-modified-since", "if-none-match", "last-modified", "location":
            .nonIndexable
        default: value.utf8.count > 4_096 ? .nonIndexable : .indexable
        }
    }
}

extension FieldBlock {
    /// Whether its encoding is no longer than the frame that every peer takes, 16,384 octets (RFC 9113 §4.2): NIOHTTP2
    /// ends the connection in place of sending more in CONTINUATION frames (§6.10).
    package var fitsOneFrame: Bool {
        let frame = 16_384
        // A code of RFC 7541 Appendix B has 30 bits at most, and a line 12 octets besides its codes.
        guard reduce(0, { $0 + ($1.name.utf8.count + $1.value.utf8.count + 3) * 4 }) > frame else { return true }
        var encoder = HPACKEncoder(allocator: ByteBufferAllocator())
        guard (try? encoder.beginEncoding(allocator: ByteBufferAllocator())) != nil,
            (try? encoder.append(headers: HPACKHeaders(self))) != nil, let encoded = try? encoder.endEncoding()
        else { return false }
        // The connection's own table may change its size before them.
        return encoded.readableBytes <= frame - 16
    }

    /// As they came.
    package init(_ headers: HPACKHeaders) {
        self.init(headers.lazy.map { ($0.name, $0.value) })
    }
}
#endif
