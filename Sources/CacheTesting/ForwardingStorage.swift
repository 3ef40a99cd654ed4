import HTTPCacheSemantics
import ResponseStore

/// A store that forwards to another one what it does not implement itself.
///
/// ``ResponseStorage/cachedEntries(for:)`` is not forwarded: it would bypass a store that interferes with look-ups.
public protocol ForwardingStorage: ResponseStorage {
    /// The store that does the work.
    var base: any ResponseStorage { get }
}

extension ForwardingStorage {
    public func entries(for key: CacheKey) async throws -> [StoredEntry] { try await base.entries(for: key) }

    public func open(_ entry: StoredEntry) async throws -> StoredContent { try await base.open(entry) }

    public var longestBody: ByteCount { base.longestBody }

    public func makePendingBody() throws -> any PendingBody { try base.makePendingBody() }

    public func mark() -> StoreMark? { base.mark() }

    public func isInvalidated(_ key: CacheKey, since mark: StoreMark) -> Bool {
        base.isInvalidated(key, since: mark)
    }

    public func commit(
        _ body: any PendingBody, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.commit(body, key: key, response: response, since: mark)
    }

    public func commit(
        contentOf entry: StoredEntry, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.commit(contentOf: entry, response: response, since: mark)
    }

    public func extend(
        _ entry: StoredEntry, with body: any PendingBody, by combination: Combination, response: StoredResponse,
        since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.extend(entry, with: body, by: combination, response: response, since: mark)
    }

    public func searchVariants(of key: CacheKey) async throws -> [StoredEntry] {
        try await base.searchVariants(of: key)
    }

    public func update(
        _ id: StoredEntry.ID, key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws {
        try await base.update(id, key: key, response: response, since: mark)
    }

    @discardableResult
    public func removeEntries(for key: CacheKey) async throws -> Int { try await base.removeEntries(for: key) }

    @discardableResult
    public func removeEntries(origin: String, partition: String) async throws -> Int {
        try await base.removeEntries(origin: origin, partition: partition)
    }

    public func summaries(
        of selection: EntrySelection, after last: StoredEntry.ID?, limit: Int
    ) async throws -> [EntrySummary] {
        try await base.summaries(of: selection, after: last, limit: limit)
    }

    @discardableResult
    public func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        try await base.remove(selection)
    }

    @discardableResult
    public func performMaintenance(at now: WallInstant) async throws -> Int {
        try await base.performMaintenance(at: now)
    }

    public func noteContent(_ digest: BodyDigest, under key: CacheKey, variant: String) async throws -> BodyDigest? {
        try await base.noteContent(digest, under: key, variant: variant)
    }

    public func distrust(_ host: String, at time: WallInstant) async throws { try await base.distrust(host, at: time) }

    public var distrustedHosts: [String: WallInstant] { base.distrustedHosts }

    public func move(
        _ entry: StoredEntry, to key: CacheKey, response: StoredResponse, since mark: StoreMark?
    ) async throws -> StoredEntry? {
        try await base.move(entry, to: key, response: response, since: mark)
    }

    public func discard(_ entries: [StoredEntry]) async throws { try await base.discard(entries) }

    public func pin(_ keys: [CacheKey], for holder: String) async throws { try await base.pin(keys, for: holder) }

    public func unpin(_ keys: [CacheKey], for holder: String) async throws { try await base.unpin(keys, for: holder) }

    public func pins(of holder: String) async throws -> Set<CacheKey> { try await base.pins(of: holder) }

    public func usage() async throws -> StoreUsage { try await base.usage() }
}
