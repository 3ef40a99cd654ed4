import HTTPCacheSemantics
import ResponseStore

/// Several parts of a representation as `multipart/byteranges`, RFC 9110 §14.6.
struct MultipartRanges: Hashable {
    private enum Piece: Hashable {
        case text([UInt8])
        case content(Range<Int64>)
    }

    let boundary: String
    let length: Int64
    private let pieces: [Piece]

    /// - Parameters:
    ///   - contentType: The type of the representation; each part states it (§15.3.7.2).
    ///   - boundary: Text that the content does not hold.
    init(_ parts: [Range<Int64>], completeLength: Int64, contentType: String?, boundary: String) {
        self.boundary = boundary
        var pieces: [Piece] = []
        for part in parts {
            var head = "--\(boundary)\r\n"
            if let contentType { head += "Content-Type: \(contentType)\r\n" }
            head += "Content-Range: \(ContentRange(range: part, completeLength: completeLength))\r\n\r\n"
            pieces += [.text(Array(head.utf8)), .content(part), .text([0x0D, 0x0A])]
        }
        pieces.append(.text(Array("--\(boundary)--\r\n".utf8)))
        self.pieces = pieces
        length = pieces.reduce(0) { total, piece in
            switch piece {
            case .text(let bytes): total + Int64(bytes.count)
            case .content(let part): total + Int64(part.count)
            }
        }
    }

    /// Reads the parts from the content.
    func makeSource(_ content: StoredContent) -> any BodySource {
        JoinedBody(
            pieces.map { piece in
                switch piece {
                case .text(let bytes): StoredBodySource(.bytes(bytes), region: 0..<Int64(bytes.count))
                case .content(let part): StoredBodySource(content, region: part)
                }
            })
    }
}
