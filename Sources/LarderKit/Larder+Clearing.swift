import CacheEngine
import HTTPCacheSemantics
import ResponseStore

/// Clearing, and how much there is to clear.
extension Larder {
    /// Removes what a selection names: by URL, host, account (its `partition`), age, last use, content type, tag, pin,
    /// or everything. Safe while pages load; nothing of it is served afterwards.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        try await cache.remove(selection)
    }

    /// Removes stored responses and, in the same call, what a web view keeps on its own: since a date, or for ever. The
    /// web view's data goes first; what throws there leaves the responses alone.
    ///
    /// - Parameters:
    ///   - selection: Of the responses; all of them unless set.
    ///   - kinds: Of the web view's data, such as its cookies.
    ///   - since: Only what was stored or modified then or later; `nil` for all.
    /// - Returns: How many responses went, and their bytes; web views do not tell the size of theirs.
    /// - Throws: What the web view's store throws, or `StoreError`.
    @discardableResult
    public func clear<Store: WebsiteDataStore>(
        _ selection: EntrySelection = .everything, and kinds: Set<Store.Kind>, in websiteData: Store,
        since: WallInstant? = nil
    ) async throws -> RemovedContent {
        try await cache.clear(selection, and: kinds, in: websiteData, since: since)
    }

    /// Removes every response under a URL, whoever's it is, and under the one that a rule for keys makes of it.
    ///
    /// - Throws: `EngineError` for what is no http or https URL, `StoreError` when the store can't be written.
    @discardableResult
    public func remove(_ url: String) async throws -> RemovedContent {
        // A selection without a URI would be everything.
        let request = engineRequest(try Self.get(url), nil, .unknown, .protocolDefault)
        guard let own = CacheKey(request.head) else {
            throw EngineError(code: .invalidRequest, message: "'\(url)' names no host.")
        }
        var removed = try await cache.remove(EntrySelection(uri: own.uri))
        if let key = cache.key(for: request), key.uri != own.uri {
            removed = removed + (try await cache.remove(EntrySelection(uri: key.uri)))
        }
        return removed
    }

    /// Removes all that is stored for an account, and leaves nobody signed in if it is the current one.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func logOut(_ account: String) async throws -> RemovedContent {
        if self.account == account { self.account = "" }
        return try await cache.removePartition(account)
    }

    /// A check point: what has expired by a rule goes first when space is needed. One is made at the start and every
    /// hour beside other work; call it where the system gives time for such work.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    public func performMaintenance() async throws {
        try await cache.performMaintenance()
        try await store.removeOrphans()
    }

    /// Gives memory back, as when the system is short of it; what is stored stays.
    public func releaseMemory() {
        store.releaseMemory()
    }

    /// How much is stored, and what it takes on the disk.
    ///
    /// - Throws: `StoreError` when the store can't be read.
    public var usage: LarderUsage {
        get async throws {
            let stored = try await store.usage()
            return LarderUsage(
                responses: stored.entries, content: stored.bodyBytes, onDisk: try await store.diskUsage())
        }
    }
}
