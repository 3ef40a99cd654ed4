import Foundation
import GRDB
import HTTPCacheSemantics

/// Rebuilds a lost index: every record in a segment has its key, identity and body.
///
/// Removed responses do not come back, because their bytes are holes.
enum IndexRecovery {
    /// Whether an error says that the index is damaged, rather than busy or inaccessible.
    static func isNeeded(after error: any Error) -> Bool {
        guard let error = ((error as? StoreError)?.cause ?? error) as? DatabaseError else { return false }
        switch error.resultCode.primaryResultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // Our statements never change: where one names what is not there, the description of the tables has come to harm.
        case .SQLITE_ERROR:
            return ["no such ", "has no column named "].contains { error.message?.contains($0) == true }
        default: return false
        }
    }

    /// Removes an unreadable index. Bodies, heads and segments stay.
    static func removeIndex(_ layout: StoreLayout, _ fileSystem: any FileSystem) {
        for suffix in ["", "-wal", "-shm"] { try? fileSystem.unlink(layout.index + suffix) }
    }

    private struct Found {
        var head: EntryHead
        var place: SegmentRange
    }

    /// The identity of a stored response: of two records, the one that arrived later counts.
    private struct Name: Hashable {
        var key: CacheKey
        var nominated: NominatedFields
    }

    /// Fills an empty index, in the caller's transaction.
    static func fill(_ database: Database, _ layout: StoreLayout, _ fileSystem: any FileSystem) throws {
        let files = SegmentFiles(layout, fileSystem)
        guard !files.numbers().isEmpty else { return }
        var entries: [Name: Found] = [:]
        var bodies: [BodyDigest: SegmentRange] = [:]
        for number in files.numbers() {
            guard let segment = try files.segment(number) else { continue }
            try segment.forEachRecord { position, header, head in
                guard
                    let place = SegmentRange(
                        exactly: Int64(number), position, Int64(SegmentRecord.headerLength + header.headLength))
                else { return }
                if header.bodyLength > 0 || head.body.length == .zero {
                    bodies[head.body.digest] = SegmentRange(
                        exactly: Int64(number), Int64(place.end), Int64(header.bodyLength))
                } else if let elsewhere = head.bodyPlace, bodies[head.body.digest] == nil {
                    bodies[head.body.digest] = elsewhere
                }
                let name = Name(key: head.key, nominated: head.response.nominatedFields)
                if let known = entries[name], known.head.response.responseTime > head.response.responseTime { return }
                entries[name] = Found(head: head, place: place)
            }
        }
        for number in files.numbers() {
            try database.execute(
                sql: "INSERT OR IGNORE INTO segment (id, writer) VALUES (?, '')", arguments: [Int64(number)])
        }
        let context = WriteContext(
            database, SegmentWriter(layout, files, fileSystem), files, ChangeLog(layout, fileSystem))
        var known: [BodyDigest: Int64] = [:]
        // The longest first: for a body that grew, the last committed one.
        for found in entries.values.sorted(by: { $0.head.body.length > $1.head.body.length }) {
            let body = found.head.body
            let place = bodies[body.digest]
            if body.isInSegment {
                guard place != nil else { continue }
            } else {
                guard BodyFiles.holds(body, at: layout.body(body.fileName), fileSystem) else { continue }
            }
            // Another process may be adding to a growing body, and does not know this index.
            let row = try known[body.digest] ?? context.insertBody(body, at: body.isInSegment ? place : nil, writer: "")
            known[body.digest] = row
            try context.insert(found.head, at: found.place, body: row)
        }
        try context.saveTotals()
    }
}
