import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Coming back.
///
/// RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response unless it is disconnected or doing so is explicitly
/// permitted". With the network the reason is gone, so what was served stale without it is validated before anything
/// else: here, in the background, and where a request comes first, by that request, which waits. A window of
/// `stale-while-revalidate` does not count until then, although it would be allowed: whoever sees the page has seen
/// the old state already, and comes back for the new one. A verdict or a client's wish that accepts any age still does.
extension ResponseCache {
    /// Tells the cache what became of the network. To be called for every change, also for one of its traits.
    ///
    /// With a network that is not constrained, on a device that does not save its battery, what was served stale
    /// without one is validated in the background, the one that was served last first, at most half of
    /// ``EngineConfiguration/backgroundLimit`` at once, so that pages which are opened meanwhile find room for their own
    /// validations. Otherwise that is left to the next request. Without a network those that wait are given up, and
    /// stay remembered. At most 512 are, and they do not outlive this cache; removed responses are not fetched again.
    public func networkChanged(to connectivity: Connectivity) {
        guard connectivity.allowsBackgroundTraffic else { return background.dropWaiting() }
        background.enqueue(
            revalidationBacklog.latestFirst.map { use in
                (use.key, { await self.validateAfterReturn(use.key, use.request, connectivity) })
            })
    }

    /// Calls ``networkChanged(to:)`` for every change that the monitor sees, until either is gone.
    public func follow(_ monitor: ConnectivityMonitor) {
        let changes = monitor.changes()
        Task { [weak self] in
            for await connectivity in changes {
                guard let self else { return }
                self.networkChanged(to: connectivity)
            }
        }
    }

    private func validateAfterReturn(
        _ key: CacheKey, _ request: EngineRequest, _ connectivity: Connectivity
    ) async {
        // A request may have been faster, and what was removed meanwhile is not to come back.
        guard revalidationBacklog.contains(key), let entries = try? await store.entries(for: key), !entries.isEmpty
        else {
            return
        }
        var request = request
        request.context.connectivity = connectivity
        await validate(request)
    }
}
