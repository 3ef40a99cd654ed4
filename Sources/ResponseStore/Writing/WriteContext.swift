import Foundation
import GRDB
import HTTPCacheSemantics

/// What one transaction of the writer changes; lives as long as the transaction.
final class WriteContext {
    let database: Database
    let records: SegmentWriter
    let layout: StoreLayout
    let fileSystem: any FileSystem
    private(set) var released = ReleasedSpace()
    /// The keys whose entries are not what they were; `nil` for more than can be named.
    private(set) var keys: Set<CacheKey>? = []

    init(_ database: Database, _ records: SegmentWriter, _ layout: StoreLayout, _ fileSystem: any FileSystem) {
        (self.database, self.records, self.layout, self.fileSystem) = (database, records, layout, fileSystem)
    }

    func changed(_ key: CacheKey) { keys?.insert(key) }

    func changedMany() { keys = nil }

    // MARK: Bodies

    /// Where a body is, in the index.
    private struct StoredBody {
        var id: Int64
        var isInFile: Bool
    }

    private func storedBody(_ body: BodyDescription) throws -> StoredBody? {
        let row = try Row.fetchOne(
            database, sql: "SELECT id, segment IS NULL FROM body WHERE digest = ?",
            arguments: [Data(body.digest.bytes)])
        return row.map { StoredBody(id: $0[0], isInFile: $0[1]) }
    }

    private func insertBody(_ body: BodyDescription, at place: SegmentRange?) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "INSERT INTO body (digest, length, segment, offset, checksums) VALUES (?, ?, ?, ?, ?)")
        try statement.execute(arguments: [
            Data(body.digest.bytes), body.length.bytes, place.map { Int64($0.segment) },
            place.map { Int64($0.offset) }, Data(body.checksumBlock),
        ])
        return database.lastInsertedRowID
    }

    /// Moves a received file to its name, unless it is there already and has not been purged or cut off.
    private func place(_ pending: PendingDiskBody, _ body: BodyDescription, isKnown: Bool) throws {
        let path = layout.body(body.digest)
        if isKnown, BodyFiles.size(of: path, fileSystem) == body.length.bytes { return }
        let directory = layout.bodyDirectory(body.digest)
        try fileSystem.makeDirectory(directory)
        try fileSystem.rename(pending.path, to: path)
        pending.markMoved()
        records.synchronizeLater(directory)
        records.synchronizeLater(layout.bodies)
    }

    // MARK: Entries

    /// Stores a response with its body; the variant that is there already gives way.
    func put(
        _ finished: PendingDiskBody.Finished, from pending: PendingDiskBody, key: CacheKey, response: StoredResponse
    ) throws -> StoredEntry {
        let known = try storedBody(finished.body)
        if !finished.body.isInSegment { try place(pending, finished.body, isKnown: known != nil) }
        let bytes = known == nil ? finished.bytes ?? [] : []
        let (head, place, bodyPlace) = try records.append(body: bytes, in: database) { identity in
            EntryHead(id: identity, key: key, response: response, body: finished.body)
        }
        let body = try known?.id ?? insertBody(finished.body, at: finished.body.isInSegment ? bodyPlace : nil)
        try insert(head, at: place, body: body)
        return StoredEntry(
            id: .init(rawValue: head.id), key: key, response: response, body: finished.body,
            inlineBody: finished.bytes)
    }

    /// One more variant with the content of an entry; `nil` when that is gone.
    func copy(_ entry: StoredEntry, response: StoredResponse) throws -> StoredEntry? {
        guard let (body, description) = try bodyOfEntry(entry.id) else { return nil }
        let (head, place, _) = try records.append(in: database) { identity in
            EntryHead(id: identity, key: entry.key, response: response, body: description)
        }
        try insert(head, at: place, body: body)
        var copy = entry
        (copy.id, copy.response) = (.init(rawValue: head.id), response)
        return copy
    }

    /// Gives an entry another head; the variant that has these nominated values already gives way.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) throws {
        guard let (body, description) = try bodyOfEntry(id) else { return }
        let nominated = Data(EntryRow.nominatedBlock(response.nominatedFields))
        try delete(
            where: "id = ? OR (partition = ? AND uri = ? AND nominated = ?)",
            [id.rawValue, key.partition, key.uri, nominated], keepingBody: body)
        let (head, place, _) = try records.append(in: database) { _ in
            EntryHead(id: id.rawValue, key: key, response: response, body: description)
        }
        try insert(head, at: place, body: body)
    }

    private func bodyOfEntry(_ id: StoredEntry.ID) throws -> (Int64, BodyDescription)? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT body.id, body.digest, body.length, body.checksums FROM entry JOIN body ON body.id = entry.body
                  WHERE entry.id = ?
                """, arguments: [id.rawValue])
        guard let row, let digest = BodyDigest(row[1] as Data) else { return nil }
        let checksums = Array(row[3] as Data)
        let body = checksums.withUnsafeBytes { bytes in
            BodyDescription(digest: digest, length: ByteCount(row[2] as Int64), checksumBlock: bytes)
        }
        return body.map { (row[0], $0) }
    }

    private func insert(_ head: EntryHead, at place: SegmentRange, body: Int64) throws {
        let nominated = Data(EntryRow.nominatedBlock(head.response.nominatedFields))
        try delete(
            where: "partition = ? AND uri = ? AND nominated = ?", [head.key.partition, head.key.uri, nominated],
            keepingBody: body)
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO entry
                  (id, partition, uri, nominated, response_time, segment, offset, length, body, search_base)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            head.id, head.key.partition, head.key.uri, nominated, EntryRow.milliseconds(head.response.responseTime),
            Int64(place.segment), Int64(place.offset), Int64(place.length), body,
            EntryRow.searchBase(head.key, head.response),
        ])
        changed(head.key)
    }

    // MARK: Removing

    /// Deletes entries, and the bodies that nothing names any more.
    ///
    /// - Parameter keepingBody: A body that will be named again in this transaction.
    /// - Returns: How many entries there were.
    @discardableResult
    func delete(
        where condition: String, _ arguments: StatementArguments, keepingBody: Int64? = nil
    ) throws -> Int {
        let select = try database.cachedStatement(
            sql: "SELECT id, segment, offset, length, body, partition, uri FROM entry WHERE \(condition)")
        let rows = try Row.fetchAll(select, arguments: arguments)
        guard !rows.isEmpty else { return 0 }
        let delete = try database.cachedStatement(sql: "DELETE FROM entry WHERE id = ?")
        for row in rows {
            try delete.execute(arguments: [row[0] as Int64])
            released.add(segment: row[1], offset: row[2], length: row[3])
            if let partition = String.fromDatabaseValue(row[5]), let uri = String.fromDatabaseValue(row[6]) {
                changed(CacheKey(partition: partition, uri: uri))
            }
        }
        for body in Set(rows.map { $0[4] as Int64 }) where body != keepingBody { try deleteUnusedBody(body) }
        return rows.count
    }

    private func deleteUnusedBody(_ id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT segment, offset, length, digest FROM body
                  WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM entry WHERE body = ?1)
                """)
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return }
        try database.execute(sql: "DELETE FROM body WHERE id = ?", arguments: [id])
        if let segment = Int64.fromDatabaseValue(row[0]) {
            released.add(segment: segment, offset: row[1], length: row[2])
        } else if let digest = BodyDigest(row[3] as Data) {
            released.files.insert(digest)
        }
    }
}
