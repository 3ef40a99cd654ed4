import Foundation
import GRDB
import HTTPCacheSemantics

extension DiskResponseStore {
    /// A write that is finished although the task is cancelled: a client that leaves must not keep an invalidation, or
    /// the removal of a file, from happening.
    func write<Result: Sendable>(
        _ updates: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        let pool = pool
        return try await Task { try await pool.write(updates) }.value
    }

    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse
    ) async throws -> StoredEntry {
        guard let body = body as? PendingDiskBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        let finished = try await Self.finish(body)
        let layout = layout
        do {
            let (id, unused) = try await write { database -> (Int64, [BodyDigest]) in
                try Self.insertBody(finished, from: body, layout: layout, in: database)
                return try Self.insertEntry(key, response, finished.digest, in: database)
            }
            forget(key)
            await unlinkBodies(unused)
            return StoredEntry(
                id: .init(rawValue: id), key: key, response: response, bodyDigest: finished.digest,
                bodyLength: finished.length, inlineBody: finished.inline)
        } catch {
            // The body may have been moved into the store before the transaction failed.
            if finished.inline == nil { await unlinkBodies([finished.digest]) }
            throw error as? StoreError
                ?? StoreError(code: .writeFailed, message: "A response could not be stored.", cause: error)
        }
    }

    public func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry? {
        do {
            let inserted = try await write { database -> (Int64, [BodyDigest])? in
                let isThere = try Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE id = ?)", arguments: [entry.id.rawValue])
                guard isThere == true else { return nil }
                return try Self.insertEntry(entry.key, response, entry.bodyDigest, in: database)
            }
            guard let (id, unused) = inserted else { return nil }
            forget(entry.key)
            await unlinkBodies(unused)
            var copy = entry
            (copy.id, copy.response) = (.init(rawValue: id), response)
            return copy
        } catch {
            throw StoreError(code: .writeFailed, message: "A response could not be stored.", cause: error)
        }
    }

    /// Inserts or replaces the row of one variant; returns its identity and the bodies that nothing names any more.
    private static func insertEntry(
        _ key: CacheKey, _ response: StoredResponse, _ digest: BodyDigest, in database: Database
    ) throws -> (Int64, [BodyDigest]) {
        let nominated = Data(EntryRow.nominatedBlock(response.nominatedFields))
        let replaced = try Data.fetchAll(
            database, sql: "SELECT digest FROM entry WHERE partition = ? AND uri = ? AND nominated = ?",
            arguments: [key.partition, key.uri, nominated])
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO entry
                  (partition, uri, nominated, status, fields, request_time, response_time, digest, extent,
                   needs_validation, search_base)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                key.partition, key.uri, nominated, response.status.code, Data(FieldBlock.write(response.fields)),
                EntryRow.milliseconds(response.requestTime), EntryRow.milliseconds(response.responseTime),
                Data(digest.bytes), ExtentBlock.write(response.extent).map { Data($0) }, response.needsValidation,
                EntryRow.searchBase(key, response),
            ])
        let id = database.lastInsertedRowID
        return (id, try removeUnusedBodies(replaced, in: database))
    }

    /// Synchronises a large body on a thread that may wait: those that run tasks are few.
    private static func finish(_ body: PendingDiskBody) async throws -> PendingDiskBody.Finished {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(with: Result { try body.finish() })
            }
        }
    }

    private static func insertBody(
        _ finished: PendingDiskBody.Finished, from body: PendingDiskBody, layout: StoreLayout, in database: Database
    ) throws {
        let digest = Data(finished.digest.bytes)
        let path = layout.body(finished.digest)
        let isKnown =
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT 1 FROM body WHERE digest = ?)", arguments: [digest]) ?? false
        // A known body is kept, unless its file was purged or cut off meanwhile.
        if isKnown, finished.inline != nil || BodyFile.size(of: path) == finished.length.bytes { return }
        if finished.inline == nil {
            try layout.makeBodyDirectory(finished.digest)
            guard SystemCalls.rename(body.path, path) == 0 else {
                throw StoreError(
                    code: .writeFailed,
                    message: "A received body could not be moved into the store (errno \(SystemCalls.errorNumber)).")
            }
            body.markMoved()
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO body (digest, length, content) VALUES (?, ?, ?)",
            arguments: [digest, finished.length.bytes, finished.inline.map { Data($0) }])
    }

    /// Drops body rows that no entry names any more; returns those whose files can go after the commit.
    static func removeUnusedBodies(_ digests: [Data], in database: Database) throws -> [BodyDigest] {
        var unused: [BodyDigest] = []
        for digest in Set(digests) {
            try database.execute(
                sql: "DELETE FROM body WHERE digest = ?1 AND NOT EXISTS (SELECT 1 FROM entry WHERE digest = ?1)",
                arguments: [digest])
            if database.changesCount > 0, let digest = BodyDigest(digest) { unused.append(digest) }
        }
        return unused
    }

    /// Unlinks files whose rows went in a committed transaction, unless a row came back meanwhile.
    ///
    /// A write transaction of its own: no commit, in this process or another, can name the file in between. What
    /// fails here is swept later.
    func unlinkBodies(_ digests: [BodyDigest]) async {
        guard !digests.isEmpty else { return }
        let layout = layout
        try? await write { database in
            for digest in digests {
                let isUsed = try Bool.fetchOne(
                    database, sql: "SELECT EXISTS (SELECT 1 FROM body WHERE digest = ?)",
                    arguments: [Data(digest.bytes)])
                if isUsed == false { _ = SystemCalls.unlink(layout.body(digest)) }
            }
        }
    }

    public func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        do {
            let unused = try await write { database -> [BodyDigest] in
                let nominated = Data(EntryRow.nominatedBlock(response.nominatedFields))
                // A 304 may bring another Vary; the variant that has these nominated values already gives way.
                let same = " FROM entry WHERE partition = ? AND uri = ? AND nominated = ? AND id <> ?"
                let others: StatementArguments = [key.partition, key.uri, nominated, id.rawValue]
                let replaced = try Data.fetchAll(database, sql: "SELECT digest" + same, arguments: others)
                if !replaced.isEmpty { try database.execute(sql: "DELETE" + same, arguments: others) }
                try database.execute(
                    sql: """
                        UPDATE entry SET nominated = ?, fields = ?, request_time = ?, response_time = ?,
                          needs_validation = ?, search_base = ? WHERE id = ?
                        """,
                    arguments: [
                        nominated, Data(FieldBlock.write(response.fields)),
                        EntryRow.milliseconds(response.requestTime), EntryRow.milliseconds(response.responseTime),
                        response.needsValidation, EntryRow.searchBase(key, response), id.rawValue,
                    ])
                return try Self.removeUnusedBodies(replaced, in: database)
            }
            forget(key)
            await unlinkBodies(unused)
        } catch {
            throw StoreError(code: .writeFailed, message: "A validated response could not be updated.", cause: error)
        }
    }
}
