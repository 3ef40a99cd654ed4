import HTTPCacheSemantics
import Locking

/// A store in memory, for tests and for sessions that must leave no trace. Unbounded.
package final class MemoryResponseStore: ResponseStorage {
    /// The content seen under a name, and when that response was stored.
    struct Seen {
        var digest: BodyDigest
        var at: WallInstant

        /// Whether a selection by time includes it.
        func isMeant(by selection: EntrySelection) -> Bool {
            (selection.storedSince.map { at >= $0 } ?? true) && (selection.storedBefore.map { at < $0 } ?? true)
        }
    }

    struct Content {
        var entries: [CacheKey: [StoredEntry]] = [:]
        var lastID: Int64 = 0
        var seen: [CacheKey: [String: Seen]] = [:]
        var distrusted: [String: WallInstant] = [:]
        var past: [CacheKey: PastEvent] = [:]
        /// Whether a response with `No-Vary-Search` was ever stored; without one no look-up has to read all.
        var hasSearches = false
        var serverCookies: Set<String> = []
        var changes = KeyChanges()
        var pins: [String: Set<CacheKey>] = [:]

        mutating func add(_ new: StoredEntry) -> StoredEntry {
            lastID += 1
            var entry = new
            entry.id = .init(rawValue: lastID)
            entries[entry.key, default: []].removeAll {
                $0.response.nominatedFields == entry.response.nominatedFields
            }
            entries[entry.key, default: []].append(entry)
            if entry.response.fields.contains(.noVarySearch) { hasSearches = true }
            limitVariants(of: entry)
            changes.note(.stored, entry.key)
            return entry
        }

        mutating func forgetPins(where isGone: (CacheKey) -> Bool) {
            pins = pins.mapValues { keys in keys.filter { !isGone($0) } }
        }

        mutating func discard(_ entry: StoredEntry) {
            entries[entry.key]?.removeAll { $0.id == entry.id }
            if entries[entry.key]?.isEmpty == true { entries[entry.key] = nil }
        }

        /// As in ``DiskResponseStore``.
        private mutating func limitVariants(of entry: StoredEntry) {
            discardOldest(of: entries[entry.key] ?? [], to: WriteContext.variantLimit, sparing: entry.id)
            guard EntryRow.searchBase(entry.key, entry.response) != nil else { return }
            discardOldest(of: searchVariants(of: entry.key), to: WriteContext.searchLimit, sparing: entry.id)
        }

        private mutating func discardOldest(of all: [StoredEntry], to limit: Int, sparing new: StoredEntry.ID) {
            for entry in all.latestFirst.filter({ $0.id != new }).dropFirst(limit - 1) { discard(entry) }
        }

        func searchVariants(of key: CacheKey) -> [StoredEntry] {
            guard hasSearches else { return [] }
            return entries.filter {
                $0.key.partition == key.partition && $0.key.site == key.site && $0.key.searchBase == key.searchBase
            }
            .flatMap(\.value).filter { $0.response.fields.contains(.noVarySearch) }
        }

        /// The response in the form to store; `nil` if it is outdated. As in ``WriteContext``.
        mutating func ordered(
            _ response: StoredResponse, _ digest: BodyDigest, _ key: CacheKey, since mark: StoreMark?
        ) -> StoredResponse? {
            guard let mark else {
                changes.note(.invalidated, key)
                return response
            }
            let decision = ArrivalDecision(response, digest, after: changes.history(of: key, since: mark)) {
                entries[key]?.first { $0.response.nominatedFields == response.nominatedFields }
                    .map { ($0.id, $0.response, $0.bodyDigest) }
            }
            switch decision {
            case .store(let response): return response
            case .discard: return nil
            case .refuse(let doubted):
                changes.note(.refused, key)
                if let doubted, let place = entries[key]?.firstIndex(where: { $0.id == doubted.id }) {
                    entries[key]?[place].response = doubted.response
                }
                return nil
            }
        }

        /// A validated response in the form to keep. As in ``WriteContext``.
        func validated(
            _ response: StoredResponse, _ id: StoredEntry.ID, _ key: CacheKey, since mark: StoreMark?
        ) -> StoredResponse? {
            guard let mark else { return response }
            return ArrivalDecision.validated(response, after: changes.history(of: key, since: mark)) {
                entries[key]?.contains { $0.id == id && $0.response.needsValidation } ?? false
            }
        }

        mutating func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?) {
            guard entries[key]?.contains(where: { $0.id == id }) == true,
                let response = validated(response, id, key, since: mark)
            else { return }
            entries[key]?.removeAll {
                $0.id != id && $0.response.nominatedFields == response.nominatedFields
            }
            guard let index = entries[key]?.firstIndex(where: { $0.id == id }) else { return }
            entries[key]?[index].response = response
            changes.note(.stored, key)
            if response.needsValidation { changes.note(.refused, key) }
        }
    }

    let content = LockedBox(Content())

    package init() {}

    package func entries(for key: CacheKey) -> [StoredEntry] {
        (content.withLock { $0.entries[key] } ?? []).latestFirst
    }

    package func cachedEntries(for key: CacheKey) -> [StoredEntry]? { entries(for: key) }

    package func open(_ entry: StoredEntry) -> StoredContent {
        .bytes(entry.inlineBody ?? [])
    }

    package func makePendingBody() -> any PendingBody { PendingMemoryBody() }

    package func mark() -> StoreMark? { content.withLock { $0.changes.mark } }

    package func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory {
        content.withLock { $0.changes.history(of: key, since: mark) }
    }

    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        guard let body = body as? PendingMemoryBody else {
            throw StoreError(code: .writeFailed, message: "The body was received for another store.")
        }
        let bytes = body.finish()
        let digest = SHA256Hasher.digest(of: bytes)
        let stored = content.withLock { content -> StoredEntry? in
            guard let response = content.ordered(response, digest, key, since: mark) else { return nil }
            return content.add(
                StoredEntry(
                    id: .init(rawValue: 0), key: key, response: response, bodyDigest: digest,
                    bodyLength: ByteCount(bytes.count), inlineBody: bytes))
        }
        guard let stored else { return nil }
        return (stored, variant.flatMap { noteContent(digest, under: key, variant: $0) })
    }

    package func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) -> StoredEntry? {
        content.withLock { content in
            guard content.entries[entry.key]?.contains(where: { $0.id == entry.id }) == true else { return nil }
            var copy = entry
            copy.response = response
            if mark != nil {
                guard let ordered = content.ordered(response, entry.bodyDigest, entry.key, since: mark) else {
                    return nil
                }
                copy.response = ordered
            }
            return content.add(copy)
        }
    }

    package func move(_ moves: [StoredMove]) -> StoredMove.Outcome {
        content.withLock { content in
            let ready = moves.map { move -> StoredEntry? in
                let entry = move.entry
                guard content.entries[entry.key]?.contains(where: { $0.id == entry.id }) == true,
                    let ordered = content.ordered(move.response, entry.bodyDigest, move.key, since: move.mark)
                else { return nil }
                return StoredEntry(
                    id: entry.id, key: move.key, response: ordered, bodyDigest: entry.bodyDigest,
                    bodyLength: entry.bodyLength, inlineBody: entry.inlineBody)
            }
            let missing = moves.indices.filter { ready[$0] == nil && !moves[$0].isOptional }
            guard missing.isEmpty else { return .unchanged(missing) }
            var made: Set<StoredEntry.ID> = []
            return .moved(
                zip(moves, ready).map { move, ready -> StoredEntry? in
                    guard let ready else { return nil }
                    content.discard(move.entry)
                    let moved = content.add(ready)
                    made.insert(moved.id)
                    if move.isOnly { content.entries[move.key]?.removeAll { !made.contains($0.id) } }
                    return moved
                })
        }
    }

    package func discard(_ entries: [StoredEntry]) {
        content.withLock { content in
            for entry in entries { content.discard(entry) }
        }
    }

    package func pin(_ keys: [CacheKey], for holder: String) {
        content.withLock { $0.pins[holder, default: []].formUnion(keys) }
    }

    package func unpin(_ keys: [CacheKey], for holder: String) {
        content.withLock { $0.pins[holder]?.subtract(keys) }
    }

    package func pins(of holder: String) -> Set<CacheKey> {
        content.withLock { $0.pins[holder] ?? [] }
    }

    package func searchVariants(of key: CacheKey) -> [StoredEntry] {
        content.withLock { $0.searchVariants(of: key) }
    }

    package func update(_ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?) {
        content.withLock { $0.update(id, key: key, response: response, since: mark) }
    }

    package func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) -> Int {
        content.withLock { content in
            content.changes.note(.invalidated, key)
            let ids = Set(kept.map(\.id))
            let keys = content.entries.keys.filter { $0.partition == key.partition && $0.uri == key.uri }
            let count = keys.reduce(0) { count, key in
                let all = content.entries.removeValue(forKey: key) ?? []
                let left = all.filter { ids.contains($0.id) }
                if !left.isEmpty { content.entries[key] = left }
                return count + all.count - left.count
            }
            for entry in kept { content.update(entry.id, key: entry.key, response: entry.response, since: nil) }
            return count
        }
    }

    package func removeEntries(origin: String, partition: String) -> Int {
        content.withLock { content in
            content.changes.note(.invalidated, CacheKey(origin: origin, partition: partition))
            let keys = content.entries.keys.filter { $0.partition == partition && $0.uri.hasPrefix(origin + "/") }
            return keys.reduce(0) { $0 + (content.entries.removeValue(forKey: $1)?.count ?? 0) }
        }
    }

    package func usage() -> StoreUsage {
        content.withLock { content in
            let all = content.entries.values.joined()
            let bodies = Dictionary(all.map { ($0.bodyDigest, $0.bodyLength) }, uniquingKeysWith: { $1 })
            return StoreUsage(
                entries: all.count, bodies: bodies.count, bodyBytes: bodies.values.reduce(.zero, +))
        }
    }

    /// Nothing is evicted here.
    package func performMaintenance(at now: WallInstant) -> Int { 0 }

    package func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) -> BodyDigest? {
        content.withLock { content in
            let known = content.seen[key]?[variant]
            if known?.digest == digest { return digest }
            let time = content.entries[key]?.map(\.response.responseTime).max() ?? WallInstant(sinceEpoch: .zero)
            content.seen[key, default: [:]][variant] = Seen(digest: digest, at: time)
            return known?.digest
        }
    }

    package func distrust(_ host: String, at time: WallInstant) {
        content.withLock { $0.distrusted.note(host, at: time) }
    }

    package func note(_ event: PastEvent, of key: CacheKey) {
        content.withLock { content in
            if content.past.count >= PastEvent.most { content.past = [:] }
            content.past[key] = event
        }
    }

    /// The time is not known here.
    package func past(of key: CacheKey) -> (event: PastEvent, time: WallInstant)? {
        content.withLock { $0.past[key].map { ($0, WallInstant(sinceEpoch: .zero)) } }
    }

    package func distrusted(_ host: String) -> WallInstant? { content.withLock { $0.distrusted[host] } }

    package var distrustedHosts: [String: WallInstant] { content.withLock { $0.distrusted } }

    package func noteServerCookies(_ names: Set<String>) { content.withLock { $0.serverCookies.formUnion(names) } }

    package func mayBeServerCookies(_ names: Set<String>, since entry: StoredEntry.ID) -> Bool {
        content.withLock { !$0.serverCookies.isDisjoint(with: names) }
    }
}
