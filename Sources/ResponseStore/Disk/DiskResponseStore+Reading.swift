import Dispatch
import GRDB
import HTTPCacheSemantics

extension DiskResponseStore {
    package func cachedEntries(for key: CacheKey) -> [StoredEntry]? {
        guard memory.withLock({ $0.holds(key) }) else { return nil }
        let (index, stamp) = opened.stamped
        let (entries, isTime) = memory.withLock { memory -> ([StoredEntry]?, Bool) in
            guard let entries = memory.find(key, at: stamp) else { return (nil, false) }
            return (entries, !index.isReadOnly && memory.use(entries, at: wallTime()))
        }
        if isTime { writes.tick() }
        return entries
    }

    package func entries(for key: CacheKey) async throws -> [StoredEntry] {
        let entries = try await peek(at: key)
        if !isReadOnly, memory.withLock({ $0.use(entries, at: wallTime()) }) { writes.tick() }
        return entries
    }

    /// Reads entries for somebody who looks into the store: that is no use of them, which would keep them longer.
    package func peek(at key: CacheKey) async throws -> [StoredEntry] {
        // Without a stamp, as in a suspended store, nothing in memory counts.
        let stamp = memory.withLock { $0.holds(key) } ? opened.stamped.stamp : nil
        let (known, generation) = memory.withLock { ($0.find(key, at: stamp), $0.generation) }
        if let known { return known }
        let entries = try await entries(EntryRow.ofKey, [key.storedPartition.indexed, key.uri.indexed]) { $0 == key }
        if !entries.isEmpty { memory.withLock { $0.remember(entries, for: key, readIn: generation) } }
        return entries
    }

    package func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try await entries(EntryRow.ofSearchBase, [key.storedPartition.indexed, key.searchBase.indexed]) {
            $0.partition == key.partition && $0.site == key.site && $0.searchBase == key.searchBase
        }
    }

    /// The entries of some rows, most recently stored or validated first. Those that are damaged are dropped.
    private func entries(
        _ query: String, _ arguments: StatementArguments, where isMeant: (CacheKey) -> Bool
    ) async throws -> [StoredEntry] {
        let (entries, damaged) = try await lookingUp {
            try EntryRow.fetch(query, arguments, in: $0, where: isMeant)
        }
        if !damaged.isEmpty { await dropDamaged(damaged) }
        return entries.latestFirst
    }

    package func open(_ entry: StoredEntry) async throws -> StoredContent {
        if let bytes = entry.inlineBody {
            if Int64(bytes.count) == entry.bodyLength.bytes { return .bytes(bytes) }
        } else {
            do {
                if let file = try await bodyFile(entry) { return .file(file) }
            } catch let error as StoreError where error.code == .corruptEntry {
                await dropBody(entry.bodyDigest)
                throw error
            }
        }
        // If it can't be dropped, the next look-up finds the same damage.
        try? await dropDamaged(entry)
        throw StoreError(
            code: .corruptEntry, message: "The stored body of '\(entry.key)' is missing or damaged; it was dropped.")
    }

    /// A closed file is opened and verified on a thread that may wait: the threads that run tasks are few.
    private func bodyFile(_ entry: StoredEntry) async throws -> BodyFile? {
        if let known = bodyFiles.known(entry) { return known }
        return try await Self.blocking(at: .userInitiated) { try self.openBodyFile(entry) }
    }

    private func openBodyFile(_ entry: StoredEntry) throws -> BodyFile? {
        do {
            // Not the entry itself: its attachment may retain this file, and that would be a retain cycle.
            return try bodyFiles.file(entry) { [weak self, digest = entry.bodyDigest] in
                guard let self else { return }
                bodyFiles.forget(digest)
                Task { await self.dropBody(digest) }
            }
        } catch {
            throw error as? StoreError
                ?? StoreError(code: .readFailed, message: "A stored body could not be opened.", cause: error)
        }
    }
}
