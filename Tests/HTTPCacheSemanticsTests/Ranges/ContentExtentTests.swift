import HTTPCacheSemantics
import Testing

@Suite("RFC 9111 §3.3: what is stored of a representation")
struct ContentExtentTests {
    struct Part: Sendable, CustomStringConvertible {
        var range: Range<Int64>
        var length: Int64?
        var description: String { "\(range) of \(length.map { "\($0)" } ?? "unknown")" }
    }

    @Test(
        "one part of a representation",
        arguments: [
            Row(Part(range: 0..<10, length: 10), ContentExtent?.some(.complete), "RFC 9110 §15.3.7.3, everything"),
            Row(Part(range: 0..<9, length: 10), .partial([0..<9], completeLength: 10), "its beginning"),
            Row(Part(range: 1..<10, length: 10), .partial([1..<10], completeLength: 10), "its end"),
            Row(Part(range: 0..<10, length: nil), .partial([0..<10], completeLength: nil), "perhaps not all"),
            Row(Part(range: 4..<4, length: 10), nil, "nothing"),
        ])
    func onePart(_ row: Row<Part, ContentExtent?>) {
        #expect(ContentExtent(row.given.range, completeLength: row.given.length) == row.expected)
    }

    @Test(
        "where a transfer can go on",
        arguments: [
            Row(ContentExtent.partial([0..<9], completeLength: 10), Int64?.some(9), "what is stored is the beginning"),
            Row(.partial([0..<9], completeLength: nil), 9, "however long it may be"),
            Row(.partial([1..<9], completeLength: 10), nil, "the beginning is missing"),
            Row(.partial([0..<4, 6..<9], completeLength: 10), nil, "one range can't fill two gaps"),
            Row(.complete, nil, "nothing is missing"),
        ])
    func resumption(_ row: Row<ContentExtent, Int64?>) {
        #expect(row.given.resumption == row.expected)
    }

    @Test("a range must be \"wholly within\" one part, not in two that have a gap")
    func location() {
        let extent = ContentExtent.partial([10..<20, 30..<50], completeLength: 60)
        #expect(extent.location(of: 10..<20) == 0..<10)
        #expect(extent.location(of: 30..<31) == 10..<11)
        #expect(extent.location(of: 49..<50) == 29..<30)
        for range in [9..<11, 19..<21, 15..<35, 20..<30, 49..<51, 0..<60] as [Range<Int64>] {
            #expect(extent.location(of: range) == nil, "\(range)")
        }
        #expect(extent.completeLength(storedLength: 30) == 60)
        #expect(ContentExtent.complete.completeLength(storedLength: 30) == 30)
    }
}
