#if Proxy
import HTTPTypes
import NIOCore

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

    /// What to write for a piece of content.
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

    /// Counts content that is written as a file region; not more than was announced.
    mutating func skip(_ count: Int) {
        left -= min(left, Int64(count))
    }

    /// What to write at the end; `nil` when less has come than was announced.
    func end(_ trailers: HTTPFields) -> ByteBuffer? {
        guard left == 0 else { return nil }
        return framing == .chunked ? MessageWriter.lastChunk(trailers: trailers) : ByteBuffer()
    }
}
#endif
