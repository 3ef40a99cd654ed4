import HTTPCacheSemantics
import Locking
import ResponseStore

/// The requests in flight, one per key, and the keys whose answers can't be shared, so that waiting for them is
/// pointless.
final class CollapseTable: Sendable {
    /// How many keys with unshareable answers are remembered.
    private static let rememberedKeys = 4_096
    /// How many counters the keys share. A key whose counter another key has moved looks up once more than needed.
    private static let counters = 1_024

    private struct State {
        var flights: [CacheKey: InFlight] = [:]
        var unshareable: Set<CacheKey> = []
        var completions = [UInt64](repeating: 0, count: counters)
    }

    enum Role {
        case first(InFlight)
        case follower(InFlight)
        /// A flight has ended since the look-up: repeat it.
        case lookAgain
        /// Forward without waiting: the last answer for this key was not shareable.
        case alone
    }

    private let state = LockedBox(State())

    private static func counter(_ key: CacheKey) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(counters))
    }

    /// Grows with every flight that ends. Read before a look-up, it later tells whether that look-up may be outdated.
    func completions(of key: CacheKey) -> UInt64 {
        state.withLock { $0.completions[Self.counter(key)] }
    }

    /// - Parameter completions: The value of ``completions(of:)`` before the caller's look-up.
    func join(
        _ key: CacheKey, lookedUpAt completions: UInt64, _ makeFlight: () -> InFlight = { InFlight() }
    ) -> Role {
        state.withLock { state in
            if state.unshareable.contains(key) { return .alone }
            if let flight = state.flights[key] { return .follower(flight) }
            if state.completions[Self.counter(key)] != completions { return .lookAgain }
            let flight = makeFlight()
            state.flights[key] = flight
            return .first(flight)
        }
    }

    func flight(for key: CacheKey) -> InFlight? { state.withLock { $0.flights[key] } }

    /// Ends a flight; later requests start a new one. Ending it again does nothing.
    func land(_ key: CacheKey, _ flight: InFlight) {
        detach { $0[key] === flight ? [key] : [] }
        flight.noteLanding()
    }

    /// RFC 9111 §4.4 for responses that are not stored yet: no request joins one that left before this.
    ///
    /// - Parameter own: A flight that stays, because its request leaves only now.
    func detach(_ key: CacheKey, except own: InFlight? = nil) { detach { $0[key] === own ? [] : [key] } }

    /// The same for a URI of an account, under every site.
    func detachAll(of key: CacheKey) {
        detach { $0.keys.filter { $0.uri == key.uri && $0.partition == key.partition } }
    }

    /// The same for every key, when the removed keys are not known one by one.
    func detachAll() {
        state.withLock { state in
            for counter in state.completions.indices { state.completions[counter] += 1 }
        }
        detach { Array($0.keys) }
    }

    private func detach(_ keys: ([CacheKey: InFlight]) -> [CacheKey]) {
        let detached = state.withLock { state in
            keys(state.flights).compactMap { key -> InFlight? in
                guard let flight = state.flights.removeValue(forKey: key) else { return nil }
                state.completions[Self.counter(key)] += 1
                return flight
            }
        }
        for flight in detached { flight.noteLanding() }
    }

    /// Remembers whether the last answer for a key could be shared, so that a long poll is not queued behind another.
    func note(_ key: CacheKey, isShareable: Bool) {
        state.withLock { state in
            if isShareable {
                state.unshareable.remove(key)
            } else {
                if state.unshareable.count >= Self.rememberedKeys { state.unshareable.removeAll() }
                state.unshareable.insert(key)
            }
        }
    }
}

/// One request on its way to the origin, which others for the same key may share. RFC 9111 §4.
package final class InFlight: Sendable {
    /// The outcome for the requests that wait.
    enum Outcome: Sendable {
        /// A storable response is arriving; the mark says when its request left.
        case arriving(StoredResponse, SpooledBody, since: StoreMark?)
        /// The stored response was confirmed, or a new one is stored: look up again.
        case confirmed
        /// The answer is for the first request alone.
        case notShareable
        /// This answer was waited for in vain, and goes on behind a stored response.
        case late(LateAnswer)
        /// The first client left before there was an answer: try again.
        case abandoned
    }

    private struct State {
        var outcome: Outcome?
        var waiting = Waiters<Outcome>()
        var hasLanded = false
        var waitingForLanding = Waiters<Void>()
    }

    private let state = LockedBox(State())
    private let onJoin: (@Sendable () -> Void)?

    /// - Parameter onJoin: Called when a request of a page begins to wait, for what is fetched ahead of need.
    init(onJoin: (@Sendable () -> Void)? = nil) { self.onJoin = onJoin }

    var isAheadOfNeed: Bool { onJoin != nil }

    /// Notes that a request of a page waits.
    func noteJoining() { onJoin?() }

    /// Notes that no request joins any more: the response is stored, where it is to be, or does not concern others.
    func noteLanding() {
        state.withLock { state in
            state.hasLanded = true
            state.waitingForLanding.wake(())
        }
    }

    /// Returns once it has ended and its response is stored, where it is to be; or when the task is cancelled.
    package func landed() async {
        guard let landings = state.withLock({ $0.hasLanded ? nil : $0.waitingForLanding.add() }) else { return }
        for await _ in landings {}
    }

    /// How many wait for the outcome, and for the landing.
    var waitingCount: Int { state.withLock { $0.waiting.count } }
    var landingCount: Int { state.withLock { $0.waitingForLanding.count } }

    /// Gives the outcome to all that wait; only the first call counts.
    func publish(_ outcome: Outcome) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.outcome = outcome
            state.waiting.wake(outcome)
        }
    }

    /// Waits for the outcome; `nil` when the task is cancelled first.
    func outcome() async -> Outcome? {
        let (known, outcomes) = state.withLock { state -> (Outcome?, AsyncStream<Outcome>?) in
            (state.outcome, state.outcome == nil ? state.waiting.add() : nil)
        }
        guard let outcomes else { return known }
        for await outcome in outcomes { return outcome }
        return nil
    }
}
