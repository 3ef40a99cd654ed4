import GRDB
import GRDBSQLite

/// Where the header of the wal-index lies in memory.
///
/// SQLite has `index.sqlite-shm` mapped; its own file object says where (`xShmMap`, sqlite.org/c3ref/io_methods.html).
/// Looking there costs a few nanoseconds. A descriptor of our own would not do: to close it would give up the locks that
/// SQLite holds on the same file in this process (fcntl(2), "Record locks").
///
/// `@unchecked Sendable`: the memory is only read; a commit of another process may change it meanwhile, and then what was
/// read is no stamp that was ever kept.
struct IndexStampSource: @unchecked Sendable {
    /// Stays where it is as long as the connection is open, and that is as long as the pool is there.
    private let header: UnsafeRawPointer?

    /// The region that all of SQLite's own callers ask for, `WALINDEX_PGSZ`.
    private static let regionLength: Int32 = 32_768

    /// Where there is none.
    init() {
        header = nil
    }

    /// - Parameter database: The connection that writes; it must be kept.
    init(of database: Database) throws {
        // Before the first transaction there may be no wal-index yet.
        try database.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        // SQLITE_READONLY: mapped, for reading only. Where nobody writes there may be nothing to map.
        if code == SQLITE_OK, let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap,
            [SQLITE_OK, SQLITE_READONLY].contains(map(file, 0, Self.regionLength, 0, &region))
        {
            header = region.map { UnsafeRawPointer($0) }
        } else {
            header = nil
        }
    }

    func stamp() -> IndexStamp? {
        header.flatMap { IndexStamp(UnsafeRawBufferPointer(start: $0, count: IndexStamp.length)) }
    }
}
