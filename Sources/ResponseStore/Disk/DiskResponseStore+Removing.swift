import Foundation
import GRDB
import HTTPCacheSemantics

/// Invalidation, removal, and the dropping of what is damaged.
extension DiskResponseStore {
    @discardableResult
    package func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) async throws -> Int {
        try await remove { context in
            context.log.note(.invalidated, key)
            let count = try context.delete(
                where: """
                    \(StoredPartition.ofAccount) AND uri = ?
                    AND id NOT IN (\(kept.map { _ in "?" }.joined(separator: ", ")))
                    """,
                StoredPartition.arguments(ofAccount: key.partition) + [key.uri.indexed]
                    + StatementArguments(kept.map(\.id.rawValue)), because: .invalidated
            ).count
            for entry in kept { try context.update(entry.id, key: entry.key, response: entry.response) }
            return count
        }
    }

    @discardableResult
    package func removeEntries(origin: String, partition: String) async throws -> Int {
        try await remove { context in
            context.log.note(.invalidated, CacheKey(origin: origin, partition: partition))
            // All that begins with the origin and a slash: "0" comes after "/".
            return try context.delete(
                where: "\(StoredPartition.ofAccount) AND uri >= ? AND uri < ?",
                StoredPartition.arguments(ofAccount: partition) + [
                    (origin + "/").indexed, (origin + "0").indexed,
                ], because: .cleared
            ).count
        }
    }

    private func remove(_ work: @escaping @Sendable (WriteContext) throws -> Int) async throws -> Int {
        try await writing("Stored responses could not be removed", work)
    }

    /// Drops entries that can't be read, and what only they use. A failure here is repaired at the next look-up.
    func dropDamaged(_ ids: [Int64]) async {
        _ = try? await writes.perform { context in
            for id in ids { try context.delete(where: "id = ?", [id], because: .damaged) }
            // None of their columns can be trusted.
            try context.deleteUnusedBodies()
            try context.recount()
            context.changedMany()
        }
    }

    /// Drops every entry with the body of this one, and the body, unless the body is intact.
    ///
    /// The digest decides: the key may have other variants, or a newer response meanwhile.
    func dropDamaged(_ entry: StoredEntry) async throws {
        bodyFiles.forget(entry.bodyDigest)
        let path = layout.body(entry.fileName)
        try await writing("A damaged response could not be dropped") { context in
            let isWhole =
                entry.inlineBody == nil && entry.body.map { BodyFiles.holds($0, at: path, context.fileSystem) } == true
            if !isWhole { try context.deleteBody(entry.bodyDigest) }
        }
    }

    /// Drops a damaged body and every entry with it.
    func dropBody(_ digest: BodyDigest) async {
        _ = try? await writes.perform { try $0.deleteBody(digest) }
    }

    /// Removes files without an entry, which a crash can leave behind; a damaged index begins anew.
    ///
    /// Reads the whole index, with the small bodies, and every file name once; meant for an idle moment after opening.
    ///
    /// - Returns: How many files it removed.
    @discardableResult
    package func removeOrphans() async throws -> Int {
        let (layout, index) = (layout, index)
        if try await !reading(IndexRecovery.isSound), !index.isReadOnly { try await recover(index, after: nil) }
        return try await writing("What a crash left behind could not be removed") { context in
            let known = Set(
                try Data.fetchAll(context.database, sql: "SELECT file FROM body WHERE file IS NOT NULL")
                    .compactMap { BodyDigest($0)?.description })
            let orphans = layout.bodyFiles.filter { !known.contains($0.name) }
            for orphan in orphans { try? layout.fileSystem.unlink(orphan.path) }
            return orphans.count
        }
    }
}

extension WriteContext {
    func deleteBody(_ digest: BodyDigest) throws {
        try delete(
            where: "body = (SELECT id FROM body WHERE digest = ?)", [Data(digest.bytes)], because: .damaged)
    }

    /// Recounts the stored bytes.
    func recount() throws {
        changes.totals = StoreTotals(bytes: try StoreTotals.countedBytes(in: database), order: try totals().order)
    }
}

/// Pinned entries stay when space is needed.
extension DiskResponseStore {
    package func pin(_ keys: [CacheKey], for holder: String) async throws {
        guard !keys.isEmpty else { return }
        try await writing("Stored responses could not be pinned") { context in
            for key in keys { try context.pin(key, for: holder) }
        }
    }

    package func unpin(_ keys: [CacheKey], for holder: String) async throws {
        guard !keys.isEmpty else { return }
        try await writing("Stored responses could not be unpinned") { context in
            for key in keys { try context.unpin(key, for: holder) }
        }
    }

    package func pins(of holder: String) async throws -> Set<CacheKey> {
        try await reading { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT partition, uri FROM pin WHERE holder = ?", arguments: [holder.indexed])
            return Set(
                rows.compactMap { row in
                    guard let partition = String.fromDatabaseValue(row[0]), let uri = String.fromDatabaseValue(row[1])
                    else { return nil }
                    return StoredPartition.key(partition, uri: uri)
                })
        }
    }

    /// The names of all that keep a key.
    package func pinHolders() async throws -> [String] {
        try await reading { try String.fetchAll($0, sql: "SELECT DISTINCT holder FROM pin ORDER BY holder") }
    }

    package func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome {
        try await writing("Responses could not be put in their places") { try $0.move(moves) }
    }

    package func discard(_ entries: [StoredEntry]) async throws {
        guard !entries.isEmpty else { return }
        try await writing("Stored responses could not be removed") { context in
            for entry in entries { try context.delete(where: "id = ?", [entry.id.rawValue]) }
        }
    }
}
