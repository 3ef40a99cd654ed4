import Foundation
import GRDB
import GRDBSQLite

/// The store on disk, format 5: a SQLite database `index.sqlite` in WAL mode, segments, and files of large bodies.
///
///     <store>/                mode 0700
///     ├─ index.sqlite         the truth about what is stored, mode 0600
///     ├─ changes              which keys were changed last, for requests in flight: see ChangeLog
///     ├─ segments/N           heads, and bodies up to 64 KiB: see Segment and SegmentRecord
///     ├─ bodies/abcdef…       larger bodies, named by their SHA-256, or at random if they began as parts to which
///     │                       others are added (64 hex digits)
///     └─ incoming/PID.T.N     bodies in transfer, by process, its random token, and a random number; those of ended
///                             processes are removed when the store is opened
///
/// `PRAGMA application_id` is 0x4C415244 ("LARD"), `PRAGMA user_version` the format's number. A store with a higher
/// number than this code knows is refused and left unchanged; raising the number makes every older version refuse the
/// store. A database with another application's number is refused as well. Formats 1 to 4 were never released; opening
/// such a store drops everything that is not in segments of today's form.
///
/// A transaction commits once the data that it names is on the disk: records by one sync of the segment for the whole
/// batch, body files by one sync each and one of their directory. After a crash before the commit, records and files
/// without a row remain, and the next sweep removes them. A row whose bytes are missing or damaged is dropped on
/// reading.
///
/// A body of parts grows at its end; only its writer writes it, and synchronises it before the transaction that records
/// the new length. Bytes past the recorded length belong to nothing, and the next part overwrites them.
enum IndexSchema {
    static let applicationID = 0x4C41_5244
    static let version = 5

    /// Checks an index by its first bytes, before SQLite opens it and writes to it.
    ///
    /// ``prepare(_:in:)`` checks content that is only in the write-ahead log so far.
    static func check(_ layout: StoreLayout) throws {
        guard let header = header(of: layout.index), header.starts(with: "SQLite format 3\0".utf8) else { return }
        func number(_ offset: Int) -> Int {
            header.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        try check(version: number(60), application: number(68), layout)
    }

    /// The first bytes of a file; `nil` if it has fewer.
    ///
    /// Read through SQLite's own file object, which SQLite closes only when that releases no lock. Closing a descriptor
    /// of ours would release the locks of an index that is already open in this process (fcntl(2), "Record locks"); the
    /// next process to end would then delete the log that we continue to write.
    private static func header(of path: String) -> [UInt8]? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: 72)
        return read(file, &bytes, Int32(bytes.count), 0) == SQLITE_OK ? bytes : nil
    }

    /// Whether the index is ours and of today's format.
    static func isCurrent(in database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "PRAGMA user_version") == version
            && Int.fetchOne(database, sql: "PRAGMA application_id") == applicationID
    }

    /// Whether an index that is to be written lacks nothing.
    static func isComplete(in database: Database) throws -> Bool {
        try isCurrent(in: database) && database.tableExists("server_cookie")
    }

    /// Creates the tables of a new index.
    ///
    /// - Returns: Whether it is new.
    static func prepare(_ layout: StoreLayout, in database: Database) throws -> Bool {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        try check(version: version, application: application, layout)
        if (1..<self.version).contains(version) {
            for table in formerTables { try database.execute(sql: "DROP TABLE IF EXISTS \(table)") }
        }
        guard version < self.version else {
            try database.execute(sql: pins)
            return false
        }
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite%'") == 0
        else { throw foreign(layout) }
        try database.execute(sql: tables)
        try database.execute(sql: pins)
        return true
    }

    private static func check(version: Int, application: Int, _ layout: StoreLayout) throws {
        if application != applicationID, application != 0 || version != 0 { throw foreign(layout) }
        guard version <= self.version else {
            throw StoreError(
                code: .newerFormat,
                message: "The store in '\(layout.directory)' has format \(version), newer than this version "
                    + "of Larder knows (\(self.version)); update Larder or choose another directory.")
        }
    }

    private static func foreign(_ layout: StoreLayout) -> StoreError {
        StoreError(
            code: .directoryUnusable,
            message: "'\(layout.index)' belongs to another application; choose another directory.")
    }

    /// The tables of formats 1 to 4.
    private static let formerTables = [
        "entry", "tag", "body", "segment", "owner", "standing", "content", "distrusted", "account",
    ]

    /// Added to stores that were made before there were holders; versions that do not know it leave it as it is.
    private static let pins = """
        CREATE TABLE IF NOT EXISTS pin (   -- which keys each holder keeps; counted in score.pins of the key's entries
          partition TEXT NOT NULL,         -- as in entry
          uri TEXT NOT NULL,
          holder TEXT NOT NULL,
          PRIMARY KEY (partition, uri, holder)
        ) WITHOUT ROWID;
        CREATE INDEX IF NOT EXISTS pin_holder ON pin (holder);
        """

    /// Begins to note the cookies that servers set, in a store that does not. What is stored by then is older than the notes.
    static func beginServerCookies(in database: Database, anew: Bool = false) throws {
        try database.execute(
            sql: """
                CREATE TABLE IF NOT EXISTS server_cookie (   -- names of cookies that servers have set
                  name BLOB PRIMARY KEY,           -- SHA-256 of site, space and name; empty: the row that has `since`
                  since INTEGER NOT NULL           -- the last entry that was stored before the notes began
                ) WITHOUT ROWID;
                \(anew ? "DELETE FROM server_cookie;" : "")
                INSERT OR IGNORE INTO server_cookie VALUES (x'', (SELECT coalesce(max(id), -1) FROM entry));
                """)
    }

    private static let tables = """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY,          -- the place of its first head, which no other entry ever had
          partition TEXT NOT NULL,         -- with the site: see StoredPartition
          uri TEXT NOT NULL,
          nominated BLOB NOT NULL,         -- field block of the nominated request fields, names sorted
          response_time INTEGER NOT NULL,  -- milliseconds since the Unix epoch
          segment INTEGER NOT NULL,        -- the record of the head: its segment, first byte, header and head
          offset INTEGER NOT NULL,
          length INTEGER NOT NULL,
          body INTEGER NOT NULL REFERENCES body(id),
          search_base TEXT,                -- the URI without its query, with No-Vary-Search only
          type TEXT NOT NULL,              -- type/subtype of the content in lower case; empty where it has none
          UNIQUE (partition, uri, nominated)
        );
        CREATE INDEX entry_body ON entry (body);
        CREATE INDEX entry_place ON entry (segment, offset);
        CREATE INDEX entry_search ON entry (partition, search_base) WHERE search_base IS NOT NULL;
        CREATE TABLE tag (
          entry INTEGER NOT NULL,
          name TEXT NOT NULL,
          PRIMARY KEY (entry, name)
        ) WITHOUT ROWID;
        CREATE INDEX tag_name ON tag (name);
        CREATE TABLE body (
          id INTEGER PRIMARY KEY,
          digest BLOB NOT NULL UNIQUE,     -- SHA-256; of a body that grows, its name
          length INTEGER NOT NULL,
          segment INTEGER,                 -- where its bytes are; NULL: in a file under bodies/
          offset INTEGER,
          checksums BLOB NOT NULL,         -- of a body in a file: 8 bytes for each 64 KiB, XXH64
          file BLOB,                       -- the name of its file; NULL: in a segment
          writer TEXT                      -- who adds parts to it, as in segment; NULL: nobody ever will
        );
        CREATE UNIQUE INDEX body_file ON body (file) WHERE file IS NOT NULL;
        CREATE INDEX body_place ON body (segment, offset) WHERE segment IS NOT NULL;
        CREATE TABLE segment (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          writer TEXT NOT NULL             -- the process that adds to it: number, random token, store
        );
        CREATE TABLE quota_scope (         -- what a host of a partition takes, with all sites
          id INTEGER PRIMARY KEY,
          partition TEXT NOT NULL,
          host TEXT NOT NULL,
          bytes INTEGER NOT NULL,
          UNIQUE (partition, host)
        );
        CREATE TABLE score (               -- how an entry stands when room is needed: docs/decisions/0008
          entry INTEGER PRIMARY KEY,
          scope INTEGER NOT NULL,
          size INTEGER NOT NULL,           -- head and body, in bytes
          cost INTEGER NOT NULL,           -- what it took to get it, in milliseconds
          uses INTEGER NOT NULL,
          pins INTEGER NOT NULL,
          priority REAL NOT NULL,
          last_use INTEGER NOT NULL,       -- milliseconds since the Unix epoch, to a day
          expires INTEGER                  -- the end of its use by a rule; once that counts, as ~expires; NULL: none
        );
        CREATE INDEX score_expiry ON score (expires) WHERE expires IS NOT NULL;
        CREATE INDEX score_order ON score (priority) WHERE pins = 0;
        CREATE INDEX score_scope ON score (scope, priority) WHERE pins = 0;
        CREATE TABLE content (             -- what was seen under names that say what they stand for
          id INTEGER PRIMARY KEY,          -- when, in milliseconds since the Unix epoch, or the next one that is free
          partition TEXT NOT NULL,         -- as in entry
          uri TEXT NOT NULL,
          variant TEXT NOT NULL,           -- SHA-256 of Content-Encoding and nominated fields, in hex
          digest BLOB NOT NULL,
          UNIQUE (partition, uri, variant)
        );
        CREATE TABLE distrusted (host TEXT PRIMARY KEY) WITHOUT ROWID;   -- hosts that sent other bytes under one, and when
        CREATE TABLE totals (bytes INTEGER NOT NULL, clock REAL NOT NULL);   -- one row: heads and bodies
        INSERT INTO totals VALUES (0, 0);
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(version);
        """
}

/// Columns of an untrusted row: SQLite can have a text in an integer column, and a damaged page may contain anything.
extension Row {
    /// 0 where there is no number.
    func number(_ index: Int) -> Int64 { Int64.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// A count, clamped to 31 bits, so that sums of many counts do not overflow.
    func tally(_ index: Int) -> Int { Int(Swift.min(Swift.max(0, number(index)), Int64(Int32.max))) }

    /// 0 where there is no number.
    func real(_ index: Int) -> Double { Double.fromDatabaseValue(self[index] as DatabaseValue) ?? 0 }

    /// Empty if there are no bytes.
    func data(_ index: Int) -> Data { Data.fromDatabaseValue(self[index] as DatabaseValue) ?? Data() }
}

extension String {
    /// The text as stored in the index. SQLite's texts end at the first NUL, so two names could compare equal; a text
    /// with a NUL is stored as bytes, which compare completely and read back as the text.
    var indexed: DatabaseValue { utf8.contains(0) ? Data(utf8).databaseValue : databaseValue }
}

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
