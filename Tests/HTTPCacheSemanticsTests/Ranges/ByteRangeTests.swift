import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §14.1 and §14.2 Byte Ranges")
struct ByteRangeTests {
    private static let many = String(repeating: "9", count: 30)

    static let fields: [Row<[String], ByteRange?>] = [
        Row([], nil, "no Range"),
        Row(["bytes=0-499"], .from(0, through: 499), "§14.1.2 \"The first 500 bytes\""),
        Row(["bytes=500-999"], .from(500, through: 999), "§14.1.2 \"The second 500 bytes\""),
        Row(["bytes=9500-"], .from(9_500, through: nil), "§14.1.2 \"The final 500 bytes\", second form"),
        Row(["bytes=-500"], .suffix(500), "§14.1.2 \"The final 500 bytes\""),
        Row(["bytes=0-0"], .from(0, through: 0), "§14.1.1: positions are inclusive"),
        Row(["bytes=-0"], .suffix(0), "§14.1.1: valid, and never satisfiable"),
        Row(["BYTES=0-1"], .from(0, through: 1), "§14.1 \"Range units … case-insensitive\""),
        Row(["bytes=007-0010"], .from(7, through: 10), "§14.1.1: 1*DIGIT"),
        Row(["bytes=0-\(many)"], .from(0, through: .max), "§14.1 \"anticipate potentially large decimal numerals\""),
        Row(["bytes=\(many)-"], .from(.max, through: nil), "§14.1 \"prevent parsing errors due to … overflows\""),
        Row(["bytes=-\(many)"], .suffix(.max), "§14.1 \"prevent parsing errors due to … overflows\""),
        Row(["bytes= 0-0 "], .from(0, through: 0), "§5.6.1: white space around an element"),
        Row(["bytes=0-0,-1"], nil, "§14.2 \"A server MAY ignore the Range header field\": several ranges"),
        Row(["bytes= 0-999, 4500-5499, -1000"], nil, "§14.2: several ranges"),
        Row(["bytes=0-0,"], nil, "§14.2: a list"),
        Row(["bytes=0-1", "bytes=2-3"], nil, "several lines: no ranges-specifier"),
        Row(["bytes=5-4"], nil, "§14.1.1: an int-range is invalid if last-pos is less than first-pos"),
        Row(["bytes=-"], nil, "§14.1.1: one position at least"),
        Row(["bytes="], nil, "§14.1.1: range-set = 1#range-spec"),
        Row(["bytes"], nil, "§14.1.1"),
        Row(["bytes 0-1"], nil, "§14.1.1: \"=\""),
        Row(["bytes=+1-2"], nil, "§14.1.1: 1*DIGIT"),
        Row(["bytes=1--2"], nil, "§14.1.1: 1*DIGIT"),
        Row(["bytes=--2"], nil, "§14.1.1: 1*DIGIT"),
        Row(["bytes=0x1-2"], nil, "§14.1.1: 1*DIGIT"),
        Row(["bytes=0-1x"], nil, "§14.1.1: 1*DIGIT"),
        Row(["bytes=0 - 1"], nil, "§14.1.1: no space"),
        Row(["bytes=٠-١"], nil, "§14.1.1: DIGIT is ASCII"),
        Row(["bytes=\u{338}0-1"], nil, "§14.1.1: \"=\" and a mark after it is no \"=\" alone"),
        Row(["seconds=0-1"], nil, "§14.2 \"MUST ignore a Range … range unit it does not understand\""),
        Row(["=0-1"], nil, "§14.1.1: a unit"),
    ]

    @Test("a single range is read, and whatever a server may or must ignore is not", arguments: fields)
    func single(_ row: Row<[String], ByteRange?>) {
        #expect(ByteRange(HTTPFields(lines: row.given.map { "Range: " + $0 })) == row.expected)
    }

    struct Request: Sendable, CustomStringConvertible {
        var range: ByteRange
        var length: Int64

        var description: String { "\(range) of \(length)" }
    }

    static let parts: [Row<Request, Range<Int64>?>] = [
        Row(Request(range: .from(0, through: 499), length: 10_000), 0..<500, "§14.1.2 \"bytes=0-499\""),
        Row(Request(range: .from(9_500, through: nil), length: 10_000), 9_500..<10_000, "§14.1.2 \"bytes=9500-\""),
        Row(Request(range: .suffix(500), length: 10_000), 9_500..<10_000, "§14.1.2 \"bytes=-500\""),
        Row(Request(range: .from(0, through: 0), length: 1), 0..<1, "§14.1.2 inclusive"),
        Row(
            Request(range: .from(5, through: 10), length: 10), 5..<10,
            "§14.1.2 \"greater than or equal to the current length …, the remainder\""),
        Row(Request(range: .from(5, through: .max), length: 10), 5..<10, "§14.1.2, at the end of the integers"),
        Row(
            Request(range: .from(0, through: .max), length: .max), 0..<Int64.max, "§14.1.2, at the end of the integers"),
        Row(Request(range: .suffix(11), length: 10), 0..<10, "§14.1.2 \"the entire representation is used\""),
        Row(Request(range: .suffix(.max), length: 10), 0..<10, "§14.1.2 \"the entire representation is used\""),
        Row(
            Request(range: .from(10, through: nil), length: 10), nil, "§14.1.2: first-pos less than the current length"),
        Row(
            Request(range: .from(.max, through: .max), length: 10), nil,
            "§14.1.2: first-pos less than the current length"),
        Row(Request(range: .suffix(0), length: 10), nil, "§14.1.2: a non-zero suffix-length"),
        Row(Request(range: .from(0, through: nil), length: 0), nil, "§14.1.2: nothing to select"),
        Row(Request(range: .suffix(5), length: 0), nil, "§14.4: no Content-Range can name an empty part"),
        Row(Request(range: .from(-1, through: 5), length: 10), nil, "made by hand: no position is negative"),
        Row(
            Request(range: .from(5, through: 4), length: 10), nil,
            "made by hand: never a range that ends before it starts"),
        Row(Request(range: .suffix(-5), length: 10), nil, "made by hand: no length is negative"),
        Row(Request(range: .suffix(.min), length: .max), nil, "made by hand: no length is negative"),
    ]

    @Test("a range selects what it overlaps", arguments: parts)
    func resolve(_ row: Row<Request, Range<Int64>?>) {
        #expect(row.given.range.resolve(length: row.given.length) == row.expected)
    }

    @Test("what is printed is read back", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let first = Int64.random(in: 0...(.max), using: &generator)
            let last = generator.optional { Int64.random(in: first...(.max), using: &$0) }
            let range = Bool.random(using: &generator) ? ByteRange.suffix(first) : .from(first, through: last)
            #expect(ByteRange([.range: "bytes=\(range)"]) == range)
        }
    }
}
