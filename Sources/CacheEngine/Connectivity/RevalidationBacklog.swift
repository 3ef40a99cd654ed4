import CacheRules
import HTTPCacheSemantics
import Locking

/// What was served stale because there was no network, until an origin has said something about it.
///
/// Kept in memory only, with the request that it answered: a validation has to select the same variant. That request's
/// fields may be credentials; they go when the origin has answered, and when too many are remembered.
final class RevalidationBacklog: Sendable {
    /// More than the resources of several pages. Beyond that the one that was served longest ago is forgotten; it is
    /// stale still, so the protocol has it validated.
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

    /// The stored response under a key was served, stale and without a network.
    func note(_ key: CacheKey, _ request: EngineRequest) {
        state.withLock { state in
            state.last += 1
            // Without what belongs to the client's connection.
            let kept = EngineRequest(head: request.head, context: request.context)
            let isNew = state.uses.updateValue(Use(number: state.last, request: kept), forKey: key) == nil
            guard isNew, state.uses.count > Self.limit else { return }
            if let oldest = state.uses.min(by: { $0.value.number < $1.value.number })?.key { state.uses[oldest] = nil }
        }
    }

    /// The origin has answered for this key.
    func forget(_ key: CacheKey) {
        state.withLock { state in
            // Hardly ever is there any.
            if !state.uses.isEmpty { state.uses[key] = nil }
        }
    }

    /// What is removed is not asked for again.
    func forget(where isGone: (CacheKey) -> Bool) {
        state.withLock { state in state.uses = state.uses.filter { !isGone($0.key) } }
    }

    func contains(_ key: CacheKey) -> Bool { state.withLock { $0.uses[key] != nil } }

    /// Those that wait, the one that was served last first.
    var latestFirst: [(key: CacheKey, request: EngineRequest)] {
        state.withLock { Array($0.uses) }
            .sorted { $0.value.number > $1.value.number }
            .map { ($0.key, $0.value.request) }
    }
}
