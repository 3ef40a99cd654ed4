import HTTPTypes
import Testing

@testable import Decoding

func codings(_ text: String) throws -> ContentCodings {
    try #require(ContentCodings([.contentEncoding: text]))
}

/// Decodes with input in pieces of a given size.
func decode(
    _ content: [UInt8], _ codings: ContentCodings, limits: DecodingLimits = DecodingLimits(), pieces size: Int
) throws(ContentDecodingError) -> [UInt8] {
    let decoding = ContentDecoding(codings, limits: limits)
    var (decoded, place) = ([UInt8](), 0)
    while true {
        switch try decoding.next() {
        case .piece(let piece):
            if piece.isEmpty || piece.count > 65_536 { Issue.record("a piece of \(piece.count) bytes") }
            decoded += piece
        case .needsInput:
            if place == content.count { decoding.endInput() }
            decoding.add(Array(content[place..<min(content.count, place + size)]))
            place = min(content.count, place + size)
        case .ended: return decoded
        }
    }
}
