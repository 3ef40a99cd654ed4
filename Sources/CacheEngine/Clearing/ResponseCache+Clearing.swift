import HTTPCacheSemantics
import ResponseStore

extension ResponseCache {
    /// Removes stored responses and, in the same call, a web view's own data: all, or what is newer than a date.
    ///
    /// The web view's data goes first: otherwise pages that still know the user could fill the store again meanwhile.
    /// The responses are removed as by ``remove(_:)``.
    ///
    /// - Parameters:
    ///   - selection: The responses to remove. A selection without conditions means none of them, also with a date.
    ///   - kinds: The kinds of the web view's data to remove; none of it where this is empty.
    ///   - since: Removes only what was stored or modified then or later; `nil` for all.
    /// - Returns: How many responses were removed, and their bytes; web views do not tell the size of their data.
    /// - Throws: The error of the web view's store, before any response is removed; or `StoreError`.
    @discardableResult
    package func clear<Store: WebsiteDataStore>(
        _ selection: EntrySelection, and kinds: Set<Store.Kind>, in websiteData: Store,
        since: WallInstant? = nil
    ) async throws -> RemovedContent {
        var selection = selection
        if let since, !selection.meansNothing { selection.storedSince = max(since, selection.storedSince ?? since) }
        // No adapter shall take none for all.
        if !kinds.isEmpty { try await websiteData.removeData(of: kinds, since: since) }
        return try await remove(selection)
    }
}
