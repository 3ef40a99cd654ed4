import Foundation
import GRDBSQLite

/// SQLite without a layer: one table of URI, head and body, prepared statements, a write-ahead log.
final class RawSQLite: StorePeer {
    let name = "raw SQLite"
    let limit = 200_000
    private var connection: OpaquePointer?
    private var select: OpaquePointer?
    private var insert: OpaquePointer?
    /// Tells SQLite to copy what it is given.
    private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    init(in folder: String) throws {
        guard sqlite3_open(folder + "/peer.sqlite", &connection) == SQLITE_OK else { throw error("open") }
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
        // Enough that the table's inner pages stay.
        try run("PRAGMA cache_size = -16384")
        try run("CREATE TABLE response (uri TEXT PRIMARY KEY, head BLOB NOT NULL, body BLOB NOT NULL)")
        guard
            sqlite3_prepare_v2(connection, "SELECT head, body FROM response WHERE uri = ?", -1, &select, nil)
                == SQLITE_OK,
            sqlite3_prepare_v2(connection, "INSERT OR REPLACE INTO response VALUES (?, ?, ?)", -1, &insert, nil)
                == SQLITE_OK
        else { throw error("prepare") }
    }

    deinit {
        sqlite3_finalize(select)
        sqlite3_finalize(insert)
        sqlite3_close(connection)
    }

    func fill(_ numbers: Range<Int>) throws {
        try run("PRAGMA synchronous = OFF")
        try run("BEGIN")
        for number in numbers { try put(BenchResponses.uri(number), BenchResponses.body(number)) }
        try run("COMMIT")
        try run("PRAGMA synchronous = FULL")
    }

    func read(_ number: Int) throws -> Int? {
        defer { sqlite3_reset(select) }
        sqlite3_bind_text(select, 1, BenchResponses.uri(number), -1, transient)
        guard sqlite3_step(select) == SQLITE_ROW else { return nil }
        return bytes(of: 0).count + bytes(of: 1).count
    }

    private func bytes(of column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(select, column) else { return [] }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(select, column))))
    }

    /// In transactions of 64, as many as the other benchmark has at once.
    func store(_ lengths: [Int]) throws {
        for start in stride(from: 0, to: lengths.count, by: 64) {
            try run("BEGIN IMMEDIATE")
            for number in start..<min(lengths.count, start + 64) {
                try put("new \(number)", BenchResponses.body(number, lengths[number]))
            }
            try run("COMMIT")
        }
    }

    private func put(_ uri: String, _ body: [UInt8]) throws {
        defer { sqlite3_reset(insert) }
        sqlite3_bind_text(insert, 1, uri, -1, transient)
        sqlite3_bind_blob(insert, 2, BenchResponses.head, Int32(BenchResponses.head.count), transient)
        sqlite3_bind_blob(insert, 3, body, Int32(body.count), transient)
        guard sqlite3_step(insert) == SQLITE_DONE else { throw error("insert") }
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error(sql) }
    }

    private func error(_ call: String) -> PeerError {
        PeerError(description: "SQLite, \(call): \(String(cString: sqlite3_errmsg(connection)))")
    }
}
