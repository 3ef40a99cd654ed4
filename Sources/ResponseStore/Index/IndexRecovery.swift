import Foundation
import GRDB
import HTTPCacheSemantics

/// When an index begins anew: it is damaged, or of an earlier format.
enum IndexRecovery {
    struct EarlierFormat: Error {}

    /// Whether an error says so, rather than that the index is busy or inaccessible.
    static func isNeeded(after error: any Error) -> Bool {
        let error = (error as? StoreError)?.cause ?? error
        guard let error = error as? DatabaseError else { return error is EarlierFormat }
        return [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode) || isAboutTables(error)
    }

    /// Whether a statement of ours, which never change, names what is not there: then the description of the tables has
    /// come to harm, of which SQLite's own check knows nothing.
    static func isAboutTables(_ error: (any Error)?) -> Bool {
        guard let error = ((error as? StoreError)?.cause ?? error) as? DatabaseError,
            error.resultCode.primaryResultCode == .SQLITE_ERROR
        else { return false }
        return ["no such ", "has no column named"].contains { error.message?.contains($0) == true }
    }

    /// Whether SQLite finds no damage.
    ///
    /// - Throws: GRDB's error where the disk fails.
    static func isSound(_ database: Database) throws -> Bool {
        let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
        // "unable to get the page. error code=266", "failed to get page 7": the disk, not the content.
        if found.contains(where: { $0.contains("get the page") || $0.contains("get page") }) {
            throw DatabaseError(resultCode: .SQLITE_IOERR, message: found.first)
        }
        return found == ["ok"]
    }

    /// Notes it for whatever is asked for and not stored.
    static func noteNewBeginning(of index: StoreIndex, at time: WallInstant) {
        // Nobody misses it where the disk fails again.
        try? index.pool.write { database in
            try database.execute(
                sql: "INSERT OR REPLACE INTO past VALUES (?, ?, ?)",
                arguments: [PastEvent.everyKey, PastEvent.begunAnew.name, EntryRow.milliseconds(time)])
        }
    }

    /// Removes an unreadable index, and what a store of an earlier format kept beside it.
    static func removeIndex(_ layout: StoreLayout) {
        for suffix in ["", "-wal", "-shm"] { try? layout.fileSystem.unlink(layout.index + suffix) }
        try? FileManager.default.removeItem(atPath: layout.directory + "/segments")
    }
}
