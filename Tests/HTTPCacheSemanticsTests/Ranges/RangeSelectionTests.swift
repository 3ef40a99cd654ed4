import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9110 §14.2 and §15.3.7 Several Ranges")
struct RangeSelectionTests {
    struct Request: Sendable, CustomStringConvertible {
        var field: String
        var length: Int64 = 10_000

        init(_ field: String, of length: Int64 = 10_000) {
            (self.field, self.length) = (field, length)
        }

        var description: String { "\(field) of \(length)" }
        var selection: RangeSelection {
            RangeSelection(ByteRange.list([.range: field]) ?? [], length: length)
        }
    }

    static func members(_ count: Int, _ member: (Int) -> String) -> String {
        "bytes=" + (0..<count).map(member).joined(separator: ",")
    }

    static let selections: [Row<Request, RangeSelection>] = [
        Row(Request("bytes=0-499"), .single(0..<500), "§15.3.7.1: one range, one part"),
        Row(Request("bytes=0-"), .single(0..<10_000), "§14.2: also when it is everything"),
        Row(Request("bytes=0-0,-1"), .several([0..<1, 9_999..<10_000]), "§14.1.2 \"The first and last bytes only\""),
        Row(
            Request("bytes= 0-999, 4500-5499, -1000"), .several([0..<1_000, 4_500..<5_500, 9_000..<10_000]),
            "§14.1.2 \"The first, middle, and last 1000 bytes\""),
        Row(
            Request("bytes=500-600,601-999"), .single(500..<1_000),
            "§14.1.2 \"second 500 bytes\"; §15.3.7.2 \"only one range remained after coalescing\""),
        Row(
            Request("bytes=500-700,601-999"), .single(500..<1_000),
            "§14.1.2 \"second 500 bytes\"; §15.3.7.2 \"MAY coalesce any of the ranges that overlap\""),
        Row(
            Request("bytes=601-999,500-600"), .single(500..<1_000),
            "§15.3.7.2 \"regardless of the order in which the … range-spec appeared\""),
        Row(
            Request("bytes=9000-,0-9"), .several([9_000..<10_000, 0..<10]), "§15.3.7.2 \"in the same order\""),
        Row(
            Request("bytes=50-59,20-29,0-9,30-39"), .several([50..<60, 20..<40, 0..<10]),
            "§15.3.7.2: a coalesced part stands where the first of its ranges did"),
        Row(
            Request("bytes=30-39,50-59,20-29"), .several([20..<40, 50..<60]),
            "§15.3.7.2: a coalesced part stands where the first of its ranges did"),
        Row(Request("bytes=0-9,11-20"), .several([0..<10, 11..<21]), "one byte lies between"),
        Row(Request("bytes=0-9,0-9"), .single(0..<10), "§15.3.7.2: the same twice"),
        Row(Request("bytes=0-99,20-29"), .single(0..<100), "§15.3.7.2: one inside the other"),
        Row(
            Request("bytes=0-9,20000-20009"), .single(0..<10),
            "§15.3.7.2 \"only one range was found to be satisfiable\""),
        Row(
            Request("bytes=30000-,0-9,40000-,20-29"), .several([0..<10, 20..<30]),
            "§15.3.7.2 \"excluding those … unsatisfiable\""),
        Row(Request("bytes=10000-"), .notSatisfiable, "§15.5.17"),
        Row(Request("bytes=10000-,-0,20000-20001"), .notSatisfiable, "§15.5.17: none of the ranges"),
        Row(Request("bytes=-20000,0-0"), .single(0..<10_000), "§14.1.2 \"the entire representation is used\""),
        Row(Request("bytes=0-", of: 0), .notSatisfiable, "§14.1.2: no first-pos is less than zero"),
        Row(Request("bytes=-5", of: 0), .whole, "§14.1.2: satisfiable, but a part of nothing has no Content-Range"),
        Row(Request("bytes=-0", of: 0), .notSatisfiable, "§14.1.2: a suffix-length of zero"),
        Row(Request("bytes=0-99,50-149,100-199"), .whole, "§14.2 \"more than two overlapping ranges\""),
        Row(Request("bytes=0-,0-,0-"), .whole, "§14.2 \"more than two overlapping ranges\""),
        Row(Request("bytes=0-1,1-2,50-51,51-52"), .whole, "§14.2: two and two more"),
        Row(Request("bytes=0-9,10-19,20-29"), .single(0..<30), "§14.2: touching is not overlapping"),
        Row(
            Request("bytes=0-9,5-14,20000-,30000-,40000-"), .single(0..<15),
            "§14.2: what selects nothing overlaps nothing"),
        Row(Request(members(33) { "\($0 * 10)-\($0 * 10)" }), .whole, "§17.15 \"many small ranges\""),
        Row(Request(members(33) { _ in "20000-" }), .whole, "§17.15: a long field, whatever it selects"),
        Row(
            Request(members(32) { "\($0 * 10)-\($0 * 10)" }),
            .several((0..<32).map { Int64($0) * 10..<Int64($0) * 10 + 1 }), "§17.15: as many as a player may ask for"),
        Row(Request("bytes=x"), .whole, "§14.2: a broken field is ignored"),
        Row(
            Request("bytes=0-\(Int64.max),5-5", of: .max), .single(0..<Int64.max), "at the end of the integers"),
    ]

    @Test("ranges select one part, several, none, or are ignored", arguments: selections)
    func select(_ row: Row<Request, RangeSelection>) {
        #expect(row.given.selection == row.expected)
    }

    @Test("the parts hold the bytes that were asked for, once each", arguments: [1, 2, 3] as [UInt64])
    func holds(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        for _ in 0..<1_000 {
            let length = Int64.random(in: 0...60, using: &generator)
            let ranges = generator.values(1...5) { generator -> ByteRange in
                let first = Int64.random(in: 0...70, using: &generator)
                guard Bool.random(using: &generator) else { return .suffix(first) }
                return .from(first, through: generator.optional { first + Int64.random(in: 0...20, using: &$0) })
            }
            let asked = ranges.reduce(into: Set<Int64>()) { $0.formUnion($1.resolve(length: length) ?? 0..<0) }
            let parts: [Range<Int64>]
            switch RangeSelection(ranges, length: length) {
            case .whole: continue
            case .notSatisfiable: parts = []
            case .single(let part): parts = [part]
            case .several(let several):
                parts = several
                #expect(several.count > 1, "\(ranges) of \(length)")
            }
            #expect(parts.flatMap { Array($0) }.sorted() == asked.sorted(), "\(ranges) of \(length)")
            #expect(Set(parts.map(\.lowerBound)).isDisjoint(with: parts.map(\.upperBound)), "\(ranges) of \(length)")
        }
    }
}
