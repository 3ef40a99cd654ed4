/// What a transaction gave up: bytes of segments, and files by their names.
struct ReleasedSpace: Sendable {
    var ranges: [SegmentRange] = []
    var files: Set<BodyDigest> = []

    var isEmpty: Bool { ranges.isEmpty && files.isEmpty }

    mutating func add(segment: Int64, offset: Int64, length: Int64) {
        guard let range = SegmentRange(exactly: segment, offset, length) else { return }
        ranges.append(range)
    }

    mutating func add(_ other: ReleasedSpace) {
        ranges += other.ranges
        files.formUnion(other.files)
    }
}
