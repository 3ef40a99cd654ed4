import Dispatch
import GRDB
import HTTPCacheSemantics
import Locking

/// The index of a store, which begins anew if it is damaged, or if its directory was emptied while it was open.
final class OpenedIndex: Sendable {
    private let layout: StoreLayout
    private let now: @Sendable () -> WallInstant
    private struct State: Sendable {
        var index: StoreIndex
        /// Whether it was closed because the store is suspended.
        var isClosed = false
        /// The reads of any index that are under way.
        var readers = 0
        /// Signalled when the last read has ended, for the caller that closes the index.
        var closing: DispatchSemaphore?
    }
    private let state: LockedBox<State>

    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    init(_ layout: StoreLayout, now: @escaping @Sendable () -> WallInstant) throws {
        (self.layout, self.now) = (layout, now)
        state = LockedBox(State(index: try Self.open(layout, now)))
    }

    /// The index that was opened last. It may be closed, because the store is or was suspended.
    var current: StoreIndex { state.withLock { $0.index } }

    /// The index, unless it is closed.
    var inUse: StoreIndex? { state.withLock { $0.isClosed ? nil : $0.index } }

    /// The index and its stamp; without a stamp if it is unknown or the index is closed.
    var stamped: (index: StoreIndex, stamp: IndexStamp?) {
        let (index, isClosed) = state.withLock { ($0.index, $0.isClosed) }
        return (index, isClosed ? nil : index.stamp())
    }

    /// Runs a read, which a suspension waits for: without that, GRDB could open a connection for it after the closing.
    ///
    /// - Throws: ``ClosedIndex`` if the index is closed.
    func reading<Result>(_ index: StoreIndex, _ read: (StoreIndex) async throws -> Result) async throws -> Result {
        try state.withLock { state in
            guard !state.isClosed, state.index === index, !index.wasGivenUp else { throw ClosedIndex() }
            state.readers += 1
        }
        defer {
            state.withLock { state -> DispatchSemaphore? in
                state.readers -= 1
                return state.readers == 0 ? state.closing : nil
            }?.signal()
        }
        return try await read(index)
    }

    /// The index was closed, or replaced by another one, before a read of it began.
    struct ClosedIndex: Error {}

    /// Closes the index and so lets go of its locks. On the writer's queue only. Reads that are under way are
    /// interrupted; those that begin later find none ``inUse``.
    ///
    /// - Throws: ``StoreError/Code/writeFailed``; then it stays open.
    func close() throws {
        guard let index = inUse else { return }
        state.withLock { $0.isClosed = true }
        index.interruptForClosing()
        waitForReads()
        do {
            try index.close()
        } catch {
            state.withLock { $0.isClosed = false }
            throw StoreError(
                code: .writeFailed, message: "The index of the store in '\(layout.directory)' can't be closed.",
                cause: error)
        }
    }

    /// Closes the index because its file is gone or damaged. Beside it, one opened in its place would wait for locks of
    /// our own, and cut the shared memory into which the old one looks: the system ends such a process (SIGBUS,
    /// mmap(2)).
    private func closeBeforeOpening() {
        // Where it does not close, the new one is opened all the same.
        try? close()
    }

    /// Returns once no read is under way; whoever calls it has seen to it that none begins.
    private func waitForReads() {
        let isOver = DispatchSemaphore(value: 0)
        let hasReaders = state.withLock { state in
            state.closing = isOver
            return state.readers > 0
        }
        if hasReaders { isOver.wait() }
        state.withLock { $0.closing = nil }
    }

    /// Opens the index again if it is closed. On the writer's queue only.
    func reopenClosed() throws {
        guard inUse == nil else { return }
        set(try Self.open(layout, now))
    }

    private func set(_ index: StoreIndex) { state.withLock { ($0.index, $0.isClosed) = (index, false) } }

    /// The index that is in the directory now, for writing. On the writer's queue only.
    ///
    /// If another process had it open when this store opened it for reading, it stays read-only until the store is
    /// opened again: within one process, SQLite opens the shared memory of a file in one mode only.
    ///
    /// - Throws: ``StoreError/Code/writeFailed`` if it can still only be read.
    func inPlace() throws -> StoreIndex {
        try reopenClosed()
        let known = current
        if known.isInPlace, !known.isReadOnly { return known }
        guard !known.isReadOnly || layout.mayWrite else { throw layout.unwritable() }
        try known.giveUp(waitForReads)
        if !known.isReadOnly { closeBeforeOpening() }
        let new = try Self.open(layout, now)
        if known.isReadOnly || !new.isReadOnly { set(new) }
        guard !new.isReadOnly else { throw layout.unwritable() }
        return new
    }

    /// Reopens an index that was read without locks and has changed since. On the writer's queue only.
    func reopen(_ outdated: StoreIndex) throws {
        guard inUse === outdated else { return }
        try outdated.giveUp(waitForReads)
        let new = try Self.open(layout, now)
        set(new)
    }

    /// Replaces a damaged index by an empty one. On the writer's queue only.
    ///
    /// A new index costs all that is stored, and an error of the disk may look like damage. So a second look, by
    /// connections of its own, has to find damage as well.
    ///
    /// - Parameters:
    ///   - damaged: The damaged index; nothing happens if it was replaced already.
    ///   - error: The error that told; `nil` for SQLite's own check.
    /// - Throws: The error of a second look that the disk has failed.
    func recover(_ damaged: StoreIndex, after error: (any Error)?) throws {
        guard inUse === damaged else { return }
        closeBeforeOpening()
        if !IndexRecovery.isAboutTables(error) {
            do {
                let second = try StoreIndex(layout)
                if try second.pool.read(IndexRecovery.isSound) { return set(second) }
            } catch {
                guard IndexRecovery.isNeeded(after: error) else { throw error }
            }
        }
        IndexRecovery.removeIndex(layout)
        let new = try Self.open(layout, now)
        IndexRecovery.noteNewBeginning(of: new, at: now())
        set(new)
    }

    /// Opens the index, for reading only if it can't be written.
    private static func open(_ layout: StoreLayout, _ now: () -> WallInstant) throws -> StoreIndex {
        try layout.expectOwn()
        try IndexSchema.check(layout)
        do {
            return try openToWrite(layout, now)
        } catch {
            if mayBeReadable(error), let index = try? StoreIndex(reading: layout) { return index }
            throw error
        }
    }

    /// Whether opening for reading may succeed after opening for writing failed: the index is not locked, and is ours.
    private static func mayBeReadable(_ error: StoreError) -> Bool {
        guard error.code == .directoryUnusable, let cause = error.cause else { return false }
        guard let code = (cause as? DatabaseError)?.resultCode.primaryResultCode else { return true }
        return ![.SQLITE_BUSY, .SQLITE_NOTADB, .SQLITE_CORRUPT].contains(code)
    }

    private static func openToWrite(
        _ layout: StoreLayout, _ now: () -> WallInstant
    ) throws(StoreError) -> StoreIndex {
        // A damaged file without one of our folders next to it may be another application's.
        let isOurs = SystemCalls.identity(layout.bodies) != nil
        try layout.prepare()
        do {
            return try make(layout)
        } catch let error as StoreError {
            throw error
        } catch {
            var failure = error
            if IndexRecovery.isNeeded(after: error), isOurs {
                do {
                    // Where the disk has failed, this may succeed.
                    return try make(layout)
                } catch {
                    failure = error
                }
            }
            if IndexRecovery.isNeeded(after: failure), isOurs {
                IndexRecovery.removeIndex(layout)
                try layout.prepare()
                if let index = try? make(layout) {
                    IndexRecovery.noteNewBeginning(of: index, at: now())
                    return index
                }
            }
            let help = StoreError.help(against: failure, otherwise: "choose another directory")
            throw StoreError(
                code: .directoryUnusable,
                message: "The index of the store in '\(layout.directory)' can't be opened; \(help).", cause: failure)
        }
    }

    private static func make(_ layout: StoreLayout) throws -> StoreIndex {
        var attempts = 1
        while true {
            do {
                return try StoreIndex(layout)
            } catch let error as DatabaseError
                where error.resultCode.primaryResultCode == .SQLITE_BUSY && attempts < attemptLimit
            {
                // SQLite does not wait if two processes create the same new index. For what it waited in vain, such as
                // a process that was suspended in the middle of a change, nobody else shall wait: it is read until
                // then.
                if !error.isLogBusy, let index = try? StoreIndex(reading: layout, isLocked: true) { return index }
                // Both of these have waited as long as they may.
                attempts += error.isLogBusy ? 1 : 3
            }
        }
    }

    /// How often opening a busy index is tried.
    private static let attemptLimit = 5
}

/// The table `distrusted`.
enum DistrustedHost {
    /// Adds a host; beyond the limit the oldest ones are removed.
    static func note(_ host: String, at time: WallInstant, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO distrusted VALUES (?, ?) ON CONFLICT (host) DO UPDATE SET time = excluded.time
                """, arguments: [host, EntryRow.milliseconds(time)])
        try database.execute(
            sql: """
                DELETE FROM distrusted WHERE host IN (
                  SELECT host FROM distrusted ORDER BY time DESC LIMIT -1 OFFSET \([String: WallInstant].mostHosts))
                """)
    }

    static func all(in database: Database) throws -> [String: WallInstant] {
        let rows = try Row.fetchAll(database, sql: "SELECT host, time FROM distrusted")
        return Dictionary(
            rows.compactMap { row in
                String.fromDatabaseValue(row[0]).map { ($0, WallInstant(sinceEpoch: .milliseconds(row.number(1)))) }
            }, uniquingKeysWith: max)
    }
}

/// Hosts that broke the promise of a hashed name, with the latest time.
extension [String: WallInstant] {
    /// The most hosts that are remembered.
    static var mostHosts: Int { 1_000 }

    /// Adds a host; beyond the limit the oldest one is removed.
    package mutating func note(_ host: String, at time: WallInstant) {
        self[host] = time
        guard count > Self.mostHosts, let first = self.min(by: { $0.value < $1.value })?.key else { return }
        self[first] = nil
    }
}
