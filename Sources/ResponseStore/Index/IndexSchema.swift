import Foundation
import GRDB
import GRDBSQLite

/// The store on disk, format 8: a SQLite database `index.sqlite` in WAL mode, and files of large bodies.
///
///     <store>/                mode 0700
///     ├─ index.sqlite         what is stored: heads, and bodies up to 64 KiB; mode 0600
///     ├─ changes              which keys were changed last, for requests in flight: see ChangeLog
///     ├─ bodies/abcdef…       larger bodies, named by their SHA-256, or at random if they began as parts to which
///     │                       others are added (64 hex digits)
///     └─ incoming/PID.T.N     bodies in transfer, by process, its random token, and a random number, each with a note
///                             PID.T.N.head once it is long: see InterruptedTransfer; those of ended processes without
///                             one are removed when the store is opened
///
/// `PRAGMA application_id` is 0x4C415244 ("LARD"), `PRAGMA user_version` the format's number. A store with a higher
/// number than this code knows is refused and left unchanged; raising the number makes every older version refuse the
/// store. A database with another application's number is refused as well. Formats 1 to 7 were never released; such a
/// store is removed, and begun anew.
///
/// A transaction commits once the files that it names are on the disk: by one sync for each, and one of their
/// directory. After a crash before the commit, files without a row remain, and the next sweep removes them. An entry
/// whose bytes are missing or damaged is dropped on reading; SQLite finds out about damage to its own structure, and
/// the index then begins anew.
///
/// A body of parts grows at its end; only its writer writes it, and synchronises it before the transaction that records
/// the new length. Bytes past the recorded length belong to nothing, and the next part overwrites them.
enum IndexSchema {
    static let applicationID = 0x4C41_5244
    static let version = 8

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

    /// Creates the tables of a new index.
    ///
    /// - Returns: Whether it is new.
    /// - Throws: ``IndexRecovery/EarlierFormat``, or ``StoreError`` for a newer format and for another application's.
    static func prepare(_ layout: StoreLayout, in database: Database) throws -> Bool {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        try check(version: version, application: application, layout)
        if version == self.version { return false }
        guard version == 0 else { throw IndexRecovery.EarlierFormat() }
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master WHERE name NOT LIKE 'sqlite%'") == 0
        else { throw foreign(layout) }
        try database.execute(sql: tables)
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

    /// Begins to note the cookies that servers set: what is stored by then is older than the notes.
    static let beginServerCookies = """
        DELETE FROM server_cookie;
        INSERT INTO server_cookie VALUES (x'', (SELECT coalesce(max(id), 0) FROM entry));
        """

    private static let tables = """
        CREATE TABLE entry (
          id INTEGER PRIMARY KEY AUTOINCREMENT,   -- never used again
          partition TEXT NOT NULL,         -- with the site: see StoredPartition
          uri TEXT NOT NULL,
          nominated BLOB NOT NULL,         -- field block of the nominated request fields, names sorted
          response_time INTEGER NOT NULL,  -- milliseconds since the Unix epoch
          body INTEGER NOT NULL REFERENCES body(id),
          search_base TEXT,                -- the URI without its query, with No-Vary-Search only
          type TEXT NOT NULL,              -- type/subtype of the content in lower case; empty where it has none
          head BLOB NOT NULL,              -- see EntryHead
          UNIQUE (partition, uri, nominated)
        );
        CREATE INDEX entry_body ON entry (body);
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
          checksums BLOB NOT NULL,         -- 8 bytes for each 64 KiB, XXH64
          file BLOB,                       -- the name of its file; NULL: its bytes are here
          writer TEXT,                     -- who adds parts to it: process, random token, store; NULL: nobody ever will
          bytes BLOB
        );
        CREATE UNIQUE INDEX body_file ON body (file) WHERE file IS NOT NULL;
        CREATE TABLE pin (                 -- which keys each holder keeps; counted in score.pins of the key's entries
          partition TEXT NOT NULL,         -- as in entry
          uri TEXT NOT NULL,
          holder TEXT NOT NULL,
          PRIMARY KEY (partition, uri, holder)
        ) WITHOUT ROWID;
        CREATE INDEX pin_holder ON pin (holder);
        CREATE TABLE server_cookie (       -- names of cookies that servers have set
          name BLOB PRIMARY KEY,           -- SHA-256 of site, space and name; empty: the row that has `since`
          since INTEGER NOT NULL           -- the last entry that was stored before the notes began
        ) WITHOUT ROWID;
        INSERT INTO server_cookie VALUES (x'', 0);
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
        CREATE TABLE distrusted (          -- hosts that sent other bytes under one, and when
          host TEXT PRIMARY KEY,
          time INTEGER NOT NULL            -- milliseconds since the Unix epoch
        ) WITHOUT ROWID;
        CREATE TABLE past (                -- why nothing is stored under a key: see PastEvent
          key BLOB PRIMARY KEY,            -- 16 bytes of a SHA-256
          event TEXT NOT NULL,
          time INTEGER NOT NULL            -- milliseconds since the Unix epoch
        ) WITHOUT ROWID;
        CREATE INDEX past_time ON past (time);
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
enum IndexStamp: Hashable, Sendable {
    /// `PRAGMA data_version`, of one opening.
    case version(Int64, opening: UInt64)
    /// The files of an index that is read without locks; the log is `nil` if it is missing or empty, as after a failed
    /// opening for writing.
    ///
    /// SQLite then reads correctly only while no process writes. A directory that we can't write may belong to another
    /// user, or be mounted a second time for a process that writes. So a result counts only if the files are the same
    /// after the query as at the opening; otherwise the index is opened again, and if a writer is running, SQLite finds
    /// its shared memory and needs none of this.
    case files(index: FileVersion, log: FileVersion?)

    /// The files as they are now, by two system calls; `nil` if there is no index.
    static func ofFiles(in layout: StoreLayout) -> IndexStamp? {
        guard let index = SystemCalls.version(layout.index) else { return nil }
        let log = SystemCalls.version(layout.writeAheadLog)
        return .files(index: index, log: log?.size == 0 ? nil : log)
    }

    /// Whether the write-ahead log has content.
    var hasLog: Bool {
        if case .files(_, .some) = self { true } else { false }
    }
}
