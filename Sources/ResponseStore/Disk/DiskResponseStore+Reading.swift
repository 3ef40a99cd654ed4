import Dispatch
import GRDB
import HTTPCacheSemantics

extension DiskResponseStore {
    package func cachedEntries(for key: CacheKey) -> [StoredEntry]? {
        let (index, stamp) = opened.stamped
        let (finding, isTime) = memory.withLock { memory -> (MemoryTier.Finding, Bool) in
            let finding = memory.find(key, at: stamp)
            guard case .entries(let entries) = finding else { return (finding, false) }
            return (finding, !index.isReadOnly && memory.use(entries, at: wallTime()))
        }
        if isTime { writes.tick() }
        guard case .entries(let entries) = finding else { return nil }
        return entries
    }

    package func entries(for key: CacheKey) async throws -> [StoredEntry] {
        let entries = try await find(key)
        if !isReadOnly, memory.withLock({ $0.use(entries, at: wallTime()) }) { writes.tick() }
        return entries
    }

    private func find(_ key: CacheKey) async throws -> [StoredEntry] {
        // Without a stamp, as in a suspended store, nothing in memory counts.
        let stamp = opened.stamped.stamp
        let (finding, generation) = memory.withLock { ($0.find(key, at: stamp), $0.generation) }
        switch finding {
        case .entries(let entries): return entries
        case .location(let location):
            // A record that does not match was released meanwhile, or is damaged; the index decides.
            if let entry = try? read(location.head, location.body), entry.key == key {
                memory.withLock { $0.remember([entry], at: nil, for: key, readIn: generation) }
                return [entry]
            }
        case .nothing: break
        }
        let (entries, rows) = try await entries(
            where: "partition = ? AND uri = ?", [key.storedPartition.indexed, key.uri.indexed])
        guard let first = rows.first else { return entries }
        let location = rows.count == 1 ? LocationTable.Location(head: first.head, body: first.body) : nil
        memory.withLock { $0.remember(entries, at: location, for: key, readIn: generation) }
        return entries
    }

    package func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try await entries(
            where: "partition = ? AND search_base = ?", [key.storedPartition.indexed, key.searchBase.indexed]
        )
        .entries
    }

    /// The entries of some rows, most recently stored or validated first. Those that can't be read are dropped.
    private func entries(
        where condition: String, _ arguments: StatementArguments
    ) async throws -> (entries: [StoredEntry], rows: [EntryRow]) {
        let sql = """
            SELECT \(EntryRow.columns) \(EntryRow.source) WHERE \(condition) ORDER BY response_time DESC, entry.id DESC
            """
        // An unreadable entry may have been replaced after the query: then its row has changed now.
        var suspects: Set<EntryRow> = []
        while true {
            let (rows, senseless) = try await lookingUp { database -> ([EntryRow], [Int64]) in
                let found = try Row.fetchAll(try database.cachedStatement(sql: sql), arguments: arguments)
                let rows = found.map { EntryRow($0) }
                return (rows.compactMap { $0 }, zip(found, rows).filter { $1 == nil }.map { $0.0.number(0) })
            }
            if !senseless.isEmpty { await dropRows(senseless) }
            var entries: [StoredEntry] = []
            var unreadable: [EntryRow] = []
            for row in rows {
                if let entry = try entry(row) { entries.append(entry) } else { unreadable.append(row) }
            }
            let damaged = unreadable.filter { suspects.contains($0) }
            if !damaged.isEmpty { await dropDamaged(damaged) }
            if damaged.count == unreadable.count { return (entries, rows) }
            suspects.formUnion(unreadable)
        }
    }

    /// - Returns: `nil` if it is gone or damaged.
    private func entry(_ row: EntryRow) throws -> StoredEntry? {
        do {
            guard let entry = try read(row.head, row.body), entry.id.rawValue == row.id,
                entry.bodyDigest == row.digest, entry.bodyLength.bytes == row.bodyLength
            else { return nil }
            return entry
        } catch {
            throw StoreError(code: .readFailed, message: "A stored response could not be read.", cause: error)
        }
    }

    /// Reads a head and its body, and verifies both by their checksums.
    func read(_ head: SegmentRange, _ body: SegmentRange?) throws -> StoredEntry? {
        guard let segment = try segments.segment(head.segment) else { return nil }
        let isBehind = body.map { $0.segment == head.segment && $0.offset == head.end } ?? false
        guard
            let reading = try segment.read(head, bodyLength: isBehind ? body.map { Int($0.length) } : nil)
        else { return nil }
        var bytes = reading.body
        if let body, bytes == nil {
            guard let other = try segments.segment(body.segment) else { return nil }
            bytes = try other.readBody(body, of: reading.head.body)
            if bytes == nil { return nil }
        }
        return StoredEntry(
            id: .init(rawValue: reading.head.id), key: reading.head.key, response: reading.head.response,
            body: reading.head.body, inlineBody: bytes)
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
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try self.openBodyFile(entry) })
            }
        }
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
