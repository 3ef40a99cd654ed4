import Foundation
import GRDB
import HTTPCacheSemantics

/// Invalidation, removal, and the dropping of what is damaged.
extension DiskResponseStore {
    @discardableResult
    public func removeEntries(for key: CacheKey) async throws -> Int {
        do {
            let (count, unused) = try await removeRows(where: "partition = ? AND uri = ?", [key.partition, key.uri])
            forget(key)
            await unlinkBodies(unused)
            return count
        } catch {
            throw StoreError(code: .writeFailed, message: "Stored responses could not be removed.", cause: error)
        }
    }

    @discardableResult
    public func removeEntries(origin: String, partition: String) async throws -> Int {
        do {
            // All that begins with the origin and a slash: "0" comes after "/".
            let (count, unused) = try await removeRows(
                where: "partition = ? AND uri >= ? AND uri < ?", [partition, origin + "/", origin + "0"])
            forgetAll()
            await unlinkBodies(unused)
            return count
        } catch {
            throw StoreError(code: .writeFailed, message: "Stored responses could not be removed.", cause: error)
        }
    }

    private func removeRows(
        where condition: String, _ arguments: StatementArguments
    ) async throws -> (Int, [BodyDigest]) {
        try await write { database in
            let digests = try Data.fetchAll(
                database, sql: "SELECT digest FROM entry WHERE \(condition)", arguments: arguments)
            try database.execute(sql: "DELETE FROM entry WHERE \(condition)", arguments: arguments)
            return (digests.count, try Self.removeUnusedBodies(digests, in: database))
        }
    }

    /// Drops rows that can't be understood. What fails here is tried again at the next look-up.
    func dropRows(_ ids: [Int64]) async {
        let unused = try? await write { database -> [BodyDigest] in
            var digests: [Data] = []
            for id in ids {
                digests += try Data.fetchAll(database, sql: "SELECT digest FROM entry WHERE id = ?", arguments: [id])
                try database.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
            }
            return try Self.removeUnusedBodies(digests, in: database)
        }
        await unlinkBodies(unused ?? [])
    }

    /// Drops every entry with the body of this one, and the body, unless the body turns out to be whole.
    ///
    /// By digest, not by key: the key may hold other variants, or a response that replaced this one meanwhile.
    func dropDamaged(_ entry: StoredEntry) async throws {
        let layout = layout
        do {
            let keys = try await write { database -> [CacheKey] in
                let path = layout.body(entry.bodyDigest)
                if entry.inlineBody == nil, BodyFile.size(of: path) == entry.bodyLength.bytes { return [] }
                let digest = Data(entry.bodyDigest.bytes)
                let keys = try Row.fetchAll(
                    database, sql: "SELECT DISTINCT partition, uri FROM entry WHERE digest = ?", arguments: [digest])
                try database.execute(sql: "DELETE FROM entry WHERE digest = ?", arguments: [digest])
                try database.execute(sql: "DELETE FROM body WHERE digest = ?", arguments: [digest])
                _ = SystemCalls.unlink(path)
                return keys.compactMap { row in
                    guard let partition = String.fromDatabaseValue(row[0]), let uri = String.fromDatabaseValue(row[1])
                    else { return nil }
                    return CacheKey(partition: partition, uri: uri)
                }
            }
            for key in keys { forget(key) }
        } catch {
            throw StoreError(code: .writeFailed, message: "A damaged response could not be dropped.", cause: error)
        }
    }

    /// Removes body files that no entry names: what a crash between a rename and its commit left behind.
    ///
    /// Reads every file name once; meant for an idle moment after opening. Returns how many files went.
    @discardableResult
    public func removeOrphans() async throws -> Int {
        let files = layout.bodyFiles()
        guard !files.isEmpty else { return 0 }
        return try await write { database in
            let known = Set(
                try Data.fetchAll(database, sql: "SELECT digest FROM body WHERE content IS NULL")
                    .compactMap { BodyDigest($0)?.description })
            let orphans = files.filter { !known.contains($0.digest) }
            for orphan in orphans { _ = SystemCalls.unlink(orphan.path) }
            return orphans.count
        }
    }
}
