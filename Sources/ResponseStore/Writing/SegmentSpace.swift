import GRDB

/// What of a segment the index names, and what lies between.
enum SegmentSpace {
    /// The bytes around a range that was given up, up to what lives on both sides.
    ///
    /// - Parameter end: Where the records of the segment end, if nothing beyond is being written by anyone else.
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

    /// What the index names of a segment, in order.
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
