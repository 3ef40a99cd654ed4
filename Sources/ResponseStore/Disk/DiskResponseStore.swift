import Foundation
import GRDB
import HTTPCacheSemantics
import Locking

/// Responses on disk: a SQLite index, heads and small bodies in segments, large bodies as files, and a memory tier in
/// front.
///
/// The format is described at `IndexSchema`. Several processes may use one directory: each sees what the others have
/// committed. When ``commit(_:key:response:)`` or another change returns, every reader sees it, and it is durable.
public final class DiskResponseStore: ResponseStorage {
    /// The default budget of the memory tier.
    public static let defaultMemoryBudget = ByteCount.mebibytes(16)

    /// What may be stored.
    public let budget: StoreBudget
    let layout: StoreLayout
    let fileSystem: any FileSystem
    let segments: SegmentFiles
    let bodyFiles: BodyFiles
    let memory: LockedBox<MemoryTier>
    let log: ChangeLog
    let writes: WriteQueue
    /// The wall clock, which tells when entries were last asked for.
    let wallTime: @Sendable () -> WallInstant
    /// The bodies that this store adds parts to.
    let growth: BodyGrowth
    private let opened: OpenedIndex
    /// Hosts that sent other bytes under a hashed name, and when.
    let distrusted: LockedBox<[String: WallInstant]>

    /// Opens the store in a directory, making it when it is not there.
    ///
    /// A store that is there and can't be written, for want of rights, of space, or on a file system that is mounted for
    /// reading, is read: see ``isReadOnly``.
    ///
    /// - Parameter wallTime: The wall clock, which tells when a response was last asked for; the machine's unless set.
    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    public convenience init(
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
        self.wallTime = wallTime
        self.fileSystem = fileSystem
        layout = StoreLayout(directory: directory)
        memory = LockedBox(MemoryTier(budget: Int(memoryBudget.bytes)))
        segments = SegmentFiles(layout, fileSystem)
        bodyFiles = BodyFiles(layout, fileSystem)
        opened = try OpenedIndex(layout, fileSystem, durability)
        log = ChangeLog(layout, fileSystem)
        let opened = opened
        let writer = StoreWriter(
            layout, fileSystem, segments, memory, log, budget: budget, lastIndex: opened.current
        ) { try opened.inPlace() }
        writes = WriteQueue(writer)
        growth = BodyGrowth(writer: writer.writer)
        distrusted = LockedBox(opened.current.distrustedHosts)
        if !isReadOnly { layout.sweepIncoming(fileSystem) }
    }

    var index: StoreIndex { opened.current }

    /// Whether the store is only read, because it could not be written when it was opened.
    ///
    /// Then look-ups, summaries, ``usage()`` and ``verify()`` work as ever, and see what others store; every change fails
    /// with ``StoreError/Code/writeFailed``, and uses are not noted. The first change after the obstacle is gone succeeds,
    /// except for rights where another process had the store open: then it takes a new opening.
    public var isReadOnly: Bool { index.isReadOnly }

    /// - Throws: ``StoreError/Code/writeFailed`` where there is no right to write in the store.
    public func makePendingBody() throws -> any PendingBody {
        if isReadOnly, !layout.mayWrite { throw layout.unwritable() }
        return PendingDiskBody(path: layout.incomingBody(), fileSystem: fileSystem)
    }

    public func mark() -> StoreMark? { log.mark() }

    public func isInvalidated(_ key: CacheKey, since mark: StoreMark) -> Bool {
        log.history(of: key, since: mark).isInvalidated
    }

    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await commit(body, key: key, response: response, since: mark) { _, _ in }?.entry
    }

    /// Stores a response, and does what goes with it in the same transaction.
    func commit<Result: Sendable>(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        and work: @escaping @Sendable (WriteContext, StoredEntry) throws -> Result
    ) async throws -> (entry: StoredEntry, result: Result)? {
        guard let body = body as? PendingDiskBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        var finished = try await Self.finish(body)
        if response.extent != .complete, finished.bytes == nil { finished.body = finished.body.growing }
        let received = finished
        guard finished.body.length.bytes <= budget.longestBody else {
            throw StoreError(
                code: .writeFailed,
                message: "The response to '\(key)' is longer than a quarter of the store's budget, \(budget.total).")
        }
        let stored = try await writing("A response could not be stored.", addsRecords: true) { context in
            try context.put(received, from: body, key: key, response: response, since: mark).map { entry in
                (entry: entry, result: try work(context, entry))
            }
        }
        if stored != nil { bodyFiles.forget(finished.body.digest) }
        return stored
    }

    public func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry? {
        try await writing("A response could not be stored.", addsRecords: true) {
            try $0.copy(entry, response: response)
        }
    }

    public func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        try await writing("A validated response could not be updated.", addsRecords: true) {
            try $0.update(id, key: key, response: response)
        }
    }

    /// Keeps the entries of a key from being evicted, whatever else comes. They can still be replaced and removed.
    ///
    /// Pins are counted: each is given up once, by ``unpin(_:)``.
    public func pin(_ key: CacheKey) async throws {
        try await writing("A stored response could not be pinned.") { try $0.pin(key, by: 1) }
    }

    /// Gives a pin up.
    public func unpin(_ key: CacheKey) async throws {
        try await writing("A stored response could not be unpinned.") { try $0.pin(key, by: -1) }
    }

    /// Returns when every change that was asked for before is durable.
    public func flush() async throws {
        try await writing("What was stored last may not be durable.") { _ in }
    }

    /// Gives memory back, as when the system is short of it; what is stored stays.
    ///
    /// - Parameter bytes: How much may be kept; nothing unless set.
    public func releaseMemory(keeping bytes: ByteCount = .zero) {
        memory.withLock { $0.trim(to: Int(bytes.bytes)) }
    }

    /// Seals a body. A large one is synchronised on a thread that may wait: those that run tasks are few.
    private static func finish(_ body: PendingDiskBody) async throws -> PendingDiskBody.Finished {
        guard body.hasFile else { return try body.finish() }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(with: Result { try body.finish() })
            }
        }
    }

    public func usage() async throws -> StoreUsage {
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

    /// What the files of the store take up on the disk now, the index and what is being received included. Looks at
    /// every file once.
    public func diskUsage() async throws -> ByteCount {
        let (layout, fileSystem) = (layout, fileSystem)
        return try await writes.exclusively {
            ByteCount(layout.files(fileSystem).reduce(0) { $0 + SystemCalls.allocatedSize($1) })
        }
    }

    /// Reads one state of the index, on a thread that may wait.
    func reading<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        try await mending { try await $0.pool.read(work) }
    }

    /// Reads the index by one statement, on this thread: that takes less time than going to another one and back.
    func lookingUp<Result>(_ work: (Database) throws -> Result) async throws -> Result {
        try await mending { try $0.lookUp(work) }
    }

    /// What goes wrong gets its code. A damaged index is made anew first.
    private func mending<Result>(_ read: (StoreIndex) async throws -> Result) async throws -> Result {
        let index = index
        do {
            if index.isReadOnly { return try await readUnchanged(read) }
            do {
                return try await read(index)
            } catch  where IndexRecovery.isNeeded(after: error) {
                try await recover(index)
                return try await read(self.index)
            }
        } catch {
            throw StoreError(code: .readFailed, message: "The index of the store can't be read.", cause: error)
        }
    }

    /// So often an index that is read without locks is opened again for one answer, because others have changed it.
    private static let reopeningLimit = 5

    /// Reads what can't be made anew when it is damaged. What is of two states of the index counts as little as an error
    /// that comes from there.
    private func readUnchanged<Result>(_ read: (StoreIndex) async throws -> Result) async throws -> Result {
        for _ in 0..<Self.reopeningLimit {
            let index = index
            var outcome: Swift.Result<Result, any Error>
            do { outcome = .success(try await read(index)) } catch { outcome = .failure(error) }
            if !index.hasChangedBehind { return try outcome.get() }
            let (opened, memory) = (opened, memory)
            try await writes.exclusively {
                try opened.reopen(index)
                memory.withLock { $0.removeAll() }
            }
        }
        throw StoreError(code: .readFailed, message: "The index of the store changes all the time.")
    }

    /// Makes a change; a damaged index is made anew first.
    func writing<Result: Sendable>(
        _ message: String, addsRecords: Bool = false, _ work: @escaping @Sendable (WriteContext) throws -> Result
    ) async throws -> Result {
        let index = index
        do {
            do {
                return try await writes.perform(addsRecords: addsRecords, work)
            } catch  where IndexRecovery.isNeeded(after: error) && !index.isReadOnly {
                try await recover(index)
                return try await writes.perform(addsRecords: addsRecords, work)
            }
        } catch {
            throw error as? StoreError ?? StoreError(code: .writeFailed, message: message, cause: error)
        }
    }

    /// Makes an index anew that is damaged, unless it was replaced meanwhile.
    func recover(_ damaged: StoreIndex) async throws {
        let (opened, memory) = (opened, memory)
        try await writes.exclusively {
            try opened.recover(damaged)
            memory.withLock { $0.removeAll() }
        }
    }
}
