import Foundation
import GRDB
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.

/// The changes of one transaction of the writer; lives as long as the transaction.
final class WriteContext {
    let database: Database
    let layout: StoreLayout
    let log: ChangeLog
    /// The name of the store that writes.
    let writer: String
    /// The wall clock.
    let now: () -> WallInstant
    /// The changes of this transaction so far; restored if a change is rolled back.
    var changes = Changes()
    /// Whether a file has got its name in this transaction.
    private var hasNamedFiles = false

    struct Changes {
        /// The names of the files that are not used any more.
        var released: Set<BodyDigest> = []
        /// The keys whose entries have changed; `nil` for too many to list.
        var keys: Set<CacheKey>? = []
        /// The new entries, which are not evicted for others.
        var entries: Set<Int64> = []
        /// New entries that are the only ones of their keys.
        var fresh: [CacheKey: StoredEntry] = [:]
        /// The quota scopes that grew, with their partitions.
        var scopes: [Int64: String] = [:]
        /// The totals of the store; `nil` until they are read.
        var totals: StoreTotals?
        /// The bytes of new heads, and of new bodies in rows.
        var addedBytes = 0
    }

    init(
        _ database: Database, _ layout: StoreLayout, _ log: ChangeLog, writer: String,
        now: @escaping () -> WallInstant
    ) {
        (self.database, self.layout, self.log) = (database, layout, log)
        (self.writer, self.now) = (writer, now)
    }

    var fileSystem: any FileSystem { layout.fileSystem }

    func changed(_ key: CacheKey) {
        changes.keys?.insert(key)
        changes.fresh[key] = nil
    }

    func changedMany() { changes.keys = nil }

    // MARK: Bodies

    /// The body in the index with the digest and the content of this one.
    func storedBody(_ body: BodyDescription) throws -> (id: Int64, body: BodyDescription)? {
        var found: (id: Int64, body: BodyDescription?)?
        try EntryRow.forEach(
            "SELECT id, \(EntryRow.bodyColumns) FROM body WHERE digest = ?", [Data(body.digest.bytes)], in: database
        ) { row in
            found = row.number(0).map { ($0, EntryRow.body(row, from: 1)) }
        }
        guard let found else { return nil }
        if let known = found.body, known.length == body.length, known.checksums == body.checksums {
            return (found.id, known)
        }
        // Its row has come to harm.
        try delete(where: "body = ?", [found.id])
        try deleteUnusedBodies()
        try recount()
        return nil
    }

    /// - Parameter bytes: The content of a body that is no file.
    func insertBody(_ body: BodyDescription, _ bytes: [UInt8]?) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO body (digest, length, checksums, file, writer, bytes) VALUES (?, ?, ?, ?, ?, ?)")
        try statement.execute(arguments: [
            Data(body.digest.bytes), body.length.bytes, Data(body.checksumBlock),
            body.isInRow ? nil : Data(body.fileName.bytes), body.isGrowing ? writer : nil,
            body.isInRow ? Data(bytes ?? []) : nil,
        ])
        changes.totals = try totals().adding(body.length.bytes)
        changes.addedBytes += bytes?.count ?? 0
        return database.lastInsertedRowID
    }

    /// Moves a received file to its name, unless that file exists with the same length.
    private func place(_ pending: PendingDiskBody, _ body: BodyDescription, isKnown: Bool) throws {
        let path = layout.body(body.fileName)
        if isKnown || pending.wasMoved, BodyFiles.size(of: path, fileSystem) == body.length.bytes {
            // A transaction that was rolled back has moved it, and did not wait for its name.
            hasNamedFiles = hasNamedFiles || pending.wasMoved
            return
        }
        // The system may have removed the directory.
        try fileSystem.makeDirectory(layout.bodies)
        try fileSystem.rename(pending.path, to: path)
        pending.markMoved()
        hasNamedFiles = true
    }

    /// Waits until the names of new files are on the disk.
    func synchronizeNames() throws {
        if hasNamedFiles { try fileSystem.synchronizeDirectory(layout.bodies) }
    }

    // MARK: Entries

    /// Stores a response with its body; it replaces the existing variant.
    ///
    /// - Returns: `nil` if the response is outdated, by the changes since the mark.
    func put(
        _ finished: PendingDiskBody.Finished, from pending: PendingDiskBody, key: CacheKey, response: StoredResponse,
        since mark: StoreMark?
    ) throws -> StoredEntry? {
        guard let response = try ordered(response, finished.body.digest, key, since: mark) else { return nil }
        let known = try storedBody(finished.body)
        let body = known?.body ?? finished.body
        if !body.isInRow { try place(pending, body, isKnown: known != nil) }
        if let known, let bytes = finished.bytes {
            // They are the same, unless they have come to harm.
            try database.cachedStatement(sql: "UPDATE body SET bytes = ?1 WHERE id = ?2 AND bytes IS NOT ?1")
                .execute(arguments: [Data(bytes), known.id])
        }
        let row = try known?.id ?? insertBody(body, finished.bytes)
        let (id, count) = try insert(EntryHead(key: key, response: response, body: body), body: row)
        let entry = StoredEntry(
            id: .init(rawValue: id), key: key, response: response, body: body, inlineBody: finished.bytes)
        if count == 1 { changes.fresh[key] = entry }
        return entry
    }

    /// Adds a variant with the content of an entry; `nil` if that is gone, or if a newer response is stored.
    func copy(_ entry: StoredEntry, response: StoredResponse, since mark: StoreMark?) throws -> StoredEntry? {
        guard let (row, body) = try bodyOfEntry(entry.id, entry.key) else { return nil }
        var response = response
        if mark != nil {
            guard let ordered = try ordered(response, body.digest, entry.key, since: mark) else { return nil }
            response = ordered
        }
        let (id, _) = try insert(EntryHead(key: entry.key, response: response, body: body), body: row)
        var copy = entry
        (copy.id, copy.response) = (.init(rawValue: id), response)
        return copy
    }

    /// Stores the content of entries under other keys, and deletes the entries.
    func move(_ moves: [StoredMove]) throws -> StoredMove.Outcome {
        let ready = try moves.map { move -> (row: Int64, body: BodyDescription, response: StoredResponse)? in
            guard let (row, body) = try bodyOfEntry(move.entry.id, move.entry.key),
                let response = try ordered(move.response, body.digest, move.key, since: move.mark)
            else { return nil }
            return (row, body, response)
        }
        let missing = moves.indices.filter { ready[$0] == nil && !moves[$0].isOptional }
        guard missing.isEmpty else { return .unchanged(missing) }
        var first: Int64?
        return .moved(
            try zip(moves, ready).map { move, ready -> StoredEntry? in
                guard let (row, body, response) = ready else { return nil }
                let (id, _) = try insert(EntryHead(key: move.key, response: response, body: body), body: row)
                first = first ?? id
                try delete(where: "id = ?", [move.entry.id.rawValue])
                if move.isOnly {
                    // Later entries have greater ids.
                    try delete(
                        where: "partition = ? AND uri = ? AND id < ?",
                        [move.key.storedPartition.indexed, move.key.uri.indexed, first ?? id])
                }
                return StoredEntry(
                    id: .init(rawValue: id), key: move.key, response: response, body: body,
                    inlineBody: move.entry.inlineBody)
            })
    }

    /// Gives an entry another head; it replaces the variant with the same nominated values.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) throws {
        guard let (row, body) = try bodyOfEntry(id, key) else { return }
        let updated = try delete(where: "id = ?", [id.rawValue], keepingBody: row)
        try insert(
            EntryHead(key: key, response: response, body: body), body: row, as: id.rawValue, inPlaceOf: updated)
        if response.needsValidation { log.note(.refused, key) }
    }

    /// - Returns: `nil` if the entry is gone, or its row leads to a body that is not its own: another head would make
    ///   that one its own. The next look-up drops such an entry.
    private func bodyOfEntry(_ id: StoredEntry.ID, _ key: CacheKey) throws -> (Int64, BodyDescription)? {
        var found: (Int64, BodyDescription)?
        try EntryRow.forEach(
            """
            SELECT body.id, entry.head, \(EntryRow.bodyColumns)
              FROM entry JOIN body ON body.id = entry.body WHERE entry.id = ?
            """, [id.rawValue], in: database
        ) { row in
            if let id = row.number(0), let head = row.bytes(1, { EntryHead(stored: $0) }),
                let body = EntryRow.body(row, from: 2), head.key == key, head.describes(body)
            {
                found = (id, body)
            }
        }
        return found
    }

    /// Adds an entry, which replaces the variant with the same nominated values.
    ///
    /// - Parameters:
    ///   - id: The identity of an entry that was deleted for this; a new one by default.
    ///   - updated: The entries that were deleted for this.
    /// - Returns: Its identity, and how many entries the key has afterwards.
    @discardableResult
    func insert(
        _ head: EntryHead, body: Int64, as id: Int64? = nil, inPlaceOf updated: Deletion = Deletion()
    ) throws -> (id: Int64, count: Int) {
        let bytes = head.stored
        guard bytes.count <= EntryHead.limit else {
            throw StoreError(code: .writeFailed, message: "The fields of '\(head.key)' are too long to be stored.")
        }
        let nominated = Data(EntryRow.nominatedBlock(head.response.nominatedFields))
        var replaced = try delete(
            where: "partition = ? AND uri = ? AND nominated = ?",
            [head.key.storedPartition.indexed, head.key.uri.indexed, nominated],
            keepingBody: body)
        replaced.add(updated)
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO entry (id, partition, uri, nominated, response_time, body, search_base, type, head)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            id, head.key.storedPartition.indexed, head.key.uri.indexed, nominated,
            EntryRow.milliseconds(head.response.responseTime), body,
            EntryRow.searchBase(head.key, head.response)?.indexed, head.response.fields.mediaType ?? "",
            Data(bytes),
        ])
        let entry = database.lastInsertedRowID
        if !head.response.tags.isEmpty {
            let tag = try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag (entry, name) VALUES (?, ?)")
            for name in head.response.tags { try tag.execute(arguments: [entry, name.indexed]) }
        }
        changed(head.key)
        changes.entries.insert(entry)
        changes.addedBytes += bytes.count
        changes.totals = try totals().adding(Int64(bytes.count))
        try enroll(entry, head, length: Int64(bytes.count), inPlaceOf: replaced)
        log.note(.stored, head.key)
        return (entry, try limitVariants(of: entry, head))
    }

    // MARK: Removing

    /// The deleted entries.
    struct Deletion {
        var count = 0
        /// The greatest number of uses of one entry.
        var uses = 0

        mutating func add(_ other: Deletion) {
            count += other.count
            uses = max(uses, other.uses)
        }
    }

    /// Deletes entries, and the bodies that no entry uses any more.
    ///
    /// - Parameters:
    ///   - keepingBody: A body that this transaction will use again.
    ///   - event: Why they go, where nothing takes their place.
    @discardableResult
    func delete(
        where condition: String, _ arguments: StatementArguments, keepingBody: Int64? = nil,
        because event: PastEvent? = nil
    ) throws -> Deletion {
        var deletion = Deletion()
        let select = try database.cachedStatement(
            sql: "SELECT id, length(head), body, partition, uri FROM entry WHERE \(condition)")
        let rows = try Row.fetchAll(select, arguments: arguments)
        guard !rows.isEmpty else { return deletion }
        let delete = try database.cachedStatement(sql: "DELETE FROM entry WHERE id = ?")
        for row in rows {
            try delete.execute(arguments: [row.number(0)])
            deletion.add(try dismiss(row.number(0)))
            changes.totals = try totals().adding(-row.number(1))
            if let partition = String.fromDatabaseValue(row[3]), let uri = String.fromDatabaseValue(row[4]),
                let key = StoredPartition.key(partition, uri: uri)
            {
                changed(key)
                if let event { try note(event, key) }
            }
        }
        for body in Set(rows.map { $0.number(2) }) where body != keepingBody {
            try deleteUnusedBodies(
                where: "id = ? AND NOT EXISTS (SELECT 1 FROM entry WHERE entry.body = body.id)", [body])
        }
        return deletion
    }

    /// Deletes bodies that no entry uses.
    func deleteUnusedBodies(
        where condition: String = "id NOT IN (SELECT body FROM entry)", _ arguments: StatementArguments = []
    ) throws {
        let delete = try database.cachedStatement(sql: "DELETE FROM body WHERE \(condition) RETURNING length, file")
        for row in try Row.fetchAll(delete, arguments: arguments) {
            changes.totals = try totals().adding(-row.number(0))
            if let name = BodyDigest(row.data(1)) { changes.released.insert(name) }
        }
    }
}
