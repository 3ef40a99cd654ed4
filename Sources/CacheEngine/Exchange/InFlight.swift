import HTTPCacheSemantics
import Locking

/// One request on its way to the origin, which others for the same key may share. RFC 9111 §4.
final class InFlight: Sendable {
    /// What became of it, as far as the ones who wait are concerned.
    enum Outcome: Sendable {
        /// A storable response is arriving.
        case arriving(StoredResponse, SpooledBody)
        /// The stored response was confirmed: look again.
        case confirmed
        /// The answer is for the first one alone.
        case notShareable
        /// The first one left before there was an answer: try again.
        case abandoned
    }

    private struct State {
        var outcome: Outcome?
        var waiting: [CheckedContinuation<Outcome, Never>] = []
    }

    private let state = LockedBox(State())

    func publish(_ outcome: Outcome) {
        let waiting = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
            guard state.outcome == nil else { return [] }
            state.outcome = outcome
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: outcome) }
    }

    func outcome() async -> Outcome {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state -> Outcome? in
                if state.outcome == nil { state.waiting.append(continuation) }
                return state.outcome
            }
            if let known { continuation.resume(returning: known) }
        }
    }
}
