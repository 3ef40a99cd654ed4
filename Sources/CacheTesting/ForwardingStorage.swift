import HTTPCacheSemantics
import ResponseStore

/// A store that forwards to another one what it does not implement itself.
///
/// ``ResponseStorage/cachedEntries(for:)`` is not forwarded: it would bypass a store that interferes with look-ups.
package protocol ForwardingStorage: ResponseStorage {
    /// The store that does the work.
    var base: any ResponseStorage { get }
}

extension ForwardingStorage {
    package func entries(for key: CacheKey) async throws -> [StoredEntry] { try await base.entries(for: key) }

    package func open(_ entry: StoredEntry) async throws -> StoredContent { try await base.open(entry) }

    package var longestBody: ByteCount { base.longestBody }

    package func makePendingBody() throws -> any PendingBody { try base.makePendingBody() }

    package func mark() -> StoreMark? { base.mark() }

    package func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory { base.history(of: key, since: mark) }

    package func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?,
        noting variant: String?
    ) async throws -> (entry: StoredEntry, seen: BodyDigest?)? {
        try await base.commit(body, key: key, response: response, since: mark, noting: variant)
    }

    package func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.commit(contentOf: entry, response: response, since: mark)
    }

    package func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.extend(entry, with: body, by: combination, response: response, since: mark)
    }

    package func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try await base.searchVariants(of: key)
    }

    package func update(
        _ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws {
        try await base.update(id, key: key, response: response, since: mark)
    }

    @discardableResult
    package func removeEntries(for key: CacheKey, keeping kept: [StoredEntry]) async throws -> Int {
        try await base.removeEntries(for: key, keeping: kept)
    }

    @discardableResult
    package func removeEntries(origin: String, partition: String) async throws -> Int {
        try await base.removeEntries(origin: origin, partition: partition)
    }

    package func summaries(
        of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int
    ) async throws -> [EntrySummary] {
        try await base.summaries(of: selection, after: last, limit: limit)
    }

    @discardableResult
    package func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        try await base.remove(selection)
    }

    @discardableResult
    package func performMaintenance(at now: WallInstant) async throws -> Int {
        try await base.performMaintenance(at: now)
    }

    package func recoverInterrupted() async { await base.recoverInterrupted() }

    package func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest? {
        try await base.noteContent(digest, under: key, variant: variant)
    }

    package func note(_ event: PastEvent, of key: CacheKey) async { await base.note(event, of: key) }

    package func past(of key: CacheKey) async -> (event: PastEvent, time: WallInstant)? { await base.past(of: key) }

    package func distrusted(_ host: String) async -> WallInstant? { await base.distrusted(host) }

    package func distrust(_ host: String, at time: WallInstant) async throws { try await base.distrust(host, at: time) }

    package var distrustedHosts: [String: WallInstant] { base.distrustedHosts }

    package func noteServerCookies(_ names: Set<String>) async throws { try await base.noteServerCookies(names) }

    package func mayBeServerCookies(_ names: Set<String>, since entry: StoredEntry.ID) async throws -> Bool {
        try await base.mayBeServerCookies(names, since: entry)
    }

    package func move(_ moves: [StoredMove]) async throws -> StoredMove.Outcome { try await base.move(moves) }

    package func discard(_ entries: [StoredEntry]) async throws { try await base.discard(entries) }

    package func pin(_ keys: [CacheKey], for holder: String) async throws { try await base.pin(keys, for: holder) }

    package func unpin(_ keys: [CacheKey], for holder: String) async throws { try await base.unpin(keys, for: holder) }

    package func pins(of holder: String) async throws -> Set<CacheKey> { try await base.pins(of: holder) }

    package func usage() async throws -> StoreUsage { try await base.usage() }
}
