import Foundation
import GRDB
import HTTPCacheSemantics
import Locking
import struct HTTPCacheSemantics.ByteCount  // Darwin has one too.

/// Responses on disk: heads and small bodies in SQLite, large bodies as files, and a memory tier in front.
///
/// The format is described at `IndexSchema`. Several processes may use one directory: each sees what the others have
/// committed. When ``commit(_:key:response:)`` or another change returns, every reader sees it, and it is durable.
package final class DiskResponseStore: ResponseStorage {
    /// The default budget of the memory tier.
    package static let defaultMemoryBudget = ByteCount.mebibytes(16)

    /// How much may be stored.
    package let budget: StoreBudget
    let layout: StoreLayout
    let bodyFiles: BodyFiles
    let memory: LockedBox<MemoryTier>
    let log: ChangeLog
    let writes: WriteQueue
    /// The wall clock, for the last use of entries.
    let wallTime: @Sendable () -> WallInstant
    /// The bodies to which this store adds parts.
    let growth: BodyGrowth
    private let incoming: IncomingSpace
    let opened: OpenedIndex
    /// Hosts that sent other bytes under a hashed name, and when.
    let distrusted: LockedBox<[String: WallInstant]>
    /// The work of ``recoverInterrupted()``, once it has begun.
    let recovery = LockedBox<Task<Void, Never>?>(nil)
    /// Whether names of cookies that servers have set may be missing from the index.
    let hasMissedCookies = AtomicFlag(false)

    /// Opens the store in a directory, and creates it if it does not exist.
    ///
    /// An existing store that can't be written, because of permissions, lack of space or a read-only file system, is
    /// opened for reading: see ``isReadOnly``.
    ///
    /// - Parameter wallTime: The wall clock, for the last use of responses; the machine's by default.
    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    package convenience init(
        directory: String, memoryBudget: ByteCount = defaultMemoryBudget, budget: StoreBudget = StoreBudget(),
        durability: StoreDurability = .power, wallTime: (@Sendable () -> WallInstant)? = nil
    ) throws {
        try self.init(
            directory: directory, memoryBudget: memoryBudget, budget: budget,
            fileSystem: LocalFileSystem(synchronizes: durability == .power), durability: durability,
            wallTime: wallTime ?? { SystemCalls.wallTime })
    }

    init(
        directory: String, memoryBudget: ByteCount, budget: StoreBudget, fileSystem: any FileSystem,
        durability: StoreDurability, wallTime: @escaping @Sendable () -> WallInstant = { SystemCalls.wallTime }
    ) throws {
        self.budget = budget
        incoming = IncomingSpace(budget)
        self.wallTime = wallTime
        layout = StoreLayout(directory: directory, fileSystem: fileSystem, durability: durability)
        memory = LockedBox(MemoryTier(budget: Int(memoryBudget.bytes)))
        bodyFiles = BodyFiles(layout)
        opened = try OpenedIndex(layout, now: wallTime)
        log = ChangeLog(layout)
        let opened = opened
        let writer = StoreWriter(layout, memory, log, budget: budget, now: wallTime, lastIndex: opened.current) {
            try opened.inPlace()
        }
        writes = WriteQueue(writer)
        growth = BodyGrowth(writer: writer.writer)
        distrusted = LockedBox(opened.current.distrustedHosts)
        if !isReadOnly { layout.sweepAbandoned() }
    }

    /// Removes what processes that have ended left of bodies in transfer, as opening the store does.
    package static func removeAbandonedBodies(in directory: String) {
        StoreLayout(directory: directory, fileSystem: LocalFileSystem(), durability: .power).sweepAbandoned()
    }

    var index: StoreIndex { opened.current }
    var fileSystem: any FileSystem { layout.fileSystem }

    /// Whether the store is read-only, because it could not be written when it was opened.
    ///
    /// Then look-ups, summaries, ``usage()`` and ``verify()`` work as usual, and see what other processes store; every
    /// change fails with ``StoreError/Code/writeFailed``, and uses are not recorded. The first change after the
    /// obstacle is gone succeeds. Exception: if permissions were missing and another process had the store open, it
    /// must be opened again.
    package var isReadOnly: Bool { index.isReadOnly }

    /// - Throws: ``StoreError/Code/writeFailed`` if permission to write is missing.
    package func makePendingBody() throws -> any PendingBody {
        if isReadOnly, !layout.mayWrite { throw layout.unwritable() }
        return pendingBody(at: layout.incomingBody())
    }

    func pendingBody(at path: String) -> PendingDiskBody {
        let layout = layout
        return PendingDiskBody(path: path, fileSystem: fileSystem, space: incoming) { $0.block($1, in: layout) }
    }

    package var longestBody: ByteCount { budget.longestBody }

    package func mark() -> StoreMark? { log.mark() }

    package func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory { log.history(of: key, since: mark) }

    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        guard let body = body as? PendingDiskBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        var finished = try await Self.finish(body)
        if response.extent != .complete, finished.bytes == nil { finished.body = finished.body.growing }
        let received = finished
        let (noted, now) = (variant.map(Self.hash), EntryRow.milliseconds(wallTime()))
        let stored = try await writing("A response could not be stored") {
            context -> (entry: StoredEntry, seen: BodyDigest?)? in
            guard let entry = try context.put(received, from: body, key: key, response: response, since: mark) else {
                return nil
            }
            guard let noted else { return (entry, nil) }
            return (entry, try context.noteContent(entry.bodyDigest, under: key, variant: noted, at: now))
        }
        if stored != nil { bodyFiles.forget(finished.body.digest) }
        return stored
    }

    package func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await writing("A response could not be stored") {
            try $0.copy(entry, response: response, since: mark)
        }
    }

    package func update(
        _ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws {
        try await writing("A validated response could not be updated") {
            guard let validated = try $0.validated(response, id, key, since: mark) else { return }
            try $0.update(id, key: key, response: validated)
        }
    }

    /// Returns once every earlier change is durable.
    package func flush() async throws {
        try await writing("What was stored last may not be durable") { _ in }
    }

    /// Releases memory, for example under memory pressure; stored responses stay.
    ///
    /// - Parameter bytes: How much may be kept; 0 by default.
    package func releaseMemory(keeping bytes: ByteCount = .zero) {
        memory.withLock { $0.trim(to: Int(bytes.bytes)) }
    }

    /// Seals a body. A large one is synchronised on a thread that may wait.
    private static func finish(_ body: PendingDiskBody) async throws -> PendingDiskBody.Finished {
        guard body.hasFile else { return try body.finish() }
        return try await blocking { try body.finish() }
    }

    /// Works on a thread that may wait for the disk: the threads that run tasks are few.
    static func blocking<Result: Sendable>(
        at priority: DispatchQoS.QoSClass = .utility, _ work: @escaping @Sendable () throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: priority).async { continuation.resume(with: .init(catching: work)) }
        }
    }

    package func usage() async throws -> StoreUsage {
        try await reading { database in
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT (SELECT count(*) FROM entry), count(*), coalesce(sum(length), 0),
                      (SELECT bytes FROM totals) FROM body
                    """)
            return StoreUsage(
                entries: row?.tally(0) ?? 0, bodies: row?.tally(1) ?? 0, bodyBytes: ByteCount(row?.number(2) ?? 0),
                bytes: ByteCount(row?.number(3) ?? 0))
        }
    }

    /// The space that the store's files take on the disk now, including the index and bodies in transfer. Examines
    /// every file once.
    package func diskUsage() async throws -> ByteCount {
        let layout = layout
        return try await writes.exclusively {
            ByteCount(layout.files.reduce(0) { $0 + SystemCalls.allocatedSize($1) })
        }
    }

    /// Reads one state of the index, on a thread that may wait.
    func reading<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await mending { try await $0.pool.read(work) }
    }

    /// Reads the index by one statement, on this thread: that takes less time than switching threads.
    func lookingUp<Result>(_ work: (Database) throws -> Result) async throws -> Result {
        try await mending { try $0.lookUp(work) }
    }

    /// The index, open. Waits while the store is suspended.
    private func openIndex() async throws -> StoreIndex {
        while true {
            if let index = opened.inUse { return index }
            let opened = opened
            try await writes.exclusively { try opened.reopenClosed() }
        }
    }

    /// Converts errors to ``StoreError``. A damaged index begins anew first, and one that was closed meanwhile is
    /// opened.
    private func mending<Result>(_ read: (StoreIndex) async throws -> Result) async throws -> Result {
        do {
            while true {
                let index = try await openIndex()
                do {
                    let opened = opened
                    return try await mending(index) { index in try await opened.reading(index, read) }
                } catch  where (index.wasClosed || error is OpenedIndex.ClosedIndex) && !(error is CancellationError) {
                    // It was closed for a suspension, and the read with it; or it was replaced.
                }
            }
        } catch {
            throw StoreError(code: .readFailed, message: "The index of the store can't be read.", cause: error)
        }
    }

    private func mending<Result>(
        _ index: StoreIndex, _ read: (StoreIndex) async throws -> Result
    ) async throws -> Result {
        if index.isReadOnly { return try await readUnchanged(read) }
        do {
            return try await read(index)
        } catch  where IndexRecovery.isNeeded(after: error) {
            try await recover(index, after: error)
            return try await read(self.index)
        }
    }

    /// How often an index that is read without locks is reopened for one query because other processes change it.
    private static let reopeningLimit = 5

    /// Reads an index that can't be written. A result or an error from two different states of the index is discarded.
    private func readUnchanged<Result>(_ read: (StoreIndex) async throws -> Result) async throws -> Result {
        var changes = 0
        while changes < Self.reopeningLimit {
            let index = index
            var outcome: Swift.Result<Result, any Error>
            do { outcome = .success(try await read(index)) } catch { outcome = .failure(error) }
            if !index.hasChangedBehind { return try outcome.get() }
            // A change of this process that fails has closed it to try whether it can be written by now.
            if !index.wasGivenUp { changes += 1 }
            let (opened, memory) = (opened, memory)
            try await writes.exclusively {
                try opened.reopen(index)
                memory.withLock { $0.removeAll() }
            }
        }
        throw StoreError(code: .readFailed, message: "The index of the store changes all the time.")
    }

    /// Makes a change; a damaged index begins anew first.
    func writing<Result: Sendable>(
        _ message: String, _ work: @escaping @Sendable (WriteContext) throws -> Result
    ) async throws -> Result {
        let index = index
        do {
            do {
                return try await writes.perform(work)
            } catch  where IndexRecovery.isNeeded(after: error) && !index.isReadOnly {
                try await recover(index, after: error)
                return try await writes.perform(work)
            }
        } catch {
            throw error as? StoreError ?? .unwritten(message, because: error)
        }
    }

    /// Replaces a damaged index by an empty one, unless it was replaced meanwhile.
    func recover(_ damaged: StoreIndex, after error: (any Error)?) async throws {
        let (opened, memory) = (opened, memory)
        try await writes.exclusively {
            try opened.recover(damaged, after: error)
            memory.withLock { $0.removeAll() }
        }
    }
}

/// The losses that a change survives once it has returned.
package enum StoreDurability: Sendable, CaseIterable {
    /// The end of the process, killed or not. No change waits for the disk; after a loss of power entries may be
    /// missing, but the remaining ones are intact.
    case process
    /// A loss of power as well: every change returns once it is on the disk, and many changes share one wait.
    case power
}
