import Foundation
import GRDB
import HTTPCacheSemantics
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.

/// The changes of one transaction of the writer; lives as long as the transaction.
final class WriteContext {
    let database: Database
    let records: SegmentWriter
    let segments: SegmentFiles
    let log: ChangeLog
    let layout: StoreLayout
    let fileSystem: any FileSystem
    /// The changes of this transaction so far; restored if a change is rolled back.
    var changes = Changes()

    struct Changes {
        var released = ReleasedSpace()
        /// The keys whose entries have changed; `nil` for too many to list.
        var keys: Set<CacheKey>? = []
        /// The new entries, which are not evicted for others.
        var entries: Set<Int64> = []
        /// The responses of entries whose heads are not written yet.
        var heads: [Int64: StoredResponse] = [:]
        /// New entries that are the only ones of their keys.
        var fresh: [CacheKey: StoredEntry] = [:]
        /// The quota scopes that grew, with their partitions.
        var scopes: [Int64: String] = [:]
        /// The totals of the store; `nil` until they are read.
        var totals: StoreTotals?
    }

    init(_ database: Database, _ records: SegmentWriter, _ segments: SegmentFiles, _ log: ChangeLog) {
        (self.database, self.records, self.segments, self.log) = (database, records, segments, log)
        (layout, fileSystem) = (segments.layout, segments.fileSystem)
    }

    func changed(_ key: CacheKey) {
        changes.keys?.insert(key)
        changes.fresh[key] = nil
    }

    func changedMany() { changes.keys = nil }

    // MARK: Bodies

    /// A body in the index.
    struct StoredBody {
        var id: Int64
        /// `nil` for a body in a file.
        var place: SegmentRange?
    }

    func storedBody(_ body: BodyDescription) throws -> StoredBody? {
        let row = try Row.fetchOne(
            database, sql: "SELECT id, segment, offset, length FROM body WHERE digest = ?",
            arguments: [Data(body.digest.bytes)])
        return row.map { row in
            let place = Int64.fromDatabaseValue(row[1]).flatMap {
                SegmentRange(exactly: $0, row.number(2), row.number(3))
            }
            return StoredBody(id: row.number(0), place: place)
        }
    }

    /// - Parameter writer: The store that may add parts to a growing body; this one by default.
    func insertBody(_ body: BodyDescription, at place: SegmentRange?, writer: String? = nil) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO body (digest, length, segment, offset, checksums, file, writer) VALUES (?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            Data(body.digest.bytes), body.length.bytes, place.map { Int64($0.segment) },
            place.map { Int64($0.offset) }, Data(body.checksumBlock),
            body.isInSegment ? nil : Data(body.fileName.bytes), body.isGrowing ? writer ?? records.writer : nil,
        ])
        changes.totals = try totals().adding(body.length.bytes)
        return database.lastInsertedRowID
    }

    /// Moves a received file to its name, unless that file exists with the same length.
    private func place(_ pending: PendingDiskBody, _ body: BodyDescription, isKnown: Bool) throws {
        let path = layout.body(body.fileName)
        // A transaction that was rolled back may have moved it.
        if isKnown || pending.wasMoved, BodyFiles.size(of: path, fileSystem) == body.length.bytes { return }
        // The system may have removed the directory.
        try fileSystem.makeDirectory(layout.bodies)
        try fileSystem.rename(pending.path, to: path)
        pending.markMoved()
        records.synchronizeLater(layout.bodies)
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
        if !finished.body.isInSegment { try place(pending, finished.body, isKnown: known != nil) }
        let bytes = known == nil ? finished.bytes ?? [] : []
        let (head, place, bodyPlace) = try records.append(body: bytes) { identity in
            EntryHead(id: identity, key: key, response: response, body: finished.body, bodyPlace: known?.place)
        }
        let body = try known?.id ?? insertBody(finished.body, at: finished.body.isInSegment ? bodyPlace : nil)
        changes.entries.insert(head.id)
        let count = try insert(head, at: place, body: body)
        log.note(.stored, key)
        let entry = StoredEntry(
            id: .init(rawValue: head.id), key: key, response: response, body: finished.body,
            inlineBody: finished.bytes)
        if count == 1 { changes.fresh[key] = entry }
        return entry
    }

    /// Adds a variant with the content of an entry; `nil` if that is gone, or if a newer response is stored.
    func copy(_ entry: StoredEntry, response: StoredResponse, since mark: StoreMark?) throws -> StoredEntry? {
        guard let (body, description, bodyPlace) = try bodyOfEntry(entry.id) else { return nil }
        var response = response
        if mark != nil {
            guard let ordered = try ordered(response, description.digest, entry.key, since: mark) else { return nil }
            response = ordered
        }
        let (head, place, _) = try records.append { identity in
            EntryHead(id: identity, key: entry.key, response: response, body: description, bodyPlace: bodyPlace)
        }
        try insert(head, at: place, body: body)
        log.note(.stored, entry.key)
        var copy = entry
        (copy.id, copy.response) = (.init(rawValue: head.id), response)
        return copy
    }

    /// Stores the content of an entry under another key, and deletes the entry; `nil` if its content is gone, or if a
    /// newer response is stored.
    func move(
        _ entry: StoredEntry, to key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) throws -> StoredEntry? {
        guard let (body, description, bodyPlace) = try bodyOfEntry(entry.id),
            let response = try ordered(response, description.digest, key, since: mark)
        else { return nil }
        let (head, place, _) = try records.append { identity in
            EntryHead(id: identity, key: key, response: response, body: description, bodyPlace: bodyPlace)
        }
        changes.entries.insert(head.id)
        try insert(head, at: place, body: body)
        try delete(where: "id = ?", [entry.id.rawValue])
        log.note(.stored, key)
        return StoredEntry(
            id: .init(rawValue: head.id), key: key, response: response, body: description,
            inlineBody: entry.inlineBody)
    }

    /// Gives an entry another head; it replaces the variant with the same nominated values.
    func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) throws {
        guard let (body, description, bodyPlace) = try bodyOfEntry(id) else { return }
        let nominated = Data(EntryRow.nominatedBlock(response.nominatedFields))
        let replaced = try delete(
            where: "id = ? OR (partition = ? AND uri = ? AND nominated = ?)",
            [id.rawValue, key.storedPartition.indexed, key.uri.indexed, nominated], keepingBody: body)
        let (head, place, _) = try records.append { _ in
            EntryHead(id: id.rawValue, key: key, response: response, body: description, bodyPlace: bodyPlace)
        }
        try insert(head, at: place, body: body, inPlaceOf: replaced)
        log.note(.stored, key)
        if response.needsValidation { log.note(.refused, key) }
    }

    private func bodyOfEntry(_ id: StoredEntry.ID) throws -> (Int64, BodyDescription, SegmentRange?)? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT body.id, body.digest, body.length, body.checksums, body.segment, body.offset, body.file, body.writer
                  FROM entry JOIN body ON body.id = entry.body WHERE entry.id = ?
                """, arguments: [id.rawValue])
        guard let row, let digest = BodyDigest(row.data(1)) else { return nil }
        let checksums = Array(row.data(3))
        var body = checksums.withUnsafeBytes { bytes in
            BodyDescription(digest: digest, length: ByteCount(row.number(2)), checksumBlock: bytes)
        }
        body?.isGrowing = !(row[7] as DatabaseValue).isNull
        if let name = BodyDigest(row.data(6)), name != digest || body?.isGrowing == true { body?.ownName = name }
        let place = Int64.fromDatabaseValue(row[4]).flatMap { SegmentRange(exactly: $0, row.number(5), row.number(2)) }
        return body.map { (row.number(0), $0, place) }
    }

    /// - Returns: How many entries the key has afterwards.
    @discardableResult
    func insert(
        _ head: EntryHead, at place: SegmentRange, body: Int64, inPlaceOf updated: Deletion = Deletion()
    ) throws -> Int {
        let nominated = Data(EntryRow.nominatedBlock(head.response.nominatedFields))
        var replaced = try delete(
            where: "partition = ? AND uri = ? AND nominated = ?",
            [head.key.storedPartition.indexed, head.key.uri.indexed, nominated],
            keepingBody: body)
        replaced.add(updated)
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO entry
                  (id, partition, uri, nominated, response_time, segment, offset, length, body, search_base, type)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            head.id, head.key.storedPartition.indexed, head.key.uri.indexed, nominated,
            EntryRow.milliseconds(head.response.responseTime),
            Int64(place.segment), Int64(place.offset), Int64(place.length), body,
            EntryRow.searchBase(head.key, head.response)?.indexed, EntryRow.contentType(head.response) ?? "",
        ])
        if !head.response.tags.isEmpty {
            let tag = try database.cachedStatement(sql: "INSERT OR IGNORE INTO tag (entry, name) VALUES (?, ?)")
            for name in head.response.tags { try tag.execute(arguments: [head.id, name.indexed]) }
        }
        changed(head.key)
        changes.totals = try totals().adding(Int64(place.length))
        try enroll(head, record: Int64(place.length), inPlaceOf: replaced)
        changes.heads[head.id] = head.response
        return try limitVariants(of: head)
    }

    // MARK: Removing

    /// The deleted entries.
    struct Deletion {
        var count = 0
        /// The greatest number of uses of one entry, and the pins of all.
        var uses = 0
        var pins = 0

        mutating func add(_ other: Deletion) {
            count += other.count
            uses = max(uses, other.uses)
            pins += other.pins
        }
    }

    /// Deletes entries, and the bodies that no entry uses any more.
    ///
    /// - Parameter keepingBody: A body that this transaction will use again.
    @discardableResult
    func delete(
        where condition: String, _ arguments: StatementArguments, keepingBody: Int64? = nil
    ) throws -> Deletion {
        var deletion = Deletion()
        let select = try database.cachedStatement(
            sql: "SELECT id, segment, offset, length, body, partition, uri FROM entry WHERE \(condition)")
        let rows = try Row.fetchAll(select, arguments: arguments)
        guard !rows.isEmpty else { return deletion }
        let delete = try database.cachedStatement(sql: "DELETE FROM entry WHERE id = ?")
        for row in rows {
            try delete.execute(arguments: [row.number(0)])
            deletion.add(try dismiss(row.number(0)))
            changes.released.add(segment: row.number(1), offset: row.number(2), length: row.number(3))
            changes.totals = try totals().adding(-row.number(3))
            if let partition = String.fromDatabaseValue(row[5]), let uri = String.fromDatabaseValue(row[6]),
                let key = StoredPartition.key(partition, uri: uri)
            {
                changed(key)
            }
        }
        for body in Set(rows.map { $0.number(4) }) where body != keepingBody { try deleteUnusedBody(body) }
        return deletion
    }

    private func deleteUnusedBody(_ id: Int64) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT segment, offset, length, file FROM body
                  WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM entry WHERE body = ?1)
                """)
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return }
        try database.execute(sql: "DELETE FROM body WHERE id = ?", arguments: [id])
        changes.totals = try totals().adding(-(row.number(2)))
        if let segment = Int64.fromDatabaseValue(row[0]) {
            changes.released.add(segment: segment, offset: row.number(1), length: row.number(2))
        } else if let name = BodyDigest(row.data(3)) {
            changes.released.files.insert(name)
        }
    }
}
