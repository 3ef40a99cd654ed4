import HTTPCacheSemantics
import Locking
import ResponseStore

/// One request on its way to the origin, which others for the same key may share. RFC 9111 §4.
final class InFlight: Sendable {
    /// The outcome for the requests that wait.
    enum Outcome: Sendable {
        /// A storable response is arriving; the mark says when its request left.
        case arriving(StoredResponse, SpooledBody, since: StoreMark?)
        /// The stored response was confirmed, or a new one is stored: look up again.
        case confirmed
        /// The answer is for the first request alone.
        case notShareable
        /// The first client left before there was an answer: try again.
        case abandoned
    }

    private struct State {
        var outcome: Outcome?
        var waiting: [Int: CheckedContinuation<Outcome?, Never>] = [:]
        var lastID = 0
        var hasLanded = false
        var waitingForLanding: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = LockedBox(State())
    private let onJoin: @Sendable () -> Void

    /// - Parameter onJoin: Called when a request of a page begins to wait.
    init(onJoin: @escaping @Sendable () -> Void = {}) {
        self.onJoin = onJoin
    }

    /// Notes that a request of a page waits.
    func noteJoining() { onJoin() }

    /// Notes that no request joins any more: the response is stored, where it is to be, or does not concern others.
    func noteLanding() {
        let waiting = state.withLock { state in
            state.hasLanded = true
            defer { state.waitingForLanding = [:] }
            return Array(state.waitingForLanding.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns after ``noteLanding()``, or when the task is cancelled.
    func landed() async {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.hasLanded || Task.isCancelled { return true }
                    state.waitingForLanding[id] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waitingForLanding.removeValue(forKey: id) }?.resume()
        }
    }

    /// How many wait for the outcome, and for the landing.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    var landingCount: Int { state.withLock { $0.waitingForLanding.count } }

    /// Gives the outcome to all that wait; only the first call counts.
    func publish(_ outcome: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome?, Never>] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    /// Waits for the outcome; `nil` when the task is cancelled first.
    func outcome() async -> Outcome? {
        let id = state.withLock { state -> Int in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let known = state.withLock { state -> Outcome?? in
                    if let outcome = state.outcome { return outcome }
                    // Read under the lock: a cancellation after this finds the continuation.
                    if Task.isCancelled { return .some(nil) }
                    state.waiting[id] = continuation
                    return nil
                }
                if let known { continuation.resume(returning: known) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
