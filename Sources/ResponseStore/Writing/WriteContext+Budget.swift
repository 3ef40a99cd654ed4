import GRDB
import HTTPCacheSemantics

/// The totals of a store.
struct StoreTotals: Hashable, Sendable {
    /// The bytes of heads and bodies.
    var bytes: Int64
    var order: GreedyDualSizeFrequency

    /// Clamped to 64 bits, because the stored total may be damaged.
    func adding(_ count: Int64) -> StoreTotals {
        let (sum, isTooMuch) = bytes.addingReportingOverflow(count)
        return StoreTotals(bytes: isTooMuch ? (count < 0 ? .min : .max) : sum, order: order)
    }

    /// The sum of the rows of the index, whatever the stored total says.
    static func countedBytes(in database: Database) throws -> Int64 {
        try Int64.fetchOne(
            database,
            sql: "SELECT coalesce((SELECT sum(length(head)) FROM entry), 0) + coalesce(sum(length), 0) FROM body") ?? 0
    }
}

/// The budget and eviction: docs/decisions/0008.
extension WriteContext {
    /// The most entries that one transaction evicts, so that other changes do not wait long.
    private static var evictedAtOnce: Int { 64 }

    func totals() throws -> StoreTotals {
        if let known = changes.totals { return known }
        let row = try Row.fetchOne(database, sql: "SELECT bytes, clock FROM totals")
        let totals = StoreTotals(
            bytes: row?.number(0) ?? 0, order: GreedyDualSizeFrequency(clock: row?.real(1) ?? 0))
        changes.totals = totals
        return totals
    }

    /// Writes the totals if this transaction has changed them.
    func saveTotals() throws {
        guard let totals = changes.totals else { return }
        try database.cachedStatement(sql: "UPDATE totals SET bytes = ?, clock = ?")
            .execute(arguments: [totals.bytes, totals.order.clock])
    }

    /// Counts a new entry, and adds it to the order of eviction with the uses and pins of the entry that it replaces.
    func enroll(_ id: Int64, _ head: EntryHead, length: Int64, inPlaceOf replaced: Deletion) throws {
        let size = length + head.length.bytes
        let scope = try Int64.fetchOne(
            try database.cachedStatement(
                sql: """
                    INSERT INTO quota_scope (partition, host, bytes) VALUES (?, ?, ?)
                      ON CONFLICT (partition, host) DO UPDATE SET bytes = bytes + excluded.bytes RETURNING id
                    """), arguments: [head.key.partition.indexed, head.key.host.indexed, size])
        guard let scope else { return }
        changes.scopes[scope] = head.key.partition
        let cost = head.response.responseTime - head.response.requestTime
        let uses = min(replaced.uses + 1, GreedyDualSizeFrequency.countedUses)
        let priority = try totals().order.priority(uses: uses, size: ByteCount(size), cost: cost)
        try database.cachedStatement(
            sql: """
                INSERT INTO score (entry, scope, size, cost, uses, pins, priority, last_use, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        ).execute(arguments: [
            id, scope, size, EntryRow.milliseconds(WallInstant(sinceEpoch: cost)), uses,
            holders(of: head.key), priority,
            EntryRow.milliseconds(head.response.responseTime), head.response.expires.map(EntryRow.milliseconds),
        ])
    }

    /// Removes a deleted entry from the order of eviction.
    func dismiss(_ id: Int64) throws -> Deletion {
        try database.cachedStatement(sql: "DELETE FROM tag WHERE entry = ?").execute(arguments: [id])
        let row = try Row.fetchOne(
            try database.cachedStatement(sql: "SELECT scope, size, uses FROM score WHERE entry = ?"),
            arguments: [id])
        guard let row else { return Deletion(count: 1) }
        try database.cachedStatement(sql: "DELETE FROM score WHERE entry = ?").execute(arguments: [id])
        try database.cachedStatement(sql: "UPDATE quota_scope SET bytes = bytes - ? WHERE id = ?")
            .execute(arguments: [row.number(1), row.number(0)])
        return Deletion(count: 1, uses: row.tally(2))
    }

    /// Writes the uses of entries since the last time, and the time of the last use.
    func note(_ uses: [StoredEntry.ID: UnwrittenUses.Use]) throws {
        let select = try database.cachedStatement(sql: "SELECT size, cost, uses FROM score WHERE entry = ?")
        let update = try database.cachedStatement(
            sql: "UPDATE score SET uses = ?, priority = ?, last_use = max(last_use, ?) WHERE entry = ?")
        for (id, use) in uses {
            guard let row = try Row.fetchOne(select, arguments: [id.rawValue]) else { continue }
            let total = min(GreedyDualSizeFrequency.countedUses, row.tally(2) + use.count)
            let priority = try totals().order.priority(
                uses: total, size: ByteCount(row.number(0)), cost: .milliseconds(row.number(1)))
            try update.execute(arguments: [total, priority, EntryRow.milliseconds(use.last), id.rawValue])
        }
    }

    /// Evicts entries until the budget holds again: those that save least for their size first.
    ///
    /// - Returns: Whether the budget holds, or nothing more can be evicted.
    func makeRoom(_ budget: StoreBudget) throws -> Bool {
        var left = Self.evictedAtOnce
        if let limit = budget.host {
            for scope in changes.scopes.keys {
                try evict(&left, from: "scope = ?", [scope]) { context in
                    try Int64.fetchOne(
                        context.database, sql: "SELECT bytes FROM quota_scope WHERE id = ?", arguments: [scope]
                    ) ?? 0 > limit.bytes
                }
            }
        }
        if let limit = budget.partition {
            for partition in Set(changes.scopes.values) {
                try evict(&left, from: "scope IN (SELECT id FROM quota_scope WHERE partition = ?)", [partition.indexed])
                {
                    context in
                    try Int64.fetchOne(
                        context.database, sql: "SELECT sum(bytes) FROM quota_scope WHERE partition = ?",
                        arguments: [partition.indexed]) ?? 0 > limit.bytes
                }
            }
        }
        try evict(&left, from: "1", [], movesClock: true) { try $0.totals().bytes > budget.total.bytes }
        return left > 0
    }

    private func evict(
        _ left: inout Int, from condition: String, _ arguments: StatementArguments, movesClock: Bool = false,
        while isTooMuch: (WriteContext) throws -> Bool
    ) throws {
        guard left > 0, try isTooMuch(self) else { return }
        let victims = try Row.fetchAll(
            try database.cachedStatement(
                sql: """
                    SELECT entry, priority FROM score WHERE pins = 0 AND \(condition) ORDER BY priority LIMIT ?
                    """), arguments: arguments + [left + changes.entries.count])
        for victim in victims where left > 0 {
            let id = victim.number(0)
            // A new entry is not evicted for others.
            if changes.entries.contains(id) { continue }
            try delete(where: "id = ?", [id], because: .evicted)
            if movesClock { changes.totals?.order.noteEviction(ofPriority: victim.real(1)) }
            left -= 1
            guard try isTooMuch(self) else { return }
        }
    }
}
