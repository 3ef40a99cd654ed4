import HTTPTypes

/// A reader took nothing while others waited for it, and there is no room to keep what it has not read.
struct LeftBehind: Error {}

/// One reader's place in a ``SpooledBody``.
final class SpooledReader: BodySource {
    private let body: SpooledBody
    private let id: Int

    init(_ body: SpooledBody, id: Int) {
        self.body = body
        self.id = id
    }

    deinit { body.leave(id) }

    var trailers: HTTPFields? { body.trailers }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await body.next(for: id)
        } onCancel: {
            cancel()
        }
    }

    func cancel() { body.leave(id) }
}

/// The last bytes of a body that grows, in pieces, with their offsets.
package struct RecentBytes: Sendable {
    /// Arrivals are joined up to this size, in bytes, so that a body that comes byte by byte does not cost a piece for
    /// each.
    private static let joinedSize = 16_384

    private struct Piece: Sendable {
        var offset: Int64
        var bytes: [UInt8]
        var end: Int64 { offset + Int64(bytes.count) }
    }

    private var pieces: [Piece] = []
    /// The offset after the last byte.
    private(set) var end: Int64 = 0

    /// The offset of the first byte that is still here.
    var start: Int64 { pieces.first?.offset ?? end }

    package var count: Int64 { end - start }

    package init() {}

    package mutating func append(_ bytes: [UInt8]) {
        let last = pieces.count - 1
        if last >= 0, pieces[last].bytes.count + bytes.count <= Self.joinedSize {
            pieces[last].bytes += bytes
        } else {
            pieces.append(Piece(offset: end, bytes: bytes))
        }
        end += Int64(bytes.count)
    }

    /// Takes the first piece off; `nil` where there is none.
    package mutating func takeFirst() -> [UInt8]? { pieces.isEmpty ? nil : pieces.removeFirst().bytes }

    /// Drops whole pieces that lie before an offset.
    mutating func forget(before offset: Int64) {
        let drop = pieces.firstIndex { $0.end > offset } ?? pieces.count
        pieces.removeFirst(drop)
    }

    /// The bytes from an offset to the end of the piece that holds it; `nil` when no piece does.
    func bytes(from offset: Int64) -> [UInt8]? {
        // Most readers want the last piece.
        guard offset < end, let piece = pieces.last(where: { $0.offset <= offset }) else { return nil }
        return offset == piece.offset ? piece.bytes : Array(piece.bytes.dropFirst(Int(offset - piece.offset)))
    }
}
