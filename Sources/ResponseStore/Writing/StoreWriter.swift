import Foundation
import GRDB
import HTTPCacheSemantics
import Locking

/// The transactions of a store, one at a time on the queue of ``WriteQueue``.
///
/// `@unchecked Sendable`: only that queue accesses the mutable state, the segment writer and its index.
final class StoreWriter: @unchecked Sendable {
    private let layout: StoreLayout
    private let fileSystem: any FileSystem
    private let files: SegmentFiles
    private let memory: LockedBox<MemoryTier>
    private let budget: StoreBudget
    private let log: ChangeLog
    private let index: @Sendable () throws -> StoreIndex
    private let records: SegmentWriter
    private var lastIndex: StoreIndex

    /// - Parameters:
    ///   - lastIndex: The index that was opened first.
    ///   - index: Returns the index, rebuilt if its file is gone.
    init(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, _ files: SegmentFiles, _ memory: LockedBox<MemoryTier>,
        _ log: ChangeLog, budget: StoreBudget, lastIndex: StoreIndex, index: @escaping @Sendable () throws -> StoreIndex
    ) {
        (self.layout, self.fileSystem, self.files, self.memory, self.log) = (layout, fileSystem, files, memory, log)
        (self.budget, self.lastIndex, self.index) = (budget, lastIndex, index)
        records = SegmentWriter(layout, files, fileSystem)
    }

    /// The name of this store in the index, for the bodies that it extends.
    var writer: String { records.writer }

    /// Throws if no transaction can begin, because the index can't be opened or written.
    func reachIndex() throws { _ = try index() }

    /// Runs a transaction whose records are on the disk before it commits.
    ///
    /// - Parameter addsRecords: Whether the work appends records to a segment.
    /// - Returns: The released space, and whether the budget holds.
    func transaction(
        addsRecords: Bool, _ work: (WriteContext) throws -> Void
    ) throws -> (released: ReleasedSpace, hasRoom: Bool) {
        let index = try index()
        if lastIndex !== index {
            // After a suspension the files are usually the same ones, and marks of before it still count.
            let wasSuspended = lastIndex.wasClosed && log.isInPlace
            if try !wasSuspended || !records.isKnown(to: index) { records.reset() }
            files.forgetAll()
            if !wasSuspended { log.reopen() }
            memory.withLock { $0.removeAll() }
        }
        lastIndex = index
        var outcome = WriteContext.Changes()
        var hasRoom = true
        let uses = memory.withLock { $0.uses.beginWriting() }
        var before: IndexStamp?
        var hasBegun = false
        do {
            try index.pool.writeWithoutTransaction { database in
                try database.inTransaction(.immediate) {
                    before = index.stamp()
                    hasBegun = true
                    memory.withLock { [before] in $0.beginWriting(at: before) }
                    let context = WriteContext(database, records, files, log)
                    if addsRecords { records.begin(in: database) }
                    // Before the work, which may depend on the uses.
                    if !uses.isEmpty { try context.note(uses) }
                    try work(context)
                    hasRoom = try context.makeRoom(budget)
                    try context.saveTotals()
                    try records.flush()
                    outcome = context.changes
                    return .commit
                }
            }
            records.commit()
            let (keys, fresh, after) = (outcome.keys, outcome.fresh, index.stamp())
            let isNearlyFull = outcome.totals.map { $0.bytes > budget.total.bytes / 4 * 3 }
            memory.withLock { memory in
                memory.endWriting(keys, keeping: fresh, at: after)
                memory.uses.endWriting(succeeded: true)
                if let isNearlyFull { memory.isNearlyFull = isNearlyFull }
            }
            return (outcome.released, hasRoom)
        } catch {
            records.rollBack()
            let after = index.stamp()
            // Nothing has changed, unless the stamp differs.
            memory.withLock { [before, hasBegun] memory in
                if hasBegun { memory.endWriting(after == before ? [] : nil, keeping: [:], at: after) }
                memory.uses.endWriting(succeeded: false)
            }
            throw error
        }
    }

    /// Frees the space on the disk.
    ///
    /// In a separate transaction, so that no commit, in this process or another, can name the bytes meanwhile. The
    /// sweep frees what fails here.
    func reclaim(_ released: ReleasedSpace) {
        guard !released.isEmpty, let index = try? index() else { return }
        try? index.pool.writeWithoutTransaction { database in
            try database.inTransaction(.immediate) {
                for name in released.files { try unlink(name, in: database) }
                for (segment, ranges) in Dictionary(grouping: released.ranges, by: \.segment) {
                    try release(ranges, of: segment, in: database)
                }
                return .commit
            }
        }
    }

    private func unlink(_ name: BodyDigest, in database: Database) throws {
        let isUsed = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM body WHERE file = ?)", arguments: [Data(name.bytes)])
        if isUsed == false { try? fileSystem.unlink(layout.body(name)) }
    }

    private func release(_ ranges: [SegmentRange], of number: UInt32, in database: Database) throws {
        let id = Int64(number)
        let isInUse = try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (SELECT 1 FROM entry WHERE segment = ?1) OR EXISTS (SELECT 1 FROM body WHERE segment = ?1)
                """, arguments: [id])
        let writer =
            try String.fetchOne(database, sql: "SELECT writer FROM segment WHERE id = ?", arguments: [id]) ?? ""
        let isOurs = writer == records.writer
        let isBeingWritten = isOurs ? records.current?.number == number : StoreLayout.mayLive(writer)
        if isInUse == false, !isBeingWritten {
            files.remove(number)
            try database.execute(sql: "DELETE FROM segment WHERE id = ?", arguments: [id])
            return
        }
        guard let segment = try files.segment(number) else { return }
        // Up to the living neighbours: the bytes between were released before, and only whole blocks become holes.
        let end = isOurs && isBeingWritten ? records.current?.end : nil
        for range in ranges {
            let hole = try SegmentSpace.hole(around: range, end: end, in: database)
            try? segment.punchHole(hole)
        }
    }
}
