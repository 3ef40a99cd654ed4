#if Proxy
import HTTPMessages
import HTTPTypes
import NIOCore

/// Puts exchanges on a channel in one version of HTTP, and takes them off: one after the other on a connection of
/// HTTP/1.1, one on a stream of HTTP/2.
protocol ExchangeCodec {
    associatedtype Inbound

    // MARK: The request

    /// Sends the head.
    ///
    /// - Parameter isLast: Whether neither content nor trailers follow.
    /// - Returns: `nil` where the end of the channel tells that it could not be sent.
    func send(_ head: RequestHead, _ framing: MessageFraming, isLast: Bool) -> EventLoopFuture<Void>?
    /// Sends a piece of content, which is not empty.
    func send(_ bytes: ByteBuffer, _ framing: MessageFraming) -> EventLoopFuture<Void>
    func end(_ trailers: HTTPFields, _ framing: MessageFraming) -> EventLoopFuture<Void>

    // MARK: The response

    /// Adds what came.
    ///
    /// - Returns: Whether it is a part of a response.
    mutating func append(_ part: Inbound) -> Bool
    /// Whether everything that came has been read.
    var isEmpty: Bool { get }
    /// The next head, interim or final; `nil` when it has not come yet.
    mutating func head(to method: HTTPRequest.Method) throws(MessageFault) -> ReceivedHead?
    /// The next part of a final response's content; `nil` when it has not come yet.
    mutating func content() throws(MessageFault) -> MessageReader.Content?
    /// Says that no more will come.
    ///
    /// - Returns: The end, where the channel's end is the content's.
    mutating func endOfInput() throws(MessageFault) -> MessageReader.Content?

    // MARK: The channel

    /// Ends the exchange that is under way, and with it the channel.
    func close()
    /// The fault that the channel ended for, where others share its connection.
    var fault: MessageFault? { get }
    /// Calls back when everything is known about an end that is under way.
    func settle(_ body: @escaping () -> Void)
    /// Why the channel ended before a byte of the response; `nil` where the origin has chosen so for this request.
    func reason(for error: (any Error)?) -> ClosedBeforeResponse.Reason?
    /// An exchange that began then waits for its response, or was given up.
    func waits(since begin: NIODeadline)
    /// Whether others share its connection.
    static var isShared: Bool { get }
}

/// A response's head, interim or final.
struct ReceivedHead {
    var head: ResponseHead
    /// The content's length where it is stated.
    var length: Int64?
    /// Whether the channel can carry another exchange after this response, as far as the head says.
    var persists: Bool
}

/// HTTP/1.1 on a connection.
struct ConnectionCodec: ExchangeCodec {
    private let channel: any Channel
    private var reader = MessageReader(.response)

    init(_ channel: any Channel) { self.channel = channel }

    func send(_ head: RequestHead, _ framing: MessageFraming, isLast: Bool) -> EventLoopFuture<Void>? {
        channel.writeAndFlush(MessageWriter.head(head, framing), promise: nil)
        return nil
    }

    func send(_ bytes: ByteBuffer, _ framing: MessageFraming) -> EventLoopFuture<Void> {
        guard framing == .chunked else { return channel.writeAndFlush(bytes) }
        channel.write(MessageWriter.chunkHead(bytes.readableBytes), promise: nil)
        channel.write(bytes, promise: nil)
        return channel.writeAndFlush(MessageWriter.chunkEnd)
    }

    func end(_ trailers: HTTPFields, _ framing: MessageFraming) -> EventLoopFuture<Void> {
        channel.writeAndFlush(framing == .chunked ? MessageWriter.lastChunk(trailers: trailers) : ByteBuffer())
    }

    mutating func append(_ part: ByteBuffer) -> Bool {
        reader.append(part)
        return true
    }

    var isEmpty: Bool { reader.isEmpty }

    mutating func head(to method: HTTPRequest.Method) throws(MessageFault) -> ReceivedHead? {
        guard let bytes = try reader.head() else { return nil }
        var head = try ResponseHead(bytes)
        let (framing, isCertain) = try MessageFraming.of(&head, to: method)
        if head.status.code >= 200 { reader.begin(framing) }
        return ReceivedHead(
            head: head, length: framing.statedLength, persists: isCertain && head.persists && framing != .untilClose)
    }

    mutating func content() throws(MessageFault) -> MessageReader.Content? { try reader.content() }

    mutating func endOfInput() throws(MessageFault) -> MessageReader.Content? { try reader.endOfInput() }

    func close() { channel.close(promise: nil) }

    var fault: MessageFault? { nil }

    func settle(_ body: @escaping () -> Void) { body() }

    func reason(for error: (any Error)?) -> ClosedBeforeResponse.Reason? { .closed }

    func waits(since begin: NIODeadline) {}

    static var isShared: Bool { false }
}
#endif
