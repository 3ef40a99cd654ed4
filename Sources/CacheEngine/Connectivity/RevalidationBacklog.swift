import CacheRules
import HTTPCacheSemantics
import Locking

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

    func contains(_ key: CacheKey) -> Bool { state.withLock { $0.uses[key] != nil } }

    /// The responses that wait for validation, the last one served first.
    var latestFirst: [(key: CacheKey, request: EngineRequest)] {
        state.withLock { Array($0.uses) }
            .sorted { $0.value.number > $1.value.number }
            .map { ($0.key, $0.value.request) }
    }
}
