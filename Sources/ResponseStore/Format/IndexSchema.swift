import GRDB

/// The index on disk, format 1: a SQLite database `index.sqlite` in WAL mode.
///
///     <store>/                mode 0700
///     ├─ index.sqlite         the truth about what is stored
///     ├─ bodies/ab/cdef…      bodies over 16 KiB, named by their SHA-256 (2 + 62 hex digits)
///     └─ incoming/PID.N       bodies being received; swept when the store is opened
///
/// `PRAGMA application_id` is 0x4C415244 ("LARD"), `PRAGMA user_version` the format's number. A higher number than
/// this code knows is refused and nothing is touched; raising it makes every older version refuse the store.
///
/// A body reaches `bodies/` by rename before the transaction that names it commits; after a crash in between the file
/// belongs to no row, and the next sweep removes it. A row whose file is gone is dropped when it is read.
enum IndexSchema {
    static let applicationID = 0x4C41_5244
    static let version = 1

    static func create(_ database: Database) throws {
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
                PRAGMA user_version = \(version);
                """)
    }
}
