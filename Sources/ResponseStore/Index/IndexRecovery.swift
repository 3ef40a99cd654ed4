import Foundation
import GRDB

/// When an index begins anew: it is damaged, or of an earlier format.
enum IndexRecovery {
    struct EarlierFormat: Error {}

    /// Whether an error says so, rather than that the index is busy or inaccessible.
    static func isNeeded(after error: any Error) -> Bool {
        let error = (error as? StoreError)?.cause ?? error
        guard let error = error as? DatabaseError else { return error is EarlierFormat }
        switch error.resultCode.primaryResultCode {
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return true
        // Our statements never change: where one names what is not there, the description of the tables has come to
        // harm.
        case .SQLITE_ERROR:
            return ["no such ", "has no column named"].contains { error.message?.contains($0) == true }
        default: return false
        }
    }

    /// Whether SQLite finds no damage, and our statements fit the tables.
    ///
    /// - Throws: GRDB's error where the disk fails, or a statement does not fit.
    static func isSound(_ database: Database) throws -> Bool {
        for query in [EntryRow.ofKey, EntryRow.ofSearchBase] { _ = try database.makeStatement(sql: query) }
        let found = try String.fetchAll(database, sql: "PRAGMA integrity_check(1)")
        // "unable to get the page. error code=266", "failed to get page 7": the disk, not the content.
        if found.contains(where: { $0.contains("get the page") || $0.contains("get page") }) {
            throw DatabaseError(resultCode: .SQLITE_IOERR, message: found.first)
        }
        return found == ["ok"]
    }

    /// Removes an unreadable index, and what a store of an earlier format kept beside it.
    static func removeIndex(_ layout: StoreLayout, _ fileSystem: any FileSystem) {
        for suffix in ["", "-wal", "-shm"] { try? fileSystem.unlink(layout.index + suffix) }
        try? FileManager.default.removeItem(atPath: layout.directory + "/segments")
    }
}
