import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@Suite("RFC 9111 §3.4 Combining Partial Content")
struct CombinationTests {
    /// The slow way: a representation in which some bytes are known.
    private struct Known {
        var bytes: [UInt8?]

        /// The runs of known bytes.
        var parts: [Range<Int64>] {
            var parts: [Range<Int64>] = []
            for place in bytes.indices where bytes[place] != nil {
                let place = Int64(place)
                if let last = parts.last, last.upperBound == place {
                    parts[parts.count - 1] = last.lowerBound..<place + 1
                } else {
                    parts.append(place..<place + 1)
                }
            }
            return parts
        }

        mutating func learn(_ part: Range<Int64>, from representation: [UInt8]) {
            for place in part { bytes[Int(place)] = representation[Int(place)] }
        }
    }

    private static func apply(_ combination: Combination, stored: [UInt8], received: [UInt8]) -> [UInt8] {
        combination.pieces.flatMap { piece in
            switch piece {
            case .stored(let region): stored[Int(region.lowerBound)..<Int(region.upperBound)]
            case .received(let region): received[Int(region.lowerBound)..<Int(region.upperBound)]
            }
        }
    }

    @Test("parts that come in any order amount to the same bytes, and to everything in the end", arguments: 0..<200)
    func anyOrder(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let length = Int64.random(in: 2...40, using: &random)
        let representation = (0..<length).map { UInt8($0) }
        let isLengthKnown = Bool.random(using: &random)
        var known = Known(bytes: Array(repeating: nil, count: Int(length)))
        var extent: ContentExtent?
        var content: [UInt8] = []
        while known.bytes.contains(nil) {
            let lower = Int64.random(in: 0..<length, using: &random)
            let part = lower..<Int64.random(in: lower + 1...length, using: &random)
            let received = Array(representation[Int(part.lowerBound)..<Int(part.upperBound)])
            known.learn(part, from: representation)
            if let stored = extent {
                let combination = try #require(
                    Combination(stored, with: part, completeLength: isLengthKnown ? length : nil))
                if let added = combination.added {
                    let pieces = [.stored(0..<Int64(content.count))] + added.map { Combination.Piece.received($0) }
                    #expect(combination.pieces == pieces, "what is stored stays as it is")
                }
                for (mine, arrived) in combination.shared {
                    #expect(
                        content[Int(mine.lowerBound)..<Int(mine.upperBound)]
                            == received[Int(arrived.lowerBound)..<Int(arrived.upperBound)])
                }
                content = Self.apply(combination, stored: content, received: received)
                extent = combination.extent
            } else {
                extent = ContentExtent(part, completeLength: isLengthKnown ? length : nil)
                content = received
            }
            let isComplete = isLengthKnown && !known.bytes.contains(nil)
            #expect((extent == .complete) == isComplete)
            if isComplete { #expect(content == representation) } else { #expect(extent?.parts == known.parts) }
            #expect(content.count == known.bytes.count { $0 != nil }, "no byte is stored twice")
            #expect(
                extent?.resumption
                    == (known.parts.count == 1 && known.parts[0].lowerBound == 0 && !isComplete
                        ? known.parts[0].upperBound : nil))
            // Every range is found where it lies, or not at all.
            let asked = Int64.random(in: 0..<length, using: &random)
            let range = asked..<Int64.random(in: asked + 1...length, using: &random)
            let isStored = range.allSatisfy { known.bytes[Int($0)] != nil }
            let regions = extent?.regions(of: range)
            #expect((regions != nil) == isStored)
            if let regions {
                #expect(
                    regions.flatMap { content[Int($0.lowerBound)..<Int($0.upperBound)] }
                        == Array(representation[Int(range.lowerBound)..<Int(range.upperBound)]))
                #expect(extent?.location(of: range) == (regions.count == 1 ? regions[0] : nil))
            }
        }
    }

    struct Contradiction: Sendable, CustomTestStringConvertible {
        var stored: ContentExtent
        var part: Range<Int64>
        var completeLength: Int64?
        var testDescription: String { "\(stored) and \(part) of \(completeLength.map { "\($0)" } ?? "unknown")" }
    }

    @Test(
        "what contradicts itself is not combined",
        arguments: [
            Contradiction(stored: .partial([0..<5], completeLength: 10), part: 5..<8, completeLength: 11),
            Contradiction(stored: .partial([0..<5], completeLength: 10), part: 8..<12, completeLength: nil),
            Contradiction(stored: .partial([0..<5], completeLength: nil), part: 1..<3, completeLength: 4),
            Contradiction(stored: .partial([0..<5, 20..<30], completeLength: nil), part: 5..<8, completeLength: 25),
            Contradiction(stored: .partial([0..<5], completeLength: 10), part: 5..<5, completeLength: 10),
            Contradiction(stored: .complete, part: 0..<5, completeLength: 10),
        ])
    func contradictions(_ row: Contradiction) {
        let isRefused = Combination(row.stored, with: row.part, completeLength: row.completeLength) == nil
        #expect(isRefused)
    }

    @Test("parts that never touch are bounded, and so is what putting them into their order costs")
    func manyParts() throws {
        var extent = ContentExtent.partial([0..<1], completeLength: 1_000_000)
        var (stored, rewritten) = (Int64(1), Int64(0))
        for number in 1..<5_000 {
            let combination = try #require(
                Combination(extent, with: Int64(number) * 10..<Int64(number) * 10 + 1, completeLength: nil))
            if combination.added == nil { rewritten += stored }
            extent = combination.extent
            guard case .partial(let parts, _) = extent else { throw CancellationError() }
            stored = parts.reduce(0) { $0 + Int64($1.count) }
            #expect(parts.count <= Combination.greatestCount)
        }
        #expect(stored == Int64(Combination.greatestCount))
        #expect(rewritten == 0)
        // What is stored still answers, and a part that touches the last one is added.
        #expect(extent.regions(of: 10..<11) != nil)
        let last = try #require(extent.parts?.last)
        let next = try #require(
            Combination(extent, with: last.upperBound..<last.upperBound + 5, completeLength: nil))
        #expect(next.added == [0..<5])
    }

    @Test("parts that come from the end to the beginning are put into their order now and then")
    func backwards() throws {
        var extent = ContentExtent.partial([9_999..<10_000], completeLength: 20_000)
        var rewritten = 0
        for first in (0..<Int64(9_999)).reversed() {
            let combination = try #require(Combination(extent, with: first..<first + 1, completeLength: nil))
            if combination.added == nil { rewritten += 1 }
            extent = combination.extent
        }
        #expect(extent.parts == [0..<10_000])
        #expect(rewritten == 9_999 / Combination.greatestCount, "\(rewritten)")
    }

    @Test("a length that either of the two knows is known of both")
    func lengthIsLearnt() throws {
        let first = try #require(
            Combination(.partial([0..<5], completeLength: nil), with: 5..<10, completeLength: 10))
        #expect(first.extent == .complete)
        let second = try #require(
            Combination(.partial([0..<5], completeLength: 10), with: 5..<10, completeLength: nil))
        #expect(second.extent == .complete)
        let third = try #require(
            Combination(.partial([0..<5], completeLength: 10), with: 7..<9, completeLength: nil))
        #expect(third.extent == .partial([0..<5, 7..<9], completeLength: 10))
    }

    @Test(
        "RFC 9110 §15.3.7.3 \"if they all share the same strong validator\"",
        arguments: [
            Row([["ETag: \"1\""], ["ETag: \"1\""]], true, "the same strong tag"),
            Row([["ETag: \"1\""], ["ETag: \"2\""]], false, "another tag"),
            Row([["ETag: W/\"1\""], ["ETag: W/\"1\""]], false, "§8.8.3.2: weak tags never match strongly"),
            Row([["ETag: \"1\""], ["ETag: W/\"1\""]], false, "§8.8.3.2"),
            Row([["ETag: 1"], ["ETag: 1"]], false, "§8.8.3: no entity tag"),
            Row([[], []], false, "no validator"),
            Row([["ETag: \"\""], ["ETag: \"\""]], true, "§8.8.3: an empty opaque tag is one"),
            Row(
                [["ETag: \"1\"", "Content-Encoding: gzip"], ["ETag: \"1\""]], false,
                "§8.8.3.3: each coding has its own tag; some servers give both the same"),
            Row(
                [["ETag: \"1\"", "Content-Encoding: gzip"], ["ETag: \"1\"", "Content-Encoding: br"]], false,
                "§8.8.3.3"),
            Row(
                [["ETag: \"1\"", "Content-Encoding: gzip"], ["ETag: \"1\"", "Content-Encoding: gzip"]], true,
                "one coding"),
        ])
    func validators(_ row: Row<[[String]], Bool>) {
        let (one, other) = (HTTPFields(lines: row.given[0]), HTTPFields(lines: row.given[1]))
        #expect(Combination.isAllowed(one, with: other) == row.expected)
        #expect(Combination.isAllowed(other, with: one) == row.expected)
    }
}
