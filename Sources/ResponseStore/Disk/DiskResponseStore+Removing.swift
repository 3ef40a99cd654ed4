import Foundation
import GRDB
import HTTPCacheSemantics

/// Invalidation, removal, and the dropping of what is damaged.
extension DiskResponseStore {
    @discardableResult
    package func removeEntries(for key: CacheKey) async throws -> Int {
        try await remove { context in
            context.log.note(.invalidated, key)
            return try context.delete(
                where: "\(StoredPartition.ofAccount) AND uri = ?",
                StoredPartition.arguments(ofAccount: key.partition) + [key.uri.indexed]
            ).count
        }
    }

    @discardableResult
    package func removeEntries(origin: String, partition: String) async throws -> Int {
        try await remove { context in
            context.log.forgetAll()
            // All that begins with the origin and a slash: "0" comes after "/".
            return try context.delete(
                where: "\(StoredPartition.ofAccount) AND uri >= ? AND uri < ?",
                StoredPartition.arguments(ofAccount: partition) + [
                    (origin + "/").indexed, (origin + "0").indexed,
                ]
            ).count
        }
    }

    private func remove(_ work: @escaping @Sendable (WriteContext) throws -> Int) async throws -> Int {
        try await writing("Stored responses could not be removed", work)
    }

    /// Drops invalid rows. A failure here is repaired at the next look-up.
    func dropRows(_ ids: [Int64]) async {
        _ = try? await writes.perform { context in
            for id in ids {
                // None of its columns can be trusted, so the sweep frees its space.
                try context.database.execute(sql: "DELETE FROM entry WHERE id = ?", arguments: [id])
                _ = try context.dismiss(id)
            }
            try context.deleteUnusedBodies()
            try context.recount()
            context.changedMany()
        }
    }

    /// Drops entries whose bytes are damaged, unless they have been moved meanwhile.
    func dropDamaged(_ rows: [EntryRow]) async {
        _ = try? await writes.perform { context in
            for row in rows {
                try context.delete(
                    where: "id = ? AND segment = ? AND offset = ?",
                    [row.id, Int64(row.head.segment), Int64(row.head.offset)])
            }
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

    /// Removes files and records without an entry, which a crash can leave behind; rebuilds a damaged index.
    ///
    /// Reads the whole index and every file name once; meant for an idle moment after opening. Returns how many files
    /// it removed.
    @discardableResult
    package func removeOrphans() async throws -> Int {
        let (layout, segments, fileSystem) = (layout, segments, fileSystem)
        let index = index
        let integrity = try await reading { try String.fetchAll($0, sql: "PRAGMA integrity_check(1)") }
        if integrity != ["ok"], !index.isReadOnly { try await recover(index) }
        return try await writing("What a crash left behind could not be removed") { context in
            let known = Set(
                try Data.fetchAll(context.database, sql: "SELECT file FROM body WHERE file IS NOT NULL")
                    .compactMap { BodyDigest($0)?.description })
            let orphans = layout.bodyFiles(fileSystem).filter { !known.contains($0.name) }
            for orphan in orphans { try? fileSystem.unlink(orphan.path) }
            return try orphans.count + context.sweepSegments(segments)
        }
    }
}

extension WriteContext {
    func deleteBody(_ digest: BodyDigest) throws {
        try delete(where: "body = (SELECT id FROM body WHERE digest = ?)", [Data(digest.bytes)])
    }

    /// Recounts the stored bytes.
    func recount() throws {
        changes.totals = StoreTotals(bytes: try StoreTotals.countedBytes(in: database), order: try totals().order)
    }

    func deleteUnusedBodies() throws {
        try database.execute(
            sql: "DELETE FROM body WHERE NOT EXISTS (SELECT 1 FROM entry WHERE entry.body = body.id)")
    }

    /// Frees unused space in the segments of ended processes: whole files, and holes.
    ///
    /// - Returns: How many files were removed.
    func sweepSegments(_ segments: SegmentFiles) throws -> Int {
        var count = 0
        let writers = Dictionary(
            try Row.fetchAll(database, sql: "SELECT id, writer FROM segment")
                .map { ($0.number(0), String.fromDatabaseValue($0[1]) ?? "") },
            uniquingKeysWith: { $1 })
        for number in segments.numbers() {
            // A segment that the index does not know belongs to a lost transaction: segments are made under its lock.
            let writer = writers[Int64(number)]
            if let writer, StoreLayout.mayLive(writer) { continue }
            let live = try SegmentSpace.live(number, in: database)
            if live.isEmpty {
                segments.remove(number)
                try database.execute(sql: "DELETE FROM segment WHERE id = ?", arguments: [Int64(number)])
                count += 1
                continue
            }
            if writer?.isEmpty ?? false { continue }
            try database.execute(sql: "UPDATE segment SET writer = '' WHERE id = ?", arguments: [Int64(number)])
            guard let segment = try segments.segment(number) else { continue }
            var position = Int64(Segment.headerLength)
            for range in live + [try segment.size()..<Int64.max] {
                if range.lowerBound - position >= Int64(SegmentRecord.headerLength) {
                    try? segment.punchHole(position..<range.lowerBound)
                }
                position = max(position, range.upperBound)
            }
        }
        return count
    }
}
