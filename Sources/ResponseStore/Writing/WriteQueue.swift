import Dispatch
import GRDB
import HTTPCacheSemantics
import Locking

/// Changes of the store, many to a transaction: while one group is on its way to the disk, the next one gathers.
///
/// All of it happens on one serial queue, off every reader's way. A change that was asked for is made although the task
/// that asked is cancelled: a client that leaves must not keep an invalidation from happening.
final class WriteQueue: Sendable {
    /// One change, and what waits for it.
    private struct Change: Sendable {
        var addsRecords: Bool
        var make: @Sendable (WriteContext) throws -> Void
        var finish: @Sendable ((any Error)?) -> Void
    }

    /// The most changes in a transaction, and the most bytes of records.
    private static let groupLimit = 256
    private static let byteLimit = 8 * 1_048_576

    private let queue = DispatchQueue(label: "larder.store.writer", qos: .utility)
    private let waiting = LockedBox<[Change]>([])
    private let writer: StoreWriter

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    /// Makes a change; when this returns it is on the disk, and every reader sees it.
    ///
    /// - Parameter addsRecords: Whether it adds heads to a segment.
    func perform<Result: Sendable>(
        addsRecords: Bool = false, _ work: @escaping @Sendable (WriteContext) throws -> Result
    ) async throws -> Result {
        let result = LockedBox<Result?>(nil)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            add(
                Change(
                    addsRecords: addsRecords,
                    make: { context in
                        let value = try work(context)
                        result.withLock { $0 = value }
                    },
                    finish: { error in
                        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
                    }))
        }
        guard let value = result.withLock({ $0 }) else {
            throw StoreError(code: .writeFailed, message: "A change was not made.")
        }
        return value
    }

    /// Runs something of another kind between the transactions.
    func exclusively<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    /// Runs a transaction when nothing else does, for what it does by the way.
    func tick() {
        add(Change(addsRecords: false, make: { _ in }, finish: { _ in }))
    }

    private func add(_ change: Change) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(change)
            return waiting.count == 1
        }
        if isFirst { queue.async { self.drain() } }
    }

    private func drain() {
        while true {
            let group = waiting.withLock { Array($0.prefix(Self.groupLimit)) }
            let taken = make(group)
            let isDone = waiting.withLock { waiting in
                waiting.removeFirst(taken)
                return waiting.isEmpty
            }
            if isDone { return }
        }
    }

    /// - Returns: How many of them were made, or have failed.
    private func make(_ group: [Change]) -> Int {
        do {
            try writer.reachIndex()
        } catch {
            for change in group { change.finish(error) }
            return group.count
        }
        do {
            // Savepoints cost several times what the changes do, and hardly ever does one fail.
            return try make(group, isolated: false)
        } catch  where Self.isBusy(error) {
            for change in group { change.finish(error) }
            return group.count
        } catch {
            return makeIsolated(group)
        }
    }

    private func makeIsolated(_ group: [Change]) -> Int {
        do {
            return try make(group, isolated: true)
        } catch {
            // What one needs may be more than there is; the others need not fail with it. Where another process holds the
            // lock, which the system may have suspended, none will do better alone.
            if group.count > 1, !Self.isBusy(error) {
                for change in group { _ = makeIsolated([change]) }
            } else {
                for change in group { change.finish(error) }
            }
            return group.count
        }
    }

    /// Makes the changes in one transaction.
    ///
    /// - Parameter isolated: Whether one that fails is given up alone; otherwise nothing was done when this throws.
    /// - Returns: How many of them were made, or have failed.
    private func make(_ group: [Change], isolated: Bool) throws -> Int {
        var errors: [(any Error)?] = []
        let (released, hasRoom) = try writer.transaction(addsRecords: group.contains(where: \.addsRecords)) { context in
            for change in group {
                errors.append(isolated ? try Self.isolated(change, in: context) : nil)
                if !isolated { try change.make(context) }
                if context.records.pendingBytes > Self.byteLimit { break }
            }
        }
        // Before anyone is told: what was removed must not come back when the index is lost afterwards.
        writer.reclaim(released)
        for (change, error) in zip(group, errors) { change.finish(error) }
        if !hasRoom { tick() }
        return errors.count
    }

    /// - Returns: Why the change was given up.
    /// - Throws: What makes the whole transaction fail.
    private static func isolated(_ change: Change, in context: WriteContext) throws -> (any Error)? {
        let (added, changes) = (context.records.pendingBytes, context.changes)
        do {
            try context.database.inSavepoint {
                try change.make(context)
                return .commit
            }
            return nil
        } catch let error as DatabaseError where error.resultCode.isFatal {
            throw error
        } catch {
            context.records.rewind(to: added)
            context.changes = changes
            return error
        }
    }

    private static func isBusy(_ error: any Error) -> Bool {
        (error as? DatabaseError)?.resultCode.primaryResultCode == .SQLITE_BUSY
    }
}

extension ResultCode {
    /// Whether nothing else in the same transaction can succeed.
    fileprivate var isFatal: Bool {
        [.SQLITE_FULL, .SQLITE_IOERR, .SQLITE_NOMEM, .SQLITE_BUSY, .SQLITE_CORRUPT, .SQLITE_NOTADB].contains(
            primaryResultCode)
    }
}
