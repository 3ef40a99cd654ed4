import CacheRules
import HTTPCacheSemantics
import Locking

/// Validation once the network is back.
///
/// RFC 9111 §4.2.4: "A cache MUST NOT generate a stale response unless it is disconnected or doing so is explicitly
/// permitted". Once the network is back this reason is gone, so a response that was served stale without it is
/// validated before its next use: here in the background, or by the next request if that comes first, which then waits.
/// Until then `stale-while-revalidate` does not apply, although it would be allowed: the user has seen the old state
/// already, and returns for the new one. A verdict or a request that accepts any age still applies.
extension ResponseCache {
    /// Tells the cache that the network or one of its traits has changed. Call it for every change.
    ///
    /// When the network is not constrained and the device does not save its battery, the responses that were served
    /// stale without a network are validated in the background, the last one served first. At most three quarters of
    /// ``EngineConfiguration/backgroundLimit`` run at once, and half of it for one host, so that pages opened meanwhile
    /// find room for their own validations. Otherwise the next request validates the response. Without a network,
    /// waiting validations are dropped, but their responses stay remembered: at most 512, as long as this cache exists.
    /// Removed responses are not fetched again.
    package func networkChanged(to connectivity: Connectivity) {
        guard connectivity.allowsBackgroundTraffic else { return background.dropWaiting() }
        background.enqueue(
            revalidationBacklog.latestFirst.map { use in
                (use.key, { await self.validateAfterReturn(use.key, use.request, connectivity) })
            })
    }

    /// Calls ``networkChanged(to:)`` for every change that the monitor sees, until either is deallocated.
    package func follow(_ monitor: ConnectivityMonitor) {
        let changes = monitor.changes()
        Task { [weak self] in
            for await connectivity in changes {
                guard let self else { return }
                self.networkChanged(to: connectivity)
            }
        }
    }

    private func validateAfterReturn(_ key: CacheKey, _ request: EngineRequest, _ connectivity: Connectivity) async {
        // A request may have validated it first, and a response that was removed meanwhile must not come back.
        guard revalidationBacklog.contains(key), let entries = try? await store.entries(for: key), !entries.isEmpty
        else { return }
        var request = request
        request.context.connectivity = connectivity
        await validate(request)
    }
}

/// The responses that were served stale because there was no network, each until its origin has answered.
///
/// Kept in memory only, each with the request that it answered: a validation has to select the same variant. That
/// request's fields may be credentials; they are forgotten when the origin has answered, and when too many are
/// remembered.
final class RevalidationBacklog: Sendable {
    /// More than the resources of several pages. Beyond that the response served longest ago is forgotten; it is still
    /// stale, so the protocol has it validated.
    static let limit = 512

    private struct Use: Sendable {
        var number: UInt64
        var request: EngineRequest
    }

    private struct State: Sendable {
        var uses: [CacheKey: Use] = [:]
        var last: UInt64 = 0
    }

    private let state = LockedBox(State())

    /// Notes that the stored response under a key was served stale without a network.
    func note(_ key: CacheKey, _ request: EngineRequest) {
        state.withLock { state in
            state.last += 1
            // Without the content and the callback, which belong to the client's connection.
            let kept = EngineRequest(head: request.head, context: request.context)
            let isNew = state.uses.updateValue(Use(number: state.last, request: kept), forKey: key) == nil
            guard isNew, state.uses.count > Self.limit else { return }
            if let oldest = state.uses.min(by: { $0.value.number < $1.value.number })?.key { state.uses[oldest] = nil }
        }
    }

    /// Forgets a key whose origin has answered.
    func forget(_ key: CacheKey) {
        state.withLock { state in
            // Nearly always empty; then nothing is hashed.
            if !state.uses.isEmpty { state.uses[key] = nil }
        }
    }

    /// Forgets the keys whose responses are removed, so that they are not fetched again.
    func forget(where isGone: (CacheKey) -> Bool) {
        state.withLock { state in state.uses = state.uses.filter { !isGone($0.key) } }
    }

    func contains(_ key: CacheKey) -> Bool { state.withLock { !$0.uses.isEmpty && $0.uses[key] != nil } }

    /// The responses that wait for validation, the last one served first.
    var latestFirst: [(key: CacheKey, request: EngineRequest)] {
        state.withLock { Array($0.uses) }
            .sorted { $0.value.number > $1.value.number }
            .map { ($0.key, $0.value.request) }
    }
}
