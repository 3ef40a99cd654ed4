import Foundation
import GRDB

/// The index on disk, format 2: a SQLite database `index.sqlite` in WAL mode.
///
///     <store>/                mode 0700
///     ├─ index.sqlite         the truth about what is stored, mode 0600
///     ├─ bodies/ab/cdef…      bodies over 16 KiB, named by their SHA-256 (2 + 62 hex digits)
///     └─ incoming/PID.T.N     bodies being received, by process, its random token, and a random number; those of
///                             processes that are gone are swept when the store is opened
///
/// `PRAGMA application_id` is 0x4C415244 ("LARD"), `PRAGMA user_version` the format's number. A higher number than
/// this code knows is refused and nothing is touched; raising it makes every older version refuse the store. A
/// database with another application's number is refused as well. Format 1 had no `extent`, `needs_validation` and
/// `search_base`; it is brought up to format 2 when it is opened.
///
/// A body reaches `bodies/` by rename before the transaction that names it commits; after a crash in between the file
/// belongs to no row, and the next sweep removes it. A row whose file is gone is dropped when it is read.
enum IndexSchema {
    static let applicationID = 0x4C41_5244
    static let version = 2

    /// Judges an index by its first bytes, before SQLite opens it and writes to it.
    ///
    /// What is only in the write-ahead log yet is judged by ``prepare(_:in:)``.
    static func check(_ layout: StoreLayout) throws {
        guard let file = FileHandle(forReadingAtPath: layout.index) else { return }
        defer { try? file.close() }
        guard let header = try? file.read(upToCount: 72), header.count == 72 else { return }
        func number(_ offset: Int) -> Int {
            header.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        try check(version: number(60), application: number(68), layout)
    }

    /// Makes the tables of a new index.
    static func prepare(_ layout: StoreLayout, in database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        try check(version: version, application: application, layout)
        if version == 1 { try addPartialResponses(database) }
        guard version == 0 else { return }
        guard try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0 else {
            throw foreign(layout)
        }
        try create(database)
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

    private static func create(_ database: Database) throws {
        try database.execute(
            sql: """
                CREATE TABLE entry (
                  id INTEGER PRIMARY KEY AUTOINCREMENT,
                  partition TEXT NOT NULL,
                  uri TEXT NOT NULL,
                  nominated BLOB NOT NULL,      -- field block of the nominated request fields, names sorted
                  status INTEGER NOT NULL,
                  fields BLOB NOT NULL,         -- field block of the stored response fields
                  request_time INTEGER NOT NULL,   -- milliseconds since the Unix epoch
                  response_time INTEGER NOT NULL,
                  digest BLOB NOT NULL REFERENCES body(digest),
                  UNIQUE (partition, uri, nominated)
                );
                CREATE INDEX entry_digest ON entry (digest);
                CREATE TABLE body (
                  digest BLOB PRIMARY KEY NOT NULL,
                  length INTEGER NOT NULL,
                  content BLOB                  -- NULL: in a file under bodies/
                );
                PRAGMA application_id = \(applicationID);
                """)
        try addPartialResponses(database)
    }

    /// What format 2 adds.
    private static func addPartialResponses(_ database: Database) throws {
        try database.execute(
            sql: """
                ALTER TABLE entry ADD COLUMN extent BLOB;       -- NULL: complete; else see ExtentBlock
                ALTER TABLE entry ADD COLUMN needs_validation INTEGER NOT NULL DEFAULT 0;
                ALTER TABLE entry ADD COLUMN search_base TEXT;  -- the URI without its query, with No-Vary-Search only
                CREATE INDEX entry_search ON entry (partition, search_base) WHERE search_base IS NOT NULL;
                PRAGMA user_version = 2;
                """)
    }
}
