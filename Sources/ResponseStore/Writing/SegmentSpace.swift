import GRDB

/// The used and unused space of a segment, by the index.
enum SegmentSpace {
    /// The unused bytes around a released range, up to its living neighbours.
    ///
    /// - Parameter end: The end of the segment's records, if no other writer is writing past it.
    static func hole(around range: SegmentRange, end: Int64?, in database: Database) throws -> Range<Int64> {
        let arguments: StatementArguments = [Int64(range.segment), Int64(range.offset)]
        let before = try Int64.fetchOne(
            database,
            sql: """
                SELECT max(stop) FROM (
                  SELECT * FROM (SELECT offset + length AS stop FROM entry WHERE segment = ?1 AND offset <= ?2
                    ORDER BY offset DESC LIMIT 1)
                  UNION ALL SELECT * FROM (SELECT offset + length FROM body WHERE segment = ?1 AND offset <= ?2
                    ORDER BY offset DESC LIMIT 1))
                """, arguments: arguments)
        let after = try Int64.fetchOne(
            database,
            sql: """
                SELECT min(start) FROM (
                  SELECT * FROM (SELECT offset AS start FROM entry WHERE segment = ?1 AND offset >= ?2
                    ORDER BY offset LIMIT 1)
                  UNION ALL SELECT * FROM (SELECT offset FROM body WHERE segment = ?1 AND offset >= ?2 AND length > 0
                    ORDER BY offset LIMIT 1))
                """, arguments: arguments)
        let start = max(Int64(Segment.headerLength), before ?? 0)
        let stop = after ?? end ?? Int64(range.end)
        return start..<max(start, stop)
    }

    /// The used ranges of a segment, in order.
    static func live(_ segment: UInt32, in database: Database) throws -> [Range<Int64>] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT offset, offset + length FROM entry WHERE segment = ?1
                UNION ALL SELECT offset, offset + length FROM body WHERE segment = ?1
                ORDER BY 1
                """, arguments: [Int64(segment)]
        ).map { row in
            let start = max(0, row.number(0))
            return start..<max(start, row.number(1))
        }
    }
}

/// The space that a transaction released: bytes of segments, and files by their names.
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
