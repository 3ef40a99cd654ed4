import GRDB
import GRDBSQLite

/// The header of the wal-index in memory.
///
/// SQLite has `index.sqlite-shm` mapped; its own file object says where (`xShmMap`, sqlite.org/c3ref/io_methods.html).
/// Reading it takes a few nanoseconds. A descriptor of our own is impossible: closing it would release the locks that
/// SQLite holds on the same file in this process (fcntl(2), "Record locks").
///
/// `@unchecked Sendable`: the memory is only read; a commit of another process may change it meanwhile, and then the
/// bytes equal no earlier stamp.
struct IndexStampSource: @unchecked Sendable {
    /// Stays valid while the connection is open, which is the lifetime of the pool.
    private let header: UnsafeRawPointer?

    /// The size of the region that SQLite itself maps, `WALINDEX_PGSZ`.
    private static let regionLength: Int32 = 32_768

    /// Without a wal-index.
    init() {
        header = nil
    }

    /// - Parameter database: The connection that writes; it must stay open.
    init(of database: Database) throws {
        // Before the first transaction there may be no wal-index.
        try database.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        // SQLITE_READONLY: mapped, for reading only. Without a writer there may be nothing to map.
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
