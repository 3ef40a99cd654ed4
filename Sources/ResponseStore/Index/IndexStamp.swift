import GRDB
import GRDBSQLite

/// Identifies a state of the index, whichever process changed it.
///
/// The header of the wal-index, the first 48 bytes of `index.sqlite-shm`: SQLite writes it at every commit, before the
/// commit returns and in every process, and its readers rely on it (sqlite.org/walformat.html, §2.1). See
/// ``IndexStampSource``.
struct IndexStamp: Hashable, Sendable {
    static let length = 48

    /// Counts the commits, modulo 2^32.
    let change: UInt32
    private let low: SIMD2<UInt64>
    private let middle: SIMD2<UInt64>
    private let high: SIMD2<UInt64>

    /// - Returns: `nil` unless there are 48 bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.length else { return nil }
        change = bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)
        low = bytes.loadUnaligned(fromByteOffset: 0, as: SIMD2<UInt64>.self)
        middle = bytes.loadUnaligned(fromByteOffset: 16, as: SIMD2<UInt64>.self)
        high = bytes.loadUnaligned(fromByteOffset: 32, as: SIMD2<UInt64>.self)
    }

    /// A state that is identified in another way, without commits of ours.
    init(low: SIMD2<UInt64>, middle: SIMD2<UInt64>, high: SIMD2<UInt64>) {
        (change, self.low, self.middle, self.high) = (0, low, middle, high)
    }

    /// Whether exactly one commit is between the two.
    func isNext(after stamp: IndexStamp) -> Bool { change == stamp.change &+ 1 }
}

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
