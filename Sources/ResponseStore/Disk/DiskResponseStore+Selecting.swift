import GRDB
import HTTPCacheSemantics

/// Listing and removing selected entries, and maintenance.
extension DiskResponseStore {
    /// The most entries that one transaction removes, so that other changes do not wait long.
    private static let removedAtOnce = 256

    package func summaries(
        of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int
    ) async throws -> [EntrySummary] {
        // Before the index is read, so that uses written meanwhile are in one of the two.
        let uses = memory.withLock { $0.uses.all }
        return try await reading { database in
            let query = SelectionQuery(selection)
            let sql = """
                SELECT \(SelectionQuery.columns) \(SelectionQuery.source)
                  WHERE \(query.condition) AND entry.id > ? ORDER BY entry.id LIMIT ?
                """
            var found: [EntrySummary] = []
            var after = last?.rawValue ?? .min
            // Invalid rows and recently used entries leave gaps to fill.
            while found.count < limit {
                let wanted = limit - found.count
                let rows = try Row.fetchAll(database, sql: sql, arguments: query.arguments + [after, wanted])
                found += rows.compactMap(SelectionQuery.summary).compactMap { summary in
                    guard let use = uses[summary.id] else { return summary }
                    let summary = summary.adding(use)
                    return selection.unusedSince.map { summary.lastUsed < $0 } ?? true ? summary : nil
                }
                guard rows.count == wanted, let end = rows.last else { break }
                after = end.number(0)
            }
            return found
        }
    }

    @discardableResult
    package func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        var removed = RemovedContent()
        var last: Int64? = .min
        if selection.meansArriving {
            try await writing("Stored responses could not be removed") { $0.forget(selection) }
            // What killed processes left counts as on its way.
            layout.sweepIncoming()
        }
        while let after = last {
            let (portion, next) = try await writing("Stored responses could not be removed") { context in
                try context.remove(selection, after: after, limit: Self.removedAtOnce)
            }
            removed = removed + portion
            last = next
        }
        try await writing("What is known of removed names could not be forgotten") { context in
            try context.forgetNames(selection)
        }
        if selection == .everything { distrusted.withLock { $0 = [:] } }
        if selection.isByKey, let host = selection.host { distrusted.withLock { $0[host] = nil } }
        // Free pages go back to the disk. The write-ahead log still has pages with the names of removed entries. A
        // reader may prevent its truncation.
        let opened = opened
        _ = try? await writes.exclusively {
            try opened.inPlace().pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA incremental_vacuum")
                try database.checkpoint(.truncate)
            }
        }
        return removed
    }

    package func performMaintenance(at now: WallInstant) async throws -> Int {
        // Other processes may have been killed since the last time.
        await recoverInterrupted()
        recovery.withLock { $0 = nil }
        await recoverInterrupted()
        if !isReadOnly { layout.sweepAbandoned() }
        var count = 0
        while true {
            let portion = try await writing("What has expired could not be marked") { context in
                try context.demoteExpired(at: now, limit: Self.removedAtOnce)
            }
            count += portion
            if portion < Self.removedAtOnce { return count }
        }
    }
}

extension EntrySummary {
    /// The summaries with uses that the index does not have yet.
    fileprivate func adding(_ use: UnwrittenUses.Use) -> EntrySummary {
        var summary = self
        summary.uses = min(uses + use.count, GreedyDualSizeFrequency.countedUses)
        summary.lastUsed = max(lastUsed, use.last)
        return summary
    }
}

extension WriteContext {
    /// Prevents responses to earlier requests from being stored, if the selection may include them.
    fileprivate func forget(_ selection: EntrySelection) {
        if let key = selection.invalidation {
            log.note(.invalidated, key)
        } else {
            log.forgetAll()
        }
    }

    /// Removes a portion of a selection.
    ///
    /// - Returns: The removed content, and the portion's last entry; `nil` if there are no more.
    fileprivate func remove(
        _ selection: EntrySelection, after: Int64, limit: Int
    ) throws -> (RemovedContent, next: Int64?) {
        let query = SelectionQuery(selection)
        let ids = try Int64.fetchAll(
            database,
            sql: """
                SELECT entry.id \(SelectionQuery.source) WHERE \(query.condition) AND entry.id > ?
                  ORDER BY entry.id LIMIT ?
                """, arguments: query.arguments + [after, limit])
        guard !ids.isEmpty else { return (RemovedContent(), nil) }
        let before = try totals().bytes
        var removed = RemovedContent()
        try overwriting {
            // A removal since a date leaves no trace of the responses, even if their names were noted before.
            if selection.storedSince != nil {
                let forget = try database.cachedStatement(
                    sql: "DELETE FROM content WHERE (partition, uri) IN (SELECT partition, uri FROM entry WHERE id = ?)"
                )
                for id in ids { try forget.execute(arguments: [id]) }
            }
            let keys = try storedKeys(of: ids)
            for id in ids { removed.entries += try delete(where: "id = ?", [id]).count }
            try forgetPins(of: keys)
        }
        removed.bytes = ByteCount(before - (try totals().bytes))
        return (removed, ids.count < limit ? nil : ids.last)
    }

    /// Overwrites the rows that the work deletes: otherwise their names and fields would stay in free pages of the
    /// index.
    private func overwriting(_ work: () throws -> Void) throws {
        // The default depends on how SQLite was built: 0, 1, or 2 for overwriting without additional I/O.
        let usual = try Int.fetchOne(database, sql: "PRAGMA secure_delete") ?? 0
        try database.execute(sql: "PRAGMA secure_delete = ON")
        defer { try? database.execute(sql: "PRAGMA secure_delete = \(usual == 2 ? "FAST" : "\(usual)")") }
        try work()
    }

    /// Removes the notes about names that a selection by key or since a date includes, and hosts without stored
    /// responses.
    fileprivate func forgetNames(_ selection: EntrySelection) throws {
        try overwriting {
            try forgetPast(selection)
            if let query = SelectionQuery(namesOf: selection) {
                try database.execute(sql: "DELETE FROM content WHERE \(query.condition)", arguments: query.arguments)
            }
            if selection.isByKey {
                let query = SelectionQuery(selection)
                try database.execute(sql: "DELETE FROM pin WHERE \(query.condition)", arguments: query.arguments)
            }
            try database.execute(
                sql: "DELETE FROM quota_scope WHERE NOT EXISTS (SELECT 1 FROM score WHERE score.scope = quota_scope.id)"
            )
            if selection.isByKey, let host = selection.host {
                try database.execute(sql: "DELETE FROM distrusted WHERE host = ?", arguments: [host])
            }
            if selection == .everything {
                try database.execute(sql: "DELETE FROM distrusted")
                try database.execute(sql: IndexSchema.beginServerCookies)
            }
        }
    }

    /// Puts entries that have expired by a rule first in the order of eviction, until they are used again.
    fileprivate func demoteExpired(at now: WallInstant, limit: Int) throws -> Int {
        try database.execute(
            sql: """
                UPDATE score SET priority = 0, expires = ~expires WHERE entry IN (
                  SELECT entry FROM score WHERE expires >= 0 AND expires <= ? ORDER BY expires LIMIT ?)
                """, arguments: [EntryRow.milliseconds(now), limit])
        return database.changesCount
    }
}
