import Foundation
import GRDB
import HTTPCacheSemantics
import Locking

/// Responses on disk: a SQLite index, small bodies beside it, large ones as files, and a memory tier in front.
///
/// The format is described at `IndexSchema`. One process at a time should use a directory: another one sees what was
/// committed, but this one may go on answering from its memory tier.
public final class DiskResponseStore: ResponseStorage {
    /// Bodies up to this size lie in the index. Measured: speed hardly depends on it, but at 16 KiB fewer than a
    /// tenth of the bytes are written twice, and more than half of the file opens go away (docs/decisions/0003).
    public static let inlineLimit = ByteCount.kibibytes(16)
    /// The default budget of the memory tier.
    public static let defaultMemoryBudget = ByteCount.mebibytes(16)

    let layout: StoreLayout
    let pool: DatabasePool
    private let memory: LockedBox<MemoryTier>

    /// Opens the store in a directory, making it when it is not there.
    ///
    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    public init(directory: String, memoryBudget: ByteCount = defaultMemoryBudget) throws {
        layout = StoreLayout(directory: directory)
        memory = LockedBox(MemoryTier(budget: Int(memoryBudget.bytes)))
        try IndexSchema.check(layout)
        try layout.prepare()
        pool = try Self.openIndex(layout)
        layout.sweepIncoming()
    }

    private static func openIndex(_ layout: StoreLayout) throws -> DatabasePool {
        do {
            var configuration = Configuration()
            configuration.busyMode = .timeout(5)
            configuration.label = "larder.index"
            let pool = try DatabasePool(path: layout.index, configuration: configuration)
            try pool.write { try IndexSchema.prepare(layout, in: $0) }
            return pool
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                code: .directoryUnusable,
                message: "The index of the store in '\(layout.directory)' can't be opened; choose another directory.",
                cause: error)
        }
    }

    public func entries(for key: CacheKey) async throws -> [StoredEntry] {
        let (known, generation) = memory.withLock { ($0.cache.value(for: key), $0.generation) }
        if let known { return known }
        let found = try await rows(where: "partition = ? AND uri = ?", [key.partition, key.uri])
        if !found.isEmpty { remember(found, for: key, readAt: generation) }
        return found
    }

    public func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try await rows(where: "partition = ? AND search_base = ?", [key.partition, key.searchBase])
    }

    /// The entries of some rows, most recently stored or validated first. Rows that can't be understood are dropped.
    private func rows(where condition: String, _ arguments: StatementArguments) async throws -> [StoredEntry] {
        let (found, senseless) = try await Self.reading {
            try await pool.read { database -> ([StoredEntry], [Int64]) in
                let statement = try database.cachedStatement(
                    sql: EntryRow.select + " WHERE \(condition) ORDER BY response_time DESC, entry.id DESC")
                let rows = try Row.fetchAll(statement, arguments: arguments)
                let entries = rows.map(EntryRow.read)
                let senseless = zip(rows, entries).filter { $1 == nil }.map { $0.0[0] as Int64 }
                return (entries.compactMap { $0 }, senseless)
            }
        }
        if !senseless.isEmpty { await dropRows(senseless) }
        return found
    }

    public func open(_ entry: StoredEntry) async throws -> StoredContent {
        if let bytes = entry.inlineBody {
            if Int64(bytes.count) == entry.bodyLength.bytes { return .bytes(bytes) }
        } else {
            let descriptor = SystemCalls.open(layout.body(entry.bodyDigest), SystemCalls.readOnly)
            if descriptor >= 0 {
                let file = BodyFile(descriptor: descriptor, length: entry.bodyLength)
                if SystemCalls.size(descriptor) == entry.bodyLength.bytes { return .file(file) }
            }
        }
        try await dropDamaged(entry)
        throw StoreError(
            code: .corruptEntry, message: "The stored body of '\(entry.key)' is missing or damaged; it was dropped.")
    }

    public func makePendingBody() -> any PendingBody {
        PendingDiskBody(path: layout.incomingBody(), inlineLimit: Int(Self.inlineLimit.bytes))
    }

    public func usage() async throws -> StoreUsage {
        try await Self.reading {
            try await pool.read { database in
                let row = try Row.fetchOne(
                    database,
                    sql: "SELECT (SELECT count(*) FROM entry), count(*), coalesce(sum(length), 0) FROM body")
                return StoreUsage(
                    entries: row?[0] ?? 0, bodies: row?[1] ?? 0, bodyBytes: ByteCount((row?[2] as Int64?) ?? 0))
            }
        }
    }

    /// Gives what goes wrong while reading the index its code.
    static func reading<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch {
            throw StoreError(code: .readFailed, message: "The index of the store can't be read.", cause: error)
        }
    }

    /// Keeps what was read, unless something was committed after the read began.
    private func remember(_ entries: [StoredEntry], for key: CacheKey, readAt generation: UInt64) {
        let cost = entries.reduce(0) { $0 + ($1.inlineBody?.count ?? 0) + 1_024 }
        memory.withLock { memory in
            if memory.generation == generation { memory.cache.set(entries, for: key, cost: cost) }
        }
    }

    /// Called after every commit that touched a key.
    func forget(_ key: CacheKey) {
        memory.withLock { memory in
            memory.generation += 1
            memory.cache.remove(key)
        }
    }

    /// Called after a commit that touched keys which are not known one by one.
    func forgetAll() {
        memory.withLock { memory in
            memory.generation += 1
            memory.cache.removeAll()
        }
    }

    private struct MemoryTier: Sendable {
        var cache: RecencyCache<CacheKey, [StoredEntry]>
        /// Counts commits, so that a slow read can't put back what a commit has replaced.
        var generation: UInt64 = 0

        init(budget: Int) {
            cache = RecencyCache(budget: budget)
        }
    }
}
