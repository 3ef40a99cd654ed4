import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Removing and maintenance, safe while exchanges run.
extension ResponseCache {
    /// Removes what a selection names, pinned or not.
    ///
    /// When this returns, nothing of it is found any more, in memory or on the disk. A response that is arriving is
    /// still delivered to its client; if a key, a type or a tag is named, it is not stored, because the selection may
    /// mean it. An answer that has begun goes on to its end.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    package func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        if selection.meansNothing { return RemovedContent() }
        if selection.meansArriving {
            if let uri = selection.uri, let partition = selection.partition {
                flights.detachAll(of: CacheKey(partition: partition, uri: uri))
            } else {
                flights.detachAll()
            }
        }
        // No validation is sent in the name of an account that is removed.
        revalidationBacklog.forget { selection.contains($0) }
        let removed = try await store.remove(selection)
        revalidationBacklog.forget { selection.contains($0) }
        if selection == .everything { policy.setDistrustedHosts(store.distrustedHosts) }
        noteRemoval(of: selection)
        return removed
    }

    /// Removes everything in a partition, such as that of an account that has signed out.
    ///
    /// - Throws: `StoreError` when the store can't be written; then a part of it may be left.
    @discardableResult
    package func removePartition(_ partition: String) async throws -> RemovedContent {
        try await remove(EntrySelection(partition: partition))
    }

    /// Maintains the store: writes down which responses were used, and marks those that a rule has let expire. These go
    /// first when space is needed; until then they stay for use without a network. Cheap when there is nothing to do.
    /// Call it at the start, from time to time, and on demand.
    ///
    /// - Returns: How many responses have expired since the last call.
    @discardableResult
    package func performMaintenance() async throws -> Int {
        lastMaintenance.withLock { $0 = configuration.clock.uptime() }
        return try await store.performMaintenance(at: now)
    }

    /// Performs maintenance in the background if the last one was an hour ago. Called after storing.
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
        // If it fails, the next one does the work.
        if isDue { background.transfer { _ = try? await self.performMaintenance() } }
    }
}
