import HTTPCacheSemantics
import ResponseStore

extension ResponseCache {
    /// Removes stored responses and, in the same call, what a web view keeps on its own: since a date, or for ever.
    ///
    /// The web view's data goes first: what it asks for meanwhile must not fill the store again from pages that know
    /// the user. What is said about ``remove(_:)`` holds for the responses.
    ///
    /// - Parameters:
    ///   - selection: Of the responses. One that says nothing means none of them, also with a date.
    ///   - kinds: Of the web view's data; none of it where this is empty.
    ///   - since: Only what was stored or modified then or later; `nil` for all.
    /// - Returns: How many responses went, and their bytes; web views do not tell the size of theirs.
    /// - Throws: What the web view's store throws, and then no response was removed; or `StoreError`.
    @discardableResult
    public func clear<Store: WebsiteDataStore>(
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
