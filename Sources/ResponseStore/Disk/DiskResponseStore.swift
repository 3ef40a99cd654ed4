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

    let layout: StoreLayout
    let fileSystem: any FileSystem
    let segments: SegmentFiles
    let bodyFiles: BodyFiles
    let memory: LockedBox<MemoryTier>
    let writes: WriteQueue
    private let opened: OpenedIndex

    /// Opens the store in a directory, making it when it is not there.
    ///
    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    public convenience init(
        directory: String, memoryBudget: ByteCount = defaultMemoryBudget, durability: StoreDurability = .power
    ) throws {
        try self.init(
            directory: directory, memoryBudget: memoryBudget,
            fileSystem: LocalFileSystem(synchronizes: durability == .power), durability: durability)
    }

    init(
        directory: String, memoryBudget: ByteCount, fileSystem: any FileSystem, durability: StoreDurability
    ) throws {
        self.fileSystem = fileSystem
        layout = StoreLayout(directory: directory)
        memory = LockedBox(MemoryTier(budget: Int(memoryBudget.bytes)))
        segments = SegmentFiles(layout, fileSystem)
        bodyFiles = BodyFiles(layout, fileSystem)
        opened = try OpenedIndex(layout, fileSystem, durability)
        let opened = opened
        let writer = StoreWriter(layout, fileSystem, segments, memory) { try opened.inPlace() }
        writes = WriteQueue(writer)
        layout.sweepIncoming(fileSystem)
    }

    var index: StoreIndex { opened.current }

    public func makePendingBody() -> any PendingBody {
        PendingDiskBody(path: layout.incomingBody(), fileSystem: fileSystem)
    }

    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse
    ) async throws -> StoredEntry {
        guard let body = body as? PendingDiskBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        let finished = try await Self.finish(body)
        do {
            let entry = try await writes.perform { try $0.put(finished, from: body, key: key, response: response) }
            bodyFiles.forget(entry.bodyDigest)
            return entry
        } catch {
            throw Self.writeError("A response could not be stored.", error)
        }
    }

    public func commit(contentOf entry: StoredEntry, response: StoredResponse) async throws -> StoredEntry? {
        do {
            return try await writes.perform { try $0.copy(entry, response: response) }
        } catch {
            throw Self.writeError("A response could not be stored.", error)
        }
    }

    public func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse) async throws {
        do {
            try await writes.perform { try $0.update(id, key: key, response: response) }
        } catch {
            throw Self.writeError("A validated response could not be updated.", error)
        }
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

    static func writeError(_ message: String, _ error: any Error) -> StoreError {
        error as? StoreError ?? StoreError(code: .writeFailed, message: message, cause: error)
    }

    public func usage() async throws -> StoreUsage {
        try await reading { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT (SELECT count(*) FROM entry), count(*), coalesce(sum(length), 0) FROM body")
            return StoreUsage(
                entries: row?[0] ?? 0, bodies: row?[1] ?? 0, bodyBytes: ByteCount((row?[2] as Int64?) ?? 0))
        }
    }

    /// Reads the index; what goes wrong gets its code.
    func reading<Result: Sendable>(
        _ work: @escaping @Sendable (Database) throws -> Result
    ) async throws -> Result {
        do {
            return try await index.pool.read(work)
        } catch {
            throw StoreError(code: .readFailed, message: "The index of the store can't be read.", cause: error)
        }
    }
}
