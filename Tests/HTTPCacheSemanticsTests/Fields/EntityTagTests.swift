import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §8.8.3 ETag")
struct EntityTagTests {
    static let values: [Row<String, EntityTag?>] = [
        Row("\"xyzzy\"", EntityTag(opaque: "xyzzy"), "the first example"),
        Row("W/\"xyzzy\"", EntityTag(opaque: "xyzzy", isWeak: true), "the second example"),
        Row("\"\"", EntityTag(opaque: ""), "the third example: *etagc may be empty"),
        Row("W/\"\"", EntityTag(opaque: "", isWeak: true), "*etagc may be empty"),
        Row("\"a,b;c=d!\"", EntityTag(opaque: "a,b;c=d!"), "etagc = %x21 / %x23-7E / obs-text"),
        Row("\"a\\\"", EntityTag(opaque: "a\\"), "\"\\\" is an etagc like any other, and escapes nothing"),
        Row("\"café\"", EntityTag(opaque: "café"), "obs-text"),
        Row("\"\u{301}a\"", EntityTag(opaque: "\u{301}a"), "obs-text, octet by octet"),
        Row(" \"a\"\t", EntityTag(opaque: "a"), "§5.5: white space around a value is no part of it"),
        Row("", nil, "entity-tag needs quotes"),
        Row("xyzzy", nil, "opaque-tag = DQUOTE *etagc DQUOTE"),
        Row("\"", nil, "two quotes"),
        Row("\"xyzzy", nil, "two quotes"),
        Row("xyzzy\"", nil, "two quotes"),
        Row("'xyzzy'", nil, "double quotes"),
        Row("w/\"xyzzy\"", nil, "weak = %s\"W/\", case-sensitive"),
        Row("W\"xyzzy\"", nil, "weak = %s\"W/\""),
        Row("W/", nil, "an opaque-tag follows"),
        Row("W/xyzzy", nil, "opaque-tag = DQUOTE *etagc DQUOTE"),
        Row("W/ \"xyzzy\"", nil, "no space after W/"),
        Row("W/W/\"xyzzy\"", nil, "one W/"),
        Row("\"a b\"", nil, "etagc has no space"),
        Row("\"a\"b\"", nil, "etagc has no quote"),
        Row("\"a\", \"b\"", nil, "one entity-tag"),
        Row("\"a\u{7F}\"", nil, "etagc has no control"),
        Row("\"\u{FFFD}\"", nil, "octets that were lost in decoding can't be compared"),
    ]

    @Test("an entity tag is quoted, optionally weak, and nothing else", arguments: values)
    func parse(_ row: Row<String, EntityTag?>) {
        #expect(EntityTag(row.given) == row.expected)
    }

    @Test("printing gives back what was read", arguments: values.filter { $0.expected != nil })
    func print(_ row: Row<String, EntityTag?>) {
        #expect(row.expected.flatMap { EntityTag($0.description) } == row.expected)
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        var first, second: String
        var isStrong, isWeak: Bool
        var testDescription: String { "\(first) and \(second)" }
    }

    /// The table of §8.8.3.2, and what its note about octets implies.
    static let comparisons = [
        Pair(first: "W/\"1\"", second: "W/\"1\"", isStrong: false, isWeak: true),
        Pair(first: "W/\"1\"", second: "W/\"2\"", isStrong: false, isWeak: false),
        Pair(first: "W/\"1\"", second: "\"1\"", isStrong: false, isWeak: true),
        Pair(first: "\"1\"", second: "\"1\"", isStrong: true, isWeak: true),
        Pair(first: "\"a\"", second: "\"A\"", isStrong: false, isWeak: false),
        Pair(first: "\"caf\u{E9}\"", second: "\"cafe\u{301}\"", isStrong: false, isWeak: false),
    ]

    @Test("§8.8.3.2 comparison, \"character-by-character\"", arguments: comparisons)
    func comparison(_ pair: Pair) throws {
        let first = try #require(EntityTag(pair.first))
        let second = try #require(EntityTag(pair.second))
        #expect(first.stronglyMatches(second) == pair.isStrong)
        #expect(second.stronglyMatches(first) == pair.isStrong)
        #expect(first.weaklyMatches(second) == pair.isWeak)
        #expect(second.weaklyMatches(first) == pair.isWeak)
    }

    @Test("what is printed is read back, octet by octet", arguments: [1, 2, 3] as [UInt64])
    func roundTrip(seed: UInt64) {
        // etagc: no space, no quote, no control, and octets beyond ASCII.
        let etagc = Alphabets.quotable.unicodeScalars.filter { ![" ", "\t", "\"", "\u{FFFD}"].contains($0) }
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let tag = EntityTag(
                opaque: generator.text(of: String(String.UnicodeScalarView(etagc)), count: 0...12),
                isWeak: Bool.random(using: &generator))
            #expect(EntityTag(tag.description) == tag, "\(tag)")
        }
    }
}
