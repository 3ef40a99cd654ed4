/// A range of bytes in a segment.
struct SegmentRange: Hashable, Sendable {
    var segment: UInt32
    var offset: UInt32
    var length: UInt32

    var end: UInt32 { offset + length }

    init(segment: UInt32, offset: UInt32, length: UInt32) {
        (self.segment, self.offset, self.length) = (segment, offset, length)
    }

    /// - Returns: `nil` for values that are invalid in a segment.
    init?(exactly segment: Int64, _ offset: Int64, _ length: Int64) {
        guard let segment = UInt32(exactly: segment), let offset = UInt32(exactly: offset),
            let length = UInt32(exactly: length), UInt64(offset) + UInt64(length) <= UInt64(UInt32.max)
        else { return nil }
        self.init(segment: segment, offset: offset, length: length)
    }

    /// An identity that no other entry ever has: numbers of segments are never reused.
    var identity: Int64 { Int64(segment) << 32 | Int64(offset) }
}
