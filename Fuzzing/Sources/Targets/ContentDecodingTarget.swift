import Decoding
import HTTPCacheSemantics
import HTTPTypes

/// Content in its codings, RFC 9110 §8.4.1, RFC 1950 to 1952 and RFC 7932: a line with `Content-Encoding`, then the
/// content.
enum ContentDecodingTarget: FuzzTarget {
    static let name = "content-decoding"
    static let shapes = [
        HostileShape("a", after: "br\n"), HostileShape("\u{3}", after: "br\n"), HostileShape("\u{0}", after: "br\n"),
        HostileShape("a", after: "gzip\n"), HostileShape("\u{0}", after: "deflate\n"), HostileShape("gzip,"),
        HostileShape("a", after: "identity\n"),
    ]
    private static let limit = 262_144

    private enum Outcome: Equatable {
        case content([UInt8])
        case refused
    }

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        let parts = input.bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
        let field = String(decoding: parts[0], as: UTF8.self)
        let content = parts.count > 1 ? parts[1] : []
        guard let codings = ContentCodings([.contentEncoding: field]) else { return }
        let whole = try decode(content, codings, pieces: max(1, content.count))
        if codings.isEmpty, content.count <= limit {
            try claim(whole == .content(content), "what has no coding stays as it is", [content.count])
        }
        // Short ones only, so that the time stays proportional to the length.
        for size in [1, 7] where content.count <= 4_096 {
            let again = try decode(content, codings, pieces: size)
            try claim(again == whole, "pieces change nothing", [field, size])
        }
        let strict = DecodingLimits(
            ratio: 10, anyRatioUpTo: ByteCount(1_024), total: ByteCount(Int64(limit)))
        let few = try? ContentDecoding.decode(content, codings, limits: strict)
        try claim(
            (few?.count ?? 0) <= max(1_024, content.count.multipliedReportingOverflow(by: 10).0), "the ratio holds")
    }

    /// Errors are equal: which of two reasons is seen first depends on the pieces.
    private static func decode(
        _ content: [UInt8], _ codings: ContentCodings, pieces size: Int
    ) throws(BrokenClaim) -> Outcome {
        let decoding = ContentDecoding(
            codings, limits: DecodingLimits(ratio: .max, total: ByteCount(Int64(limit))))
        var (decoded, place) = ([UInt8](), 0)
        while true {
            guard let step = try? decoding.next() else { return .refused }
            switch step {
            case .piece(let piece):
                try claim(!piece.isEmpty && (codings.isEmpty || piece.count <= 65_536), "a piece", [piece.count])
                decoded += piece
                try claim(codings.isEmpty || decoded.count <= limit, "the limit holds", [decoded.count])
            case .needsInput:
                if place == content.count { decoding.endInput() }
                let end = min(content.count, place + size)
                decoding.add(Array(content[place..<end]))
                place = end
            case .ended: return .content(decoded)
            }
        }
    }
}
