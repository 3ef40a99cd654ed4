import GRDB
import GRDBSQLite
import HTTPCacheSemantics
import HTTPTypes

/// A stored response and its content in the index: one row of `entry` joined with its `body`.
enum EntryRow {
    private static let columns = "entry.id, entry.head, \(bodyColumns), body.bytes"
    private static let source = "FROM entry JOIN body ON body.id = entry.body"
    private static let select = "SELECT \(columns) \(source)"
    /// The columns of ``body(_:from:)``.
    static let bodyColumns = "body.digest, body.length, body.checksums, body.file, body.writer"
    static let ofKey = select + " WHERE partition = ? AND uri = ?"
    static let ofVariant = ofKey + " AND nominated = ?"
    static let ofSearchBase = select + " WHERE partition = ? AND search_base = ?"
    static let ofID = select + " WHERE entry.id = ?"
    /// Some entries after one, and in the last columns their keys.
    static let portion = """
        SELECT \(columns), partition, uri \(source) WHERE entry.id > ? ORDER BY entry.id LIMIT 100
        """

    /// Reads entries with their content, and compares both with their checksums.
    ///
    /// - Parameter isMeant: Whether an entry belongs to what was asked for: a damaged index may lead elsewhere.
    /// - Returns: The entries, and the rows that are none.
    static func fetch(
        _ query: String, _ arguments: StatementArguments, in database: Database,
        where isMeant: (CacheKey) -> Bool = { _ in true }
    ) throws -> (entries: [StoredEntry], damaged: [Int64]) {
        var (entries, damaged): ([StoredEntry], [Int64]) = ([], [])
        try forEach(query, arguments, in: database) { row in
            if let entry = entry(row), isMeant(entry.key) {
                entries.append(entry)
            } else {
                damaged.append(row.number(0) ?? 0)
            }
        }
        return (entries, damaged)
    }

    /// Steps through rows in place: GRDB's own rows copy every value, and name every column again.
    static func forEach(
        _ query: String, _ arguments: StatementArguments, in database: Database, _ read: (RowInPlace) -> Void
    ) throws {
        let statement = try database.cachedStatement(sql: query)
        try statement.setArguments(arguments)
        let row = RowInPlace(statement: statement.sqliteStatement)
        defer { sqlite3_reset(statement.sqliteStatement) }
        while true {
            let code = sqlite3_step(statement.sqliteStatement)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else {
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: code),
                    message: String(cString: sqlite3_errmsg(database.sqliteConnection)))
            }
            read(row)
        }
    }

    /// - Returns: `nil` for a row that makes no sense, or is damaged.
    static func entry(_ row: RowInPlace) -> StoredEntry? {
        guard let id = row.number(0), let head = row.bytes(1, { EntryHead(stored: $0) }), let body = body(row, from: 2),
            head.describes(body)
        else { return nil }
        var bytes: [UInt8]?
        if body.isInRow {
            guard let found = row.bytes(7, { [UInt8]($0) }), body.matches(found) else { return nil }
            bytes = found
        }
        return StoredEntry(
            id: .init(rawValue: id), key: head.key, response: head.response, body: body, inlineBody: bytes)
    }

    /// The body that ``bodyColumns`` describe, from a column on.
    static func body(_ row: RowInPlace, from first: Int32) -> BodyDescription? {
        guard let digest = row.bytes(first, { BodyDigest($0) }), let length = row.number(first + 1),
            var body = row.bytes(
                first + 2, { BodyDescription(digest: digest, length: ByteCount(length), checksumBlock: $0) })
        else { return nil }
        body.isGrowing = !row.isNull(first + 4)
        if let name = row.bytes(first + 3, { BodyDigest($0) }), name != digest || body.isGrowing { body.ownName = name }
        return body
    }

    /// A moment in milliseconds, clamped to the range of a column: damaged data may contain any moment.
    static func milliseconds(_ instant: WallInstant) -> Int64 {
        let range = Duration.milliseconds(Int64.min)...Duration.milliseconds(Int64.max)
        let (seconds, attoseconds) = min(max(instant.sinceEpoch, range.lowerBound), range.upperBound).components
        let (thousands, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, isTooMany) = thousands.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isTooMuch || isTooMany ? (seconds < 0 ? .min : .max) : sum
    }

    static func nominatedBlock(_ nominated: NominatedFields) -> [UInt8] {
        guard !nominated.values.isEmpty else { return [] }
        // "1" before a value, "0" for a field that the request did not have.
        return FieldBlock.write(
            nominated.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.map { "1" + $0 } ?? "0") })
    }

    static func nominatedFields(_ bytes: UnsafeRawBufferPointer) -> NominatedFields? {
        guard let pairs = FieldBlock.read(bytes) else { return nil }
        var values: [String: String?] = [:]
        for pair in pairs {
            values[pair.name] = .some(pair.value.hasPrefix("1") ? String(pair.value.dropFirst()) : nil)
        }
        return NominatedFields(values: values)
    }

    /// The URI without its query, for responses that requests with another query may match; `nil` for all others.
    static func searchBase(_ key: CacheKey, _ response: StoredResponse) -> String? {
        response.fields.contains(.noVarySearch) ? key.searchBase : nil
    }
}

/// The columns of the row at which a statement stands.
///
/// SQLite can have a text in an integer column, and a damaged page may contain anything.
struct RowInPlace {
    let statement: OpaquePointer

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// - Returns: `nil` unless there is an integer.
    func number(_ column: Int32) -> Int64? {
        sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
    }

    /// A text as ``Swift/String/indexed`` stored it; empty where there is none.
    func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_blob(statement, column) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads bytes where they are.
    ///
    /// - Returns: `nil` unless there are bytes, and they can be read.
    func bytes<Result>(_ column: Int32, _ read: (UnsafeRawBufferPointer) -> Result?) -> Result? {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
        let start = sqlite3_column_blob(statement, column)
        return read(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column))))
    }
}
