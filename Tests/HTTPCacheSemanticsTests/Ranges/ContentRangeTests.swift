import CacheTesting
import HTTPCacheSemantics
import Testing

@Suite("RFC 9110 §14.4 Content-Range")
struct ContentRangeTests {
    static let values: [Row<String, ContentRange?>] = [
        Row("bytes 42-1233/1234", ContentRange(range: 42..<1_234, completeLength: 1_234), "the first example"),
        Row("bytes 42-1233/*", ContentRange(range: 42..<1_234, completeLength: nil), "the second example"),
        Row("bytes 0-499/1234", ContentRange(range: 0..<500, completeLength: 1_234), "\"The first 500 bytes\""),
        Row("Bytes 0-0/1", ContentRange(range: 0..<1, completeLength: 1), "§14.1: units are case-insensitive"),
        Row(
            "bytes 0-9223372036854775806/9223372036854775807",
            ContentRange(range: 0..<Int64.max, completeLength: .max), "the largest that fits"),
        Row("bytes */1234", nil, "unsatisfied-range"),
        Row("bytes 0-1234/1234", nil, "invalid if \"complete-length value less than or equal to its last-pos\""),
        Row("bytes 5-4/10", nil, "invalid if \"last-pos value less than its first-pos\""),
        Row("bytes 0-9223372036854775807/*", nil, "larger than a position can be"),
        Row("bytes 0-99999999999999999999999/*", nil, "larger than a position can be"),
        Row(
            "bytes 0-1/99999999999999999999999", ContentRange(range: 0..<2, completeLength: .max),
            "a length beyond counting"),
        Row("bytes +0-4/10", nil, "first-pos = 1*DIGIT"),
        Row("bytes 0-+4/10", nil, "last-pos = 1*DIGIT"),
        Row("bytes 0-4/+10", nil, "complete-length = 1*DIGIT"),
        Row("bytes 0--4/10", nil, "last-pos = 1*DIGIT"),
        Row("bytes 0-4", nil, "complete-length or \"*\""),
        Row("bytes 0-4/", nil, "complete-length or \"*\""),
        Row("bytes 0-4/10/10", nil, "one complete-length"),
        Row("bytes 0-4/**", nil, "one \"*\""),
        Row("bytes 0-4/10 x", nil, "nothing follows"),
        Row("bytes 0-/10", nil, "last-pos"),
        Row("bytes -4/10", nil, "first-pos"),
        Row("bytes  0-4/10", nil, "one SP"),
        Row("bytes=0-4/10", nil, "SP, not \"=\""),
        Row("seconds 0-4/10", nil, "another unit"),
        Row("bytes", nil, "a range"),
        Row("", nil, "a unit"),
    ]

    @Test("a satisfied range is read, anything else is none", arguments: values)
    func read(_ row: Row<String, ContentRange?>) {
        #expect(ContentRange(row.given) == row.expected)
    }

    @Test("printing gives back what was read", arguments: values.compactMap(\.expected))
    func print(_ range: ContentRange) {
        #expect(ContentRange(range.description) == range)
    }

    @Test("every range of every length is read back", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let upper = Int64.random(in: 1...(.max), using: &generator)
            let lower = Int64.random(in: 0..<upper, using: &generator)
            let length = generator.optional { Int64.random(in: upper...(.max), using: &$0) }
            let range = ContentRange(range: lower..<upper, completeLength: length)
            #expect(ContentRange(range.description) == range, "\(range)")
        }
    }
}
