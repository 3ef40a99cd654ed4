import CacheEngine
import Foundation
import HTTPCacheSemantics
import ResponseStore

/// Clearing, and how much there is to clear.
extension Larder {
    /// Removes what a selection names: by URL, host, account (its `partition`), age, last use, content type, tag or
    /// pin. Safe while pages load; nothing of it is served afterwards. The web views' own caches are emptied.
    ///
    /// A selection that says nothing, such as one of a host that is `nil`, means nothing, and nothing is removed. All
    /// of the store is ``removeAll()``.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        let removed = try await cache.remove(selection)
        // Now, when they can't be filled again with what is to go.
        await webViewCaches.empty()
        return removed
    }

    /// Removes everything that is stored, for every account.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func removeAll() async throws -> RemovedContent {
        try await remove(.everything)
    }

    /// Removes stored responses and, in the same call, what a web view keeps on its own: since a
    /// date, or for ever. The web view's data goes first; an error there keeps the responses.
    ///
    /// - Parameters:
    ///   - selection: The responses to remove. `.everything` means all, an empty one none, also
    ///     with a date.
    ///   - kinds: The web view's data to remove, such as its cookies; none where this is empty. Where the selection has
    ///     a host, only that of its site: the registrable domain with all hosts below it.
    ///   - since: Only what was stored or modified then or later; `nil` for all. Of one site, all that the web view
    ///     has.
    /// - Returns: How many responses went, and their bytes; web views do not tell the size of theirs.
    /// - Throws: The error of the web view's store, or `StoreError`.
    @discardableResult
    public func clear<Store: WebsiteDataStore>(
        _ selection: EntrySelection, and kinds: Set<Store.Kind>, in websiteData: Store, since: WallInstant? = nil
    ) async throws -> RemovedContent {
        let removed = try await cache.clear(selection, and: kinds, in: websiteData, since: since)
        // Now, when they can't be filled again with what is to go.
        await webViewCaches.empty()
        return removed
    }

    /// Removes every response under a URL, for every account, including under its rewritten key.
    ///
    /// - Throws: `EngineError` for what is no http or https URL, `StoreError` when the store can't be written.
    @discardableResult
    public func remove(_ url: URL) async throws -> RemovedContent {
        let request = engineRequest(try .init(getting: url))
        guard let own = CacheKey(request.head) else {
            throw EngineError(code: .invalidRequest, message: "'\(url.absoluteString)' names no host.")
        }
        var removed = RemovedContent()
        for uri in Set([own.uri, cache.key(for: request)?.uri ?? own.uri]) {
            removed = removed + (try await remove(EntrySelection(uri: uri)))
        }
        return removed
    }

    /// Removes all that is stored for an account, and leaves nobody signed in if it is the current one. The empty text
    /// is no account, see ``account``; nothing is removed for it.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func logOut(_ account: String) async throws -> RemovedContent {
        guard !account.isEmpty else { return RemovedContent() }
        if self.account == account { self.account = nil }
        await preloads.leaveOthers()
        let removed = try await cache.remove(EntrySelection(partition: account))
        await webViewCaches.empty()
        return removed
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
