import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The content of a response on its way out: bytes in memory, a region of a file, or a stream.
package enum ResponseBody: Sendable {
    case empty
    case bytes([UInt8])
    /// A region of a body file; may be sent without passing through memory.
    case file(BodyFile, Range<Int64>)
    /// A stream, with its length where the origin stated it.
    case stream(any BodySource, length: Int64?)

    package init(_ content: StoredContent) { self.init(content, in: 0..<content.length.bytes) }

    init(_ content: StoredContent, in region: Range<Int64>) {
        switch content {
        case .bytes(let bytes) where region.count == bytes.count: self = .bytes(bytes)
        case .bytes(let bytes): self = .bytes(Array(bytes[Int(region.lowerBound)..<Int(region.upperBound)]))
        case .file(let file): self = .file(file, region)
        }
    }

    /// The length in bytes, where it is known.
    package var length: Int64? {
        switch self {
        case .empty: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let region): Int64(region.count)
        case .stream(_, let length): length
        }
    }

    /// The content as a stream of pieces.
    package func makeSource() -> any BodySource {
        switch self {
        case .empty: StoredBodySource(.bytes([]), region: 0..<0)
        case .bytes(let bytes): StoredBodySource(.bytes(bytes), region: 0..<Int64(bytes.count))
        case .file(let file, let region): StoredBodySource(.file(file), region: region)
        case .stream(let source, _): source
        }
    }

    /// Reads content that nobody wants, such as that of a redirect, as the engine stores no response that was given up;
    /// and it frees its connection. What breaks off, or is longer than 64 KiB, is given up.
    package func finishUnread() async {
        let source = makeSource()
        var left = Self.greatestUnread
        while left >= 0, let piece = try? await source.next() { left -= piece.count }
        source.cancel()
    }

    /// The most content that is read and dropped, in bytes.
    package static let greatestUnread = 65_536

    /// Reads everything into memory.
    ///
    /// - Parameter limit: A longer body throws ``EngineError/Code/bodyTooLarge``.
    package func collect(upTo limit: ByteCount) async throws -> [UInt8] {
        let source = makeSource()
        var all: [UInt8] = []
        while let piece = try await source.next() {
            guard Int64(all.count + piece.count) <= limit.bytes else {
                source.cancel()
                throw EngineError(code: .bodyTooLarge, message: "The body is longer than \(limit).")
            }
            all += piece
        }
        return all
    }
}

/// The content of a request on its way to the origin; it is streamed, never held whole.
public struct RequestBody: Sendable {
    public var source: any BodySource
    /// The length that the client stated; `nil` for chunked content.
    public var length: Int64?

    public init(_ source: any BodySource, length: Int64?) {
        self.source = source
        self.length = length
    }

    /// Hands the content on, piece by piece.
    ///
    /// - Parameter send: Takes a piece, and says whether more is wanted.
    /// - Returns: Whether all of it went.
    /// - Throws: ``TransportError/Code/malformedRequest`` where the content has another length than was announced, or
    ///   what the source or the receiver throws.
    package func forEachPiece(_ send: ([UInt8]) async throws -> Bool) async throws -> Bool {
        var left = length
        while let piece = try await source.next() {
            if let limit = left {
                // More than was announced would be taken for another request (RFC 9112 §11.2).
                guard Int64(piece.count) <= limit else { throw Self.otherLength }
                left = limit - Int64(piece.count)
            }
            guard try await send(piece) else { return false }
        }
        guard left ?? 0 == 0 else { throw Self.otherLength }
        return true
    }

    private static var otherLength: TransportError {
        TransportError(
            code: .malformedRequest, message: "The request's content has another length than was announced.")
    }

    /// The error that the receiver has found in the content; the request then fails with it.
    var fault: EngineError? { (source as? BodyPipe)?.failure as? EngineError }
}

/// Bytes that are pulled by one consumer, piece by piece.
///
/// A source reads ahead only up to a limit: a consumer that stops asking stops the sender, down to the socket.
public protocol BodySource: Sendable {
    /// The next piece, never empty; `nil` after the last one. After an error there is no more.
    func next() async throws -> [UInt8]?

    /// Ends the reading and frees what the source holds. Calling it again, or after the end, does nothing.
    func cancel()

    /// The fields of the trailer section (RFC 9110 §6.5), without those that must not be in one. Known once ``next()``
    /// has returned `nil`; `nil` before that, and when there are none, as for most sources.
    ///
    /// A body that passes on another's bytes may pass on its trailers or drop them: "A recipient that removes the
    /// chunked coding from a message MAY selectively retain or discard the received trailer fields" (RFC 9112 §7.1.2).
    /// They are never merged into the header fields, and not stored (RFC 9111 §3.1 lets a cache discard them).
    var trailers: HTTPFields? { get }
}

extension BodySource {
    public var trailers: HTTPFields? { nil }
}
