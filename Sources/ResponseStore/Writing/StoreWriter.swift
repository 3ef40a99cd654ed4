import Foundation
import GRDB
import GRDBSQLite
import HTTPCacheSemantics
import Locking

/// The transactions of a store, one at a time on the queue of ``WriteQueue``.
///
/// `@unchecked Sendable`: only that queue accesses the mutable state.
final class StoreWriter: @unchecked Sendable {
    /// The name of this store in the index, for the bodies that it extends: its process may have others.
    let writer = "\(StoreLayout.writer).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    private let layout: StoreLayout
    private let memory: LockedBox<MemoryTier>
    private let budget: StoreBudget
    private let log: ChangeLog
    private let now: @Sendable () -> WallInstant
    private let index: @Sendable () throws -> StoreIndex
    private var lastIndex: StoreIndex
    /// Whether another process held the lock for as long as the last transaction waited.
    private var isLocked = false
    /// The quota scopes of which the last transaction had more to evict than it may at once.
    private var crowded: [Int64: String] = [:]
    /// How long a transaction waits for the lock, in milliseconds; the next ones do not wait for a process that stands
    /// still.
    private static let (wait, waitWhileLocked): (Int32, Int32) = (2_000, 50)

    /// - Parameters:
    ///   - lastIndex: The index that was opened first.
    ///   - index: Returns the index, begun anew if its file is gone.
    init(
        _ layout: StoreLayout, _ memory: LockedBox<MemoryTier>, _ log: ChangeLog, budget: StoreBudget,
        now: @escaping @Sendable () -> WallInstant, lastIndex: StoreIndex,
        index: @escaping @Sendable () throws -> StoreIndex
    ) {
        (self.layout, self.memory, self.log) = (layout, memory, log)
        (self.budget, self.now, self.lastIndex, self.index) = (budget, now, lastIndex, index)
    }

    /// Throws if no transaction can begin, because the index can't be opened or written.
    func reachIndex() throws { _ = try index() }

    /// Runs a transaction. Files that it places are on the disk before it commits.
    ///
    /// - Returns: The released files, and whether the budget holds.
    func transaction(_ work: (WriteContext) throws -> Void) throws -> (released: Set<BodyDigest>, hasRoom: Bool) {
        let index = try index()
        if lastIndex !== index {
            // After a suspension the files are usually the same ones, and marks of before it still count.
            if !lastIndex.wasClosed || !log.isInPlace { log.reopen() }
            memory.withLock { $0.removeAll() }
        }
        lastIndex = index
        var outcome = WriteContext.Changes()
        var hasRoom = true
        let uses = memory.withLock { $0.uses.beginWriting() }
        var (before, after): (IndexStamp?, IndexStamp?)
        var isAlone = false
        var hasBegun = false
        do {
            try index.pool.writeWithoutTransaction { database in
                sqlite3_busy_timeout(database.sqliteConnection, isLocked ? Self.waitWhileLocked : Self.wait)
                var version: Int64?
                try database.inTransaction(.immediate) {
                    before = index.stamp()
                    version = try StoreIndex.version(of: database)
                    hasBegun = true
                    memory.withLock { [before] in $0.beginWriting(at: before) }
                    let context = WriteContext(database, layout, log, writer: writer, now: now)
                    context.changes.scopes = crowded
                    // Before the work, which may depend on the uses.
                    if !uses.isEmpty { try context.note(uses) }
                    try work(context)
                    hasRoom = try context.makeRoom(budget)
                    try context.saveTotals()
                    try context.synchronizeNames()
                    outcome = context.changes
                    return .commit
                }
                after = index.stamp()
                // The version of the connection that wrote changes with the commits of others alone. One may have come
                // between ours and the stamp.
                isAlone = before != nil && version == (try? StoreIndex.version(of: database))
            }
            isLocked = false
            crowded = hasRoom ? [:] : outcome.scopes
            let (keys, fresh) = (isAlone ? outcome.keys : nil, outcome.fresh)
            let isNearlyFull = outcome.totals.map { $0.bytes > budget.total.bytes / 4 * 3 }
            memory.withLock { [after] memory in
                memory.endWriting(keys, keeping: fresh, at: after)
                memory.uses.endWriting(succeeded: true)
                if let isNearlyFull { memory.isNearlyFull = isNearlyFull }
            }
            return (outcome.released, hasRoom)
        } catch {
            isLocked = (error as? DatabaseError)?.resultCode.primaryResultCode == .SQLITE_BUSY
            let after = index.stamp()
            // Nothing has changed, unless the stamp differs.
            memory.withLock { [before, hasBegun] memory in
                if hasBegun { memory.endWriting(before != nil && after == before ? [] : nil, keeping: [:], at: after) }
                memory.uses.endWriting(succeeded: false)
            }
            throw error
        }
    }

    /// Removes files that no body has any more.
    ///
    /// In a separate transaction, so that no commit, in this process or another, can name them meanwhile. The sweep
    /// removes what fails here.
    func reclaim(_ released: Set<BodyDigest>) {
        guard !released.isEmpty, let index = try? index() else { return }
        try? index.pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                for name in released {
                    let isUsed = try Bool.fetchOne(
                        database, sql: "SELECT EXISTS (SELECT 1 FROM body WHERE file = ?)",
                        arguments: [Data(name.bytes)])
                    if isUsed == false { try? layout.fileSystem.unlink(layout.body(name)) }
                }
                return .commit
            }
        }
    }
}
