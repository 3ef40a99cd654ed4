import Dispatch
import GRDB
import HTTPCacheSemantics
import Locking

/// Changes of the store, many to a transaction: while one group is written to the disk, the next one gathers.
///
/// All changes run on one serial queue, which readers do not wait for. A requested change is made even if the
/// requesting task is cancelled: a client that leaves must not prevent an invalidation.
final class WriteQueue: Sendable {
    /// One change, and its waiting task.
    private struct Change: Sendable {
        var make: @Sendable (WriteContext) throws -> Void
        var finish: @Sendable ((any Error)?) -> Void
    }

    /// The most changes in a transaction, and the most bytes of heads and small bodies.
    private static let groupLimit = 256
    private static let byteLimit = 8 * 1_048_576

    private let queue = DispatchQueue(label: "larder.store.writer", qos: .utility)
    private let waiting = LockedBox<[Change]>([])
    private let writer: StoreWriter
    /// Closed while the store is suspended.
    let gate = SuspensionGate()

    init(_ writer: StoreWriter) {
        self.writer = writer
    }

    /// Makes a change. When this returns, the change is on the disk, and every reader sees it.
    func perform<Result: Sendable>(
        _ work: @escaping @Sendable (WriteContext) throws -> Result
    ) async throws -> Result {
        let result = LockedBox<Result?>(nil)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            add(
                Change(
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

    /// Runs other work between the transactions.
    func exclusively<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            runUnlessSuspended { continuation.resume(with: Swift.Result { try work() }) }
        }
    }

    private func runUnlessSuspended(_ work: @escaping @Sendable () -> Void) {
        queue.async { [queue, gate] in
            if !gate.holdBack({ queue.async(execute: work) }) { work() }
        }
    }

    /// Holds all work back after the transaction that is running, waits for that, and does one last thing on this
    /// thread. Changes that wait are made once the gate is opened.
    func suspendAndWait(_ work: () throws -> Void) throws {
        gate.suspend()
        try queue.sync { if gate.isSuspended { try work() } }
    }

    /// Runs an empty transaction if none is running, for its side effects.
    func tick() {
        add(Change(make: { _ in }, finish: { _ in }))
    }

    private func add(_ change: Change) {
        let isFirst = waiting.withLock { waiting in
            waiting.append(change)
            return waiting.count == 1
        }
        if isFirst { drainLater() }
    }

    private func drainLater() {
        queue.async { self.drain() }
    }

    private func drain() {
        while true {
            if gate.holdBack({ [weak self] in self?.drainLater() }) { return }
            let group = waiting.withLock { Array($0.prefix(Self.groupLimit)) }
            // Another drain has made them, after a suspension.
            if group.isEmpty { return }
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
            // Savepoints take several times as long as the changes, and a change rarely fails.
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
            // One change may need too much space; the others should not fail with it. If another process holds the
            // lock, possibly a suspended one, no change would succeed alone.
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
    /// - Parameter isolated: Whether a failed change is rolled back alone; otherwise a throw means that no change was
    ///   made.
    /// - Returns: How many of them were made, or have failed.
    private func make(_ group: [Change], isolated: Bool) throws -> Int {
        var errors: [(any Error)?] = []
        let (released, hasRoom) = try writer.transaction { context in
            for change in group {
                errors.append(isolated ? try Self.isolated(change, in: context) : nil)
                if !isolated { try change.make(context) }
                if context.changes.addedBytes > Self.byteLimit { break }
            }
        }
        // Before the changes return: removed responses must not come back if the index is lost afterwards.
        writer.reclaim(released)
        for (change, error) in zip(group, errors) { change.finish(error) }
        if !hasRoom { tick() }
        return errors.count
    }

    /// - Returns: Why the change was rolled back.
    /// - Throws: An error that fails the whole transaction.
    private static func isolated(_ change: Change, in context: WriteContext) throws -> (any Error)? {
        let changes = context.changes
        do {
            try context.database.inSavepoint {
                try change.make(context)
                return .commit
            }
            return nil
        } catch let error as DatabaseError where error.resultCode.isFatal {
            throw error
        } catch {
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

/// Holds work back while a store is suspended.
final class SuspensionGate: Sendable {
    private struct State: Sendable {
        var isSuspended = false
        /// In the order in which it came.
        var held: [@Sendable () -> Void] = []
    }

    private let state = LockedBox(State())

    func suspend() { state.withLock { $0.isSuspended = true } }

    /// Runs what was held back, on this thread.
    func resume() {
        let held = state.withLock { state in
            defer { state = State() }
            return state.held
        }
        for work in held { work() }
    }

    var isSuspended: Bool { state.withLock { $0.isSuspended } }

    /// Keeps the work for ``resume()`` if the store is suspended.
    ///
    /// - Returns: Whether it is held back. If not, the caller goes on itself.
    func holdBack(_ work: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if state.isSuspended { state.held.append(work) }
            return state.isSuspended
        }
    }
}
