import Testing

@testable import CacheEngine

@Suite("RecentBytes: the end of a growing body")
struct RecentBytesTests {
    private func bytes(_ range: Range<Int>) -> [UInt8] { range.map { UInt8(truncatingIfNeeded: $0) } }

    @Test("small arrivals are joined, so that a body in single bytes becomes a few pieces")
    func joining() throws {
        var recent = RecentBytes()
        for number in 0..<40_000 { recent.append(bytes(number..<number + 1)) }
        #expect(recent.end == 40_000 && recent.start == 0)
        var position = 0
        var count = 0
        while let piece = recent.bytes(from: Int64(position)) {
            #expect(piece == bytes(position..<position + piece.count))
            position += piece.count
            count += 1
        }
        #expect(position == 40_000 && count == 3)
    }

    @Test("any offset that is kept can be read, and no earlier one")
    func offsets() {
        var recent = RecentBytes()
        for start in stride(from: 0, to: 200_000, by: 20_000) { recent.append(bytes(start..<start + 20_000)) }
        recent.forget(before: 70_000)
        // Only whole pieces are dropped.
        #expect(recent.start == 60_000)
        #expect(recent.bytes(from: 59_999) == nil && recent.bytes(from: 200_000) == nil)
        #expect(recent.bytes(from: 60_000) == bytes(60_000..<80_000))
        #expect(recent.bytes(from: 79_999) == bytes(79_999..<80_000))
        recent.forget(before: 200_000)
        #expect(recent.start == 200_000 && recent.end == 200_000)
        recent.append(bytes(0..<5))
        #expect(recent.start == 200_000 && recent.bytes(from: 200_002) == bytes(2..<5))
        recent.forget(before: -1)
        #expect(recent.start == 200_000)
    }
}
