#if Proxy
import HTTPTypes
import NIOCore

/// A request as ``HTTPServerCodec`` hands it on, in order: head, content, end.
enum RequestPart: Sendable {
    /// - Parameter exchange: Counts the requests of the connection.
    case head(RequestHead, MessageFraming, exchange: Int)
    case content(ByteBuffer)
    case end(trailers: HTTPFields)
}

/// An answer as ``HTTPServerCodec`` takes it, in order: any interim responses, head, content, end.
enum ResponsePart: Sendable {
    /// Left out when that exchange is not the current one any more, or its final head is out.
    ///
    /// - Parameter exchange: `nil` for the current one.
    case interim(HTTPResponse, exchange: Int?)
    /// - Parameter closes: Whether the connection is closed behind the end; the fields get the option for it.
    case head(HTTPResponse, MessageFraming, closes: Bool)
    case content(ByteBuffer)
    case end(trailers: HTTPFields)
    /// Head, content and end at once.
    case whole(HTTPResponse, MessageFraming, closes: Bool, ByteBuffer)
    /// The same with part of a stored body, which is all of the content.
    case stored(HTTPResponse, closes: Bool, StoredPart)
}

/// An answer from the store that can be written at once.
struct ReadyAnswer {
    enum Content {
        case none
        case bytes([UInt8], Range<Int>)
        case stored(StoredPart)
    }

    var head: ByteBuffer
    var content: Content
    var closes: Bool
}
#endif
