import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Removing, refreshing and tidying up, safe while exchanges run.
extension ResponseCache {
    /// Removes what a selection names, pinned or not.
    ///
    /// When this returns, nothing of it is found again, in memory or on the disk. A response that is arriving is still
    /// delivered to whoever asked for it; where a key, a type or a tag is named, it is not stored, because it may be of
    /// what was to go. An answer that was begun before goes on to its end.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        if selection.meansNothing { return RemovedContent() }
        if selection.meansArriving {
            if let uri = selection.uri, let partition = selection.partition {
                flights.detach(CacheKey(partition: partition, uri: uri))
            } else {
                flights.detachAll()
            }
        }
        // Nobody asks the origin in the name of an account that is gone.
        revalidationBacklog.forget { selection.contains($0) }
        let removed = try await store.remove(selection)
        revalidationBacklog.forget { selection.contains($0) }
        if selection == .everything { policy.setDistrustedHosts(store.distrustedHosts) }
        noteRemoval(of: selection)
        return removed
    }

    /// Removes everything of a partition, such as an account that is signed out.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    public func removePartition(_ partition: String) async throws -> RemovedContent {
        try await remove(EntrySelection(partition: partition))
    }

    /// A check point: what has expired by a rule goes first when space is needed, and stays until then, for use without
    /// a network, and what was used is written down. Cheap where nothing is to be done; to be called at the start, now
    /// and then, and when asked for.
    ///
    /// - Returns: How many responses have expired since the last time.
    @discardableResult
    public func performMaintenance() async throws -> Int {
        lastMaintenance.withLock { $0 = configuration.clock.uptime() }
        return try await store.performMaintenance(at: now)
    }

    /// The check point in the background: beside storing, an hour after the last one.
    func performMaintenanceWhereDue() {
        let uptime = configuration.clock.uptime()
        let isDue = lastMaintenance.withLock { last in
            guard let known = last else {
                last = uptime
                return false
            }
            guard uptime - known >= .seconds(3_600) else { return false }
            last = uptime
            return true
        }
        // What can't be written now is found at the next one.
        if isDue { background.transfer { _ = try? await self.performMaintenance() } }
    }
}
