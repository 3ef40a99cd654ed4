import HTTPCacheSemantics
import Locking

/// The requests in flight, one per key, and the keys for which waiting has proved pointless.
final class CollapseTable: Sendable {
    /// How many keys are remembered whose answers could not be shared.
    private static let rememberedKeys = 4_096
    /// Keys share this many counters; a key that meets another's number looks once too often.
    private static let counters = 1_024
    /// How many keys are remembered that were invalidated. They do not share numbers: one that met another's would not
    /// be stored, which happens often where many requests are under way at once.
    private static let rememberedInvalidations = 4_096

    private struct State {
        var flights: [CacheKey: InFlight] = [:]
        var unshareable: Set<CacheKey> = []
        var landings = [UInt64](repeating: 0, count: counters)
        /// The number of the last invalidation of each key since ``forgotten``.
        var invalidated: [CacheKey: UInt64] = [:]
        var invalidations: UInt64 = 0
        /// Up to this one invalidations are forgotten: every key counts as invalidated with it.
        var forgotten: UInt64 = 0

        mutating func invalidateAll() {
            invalidations += 1
            invalidated = [:]
            forgotten = invalidations
        }
    }

    enum Role {
        case first(InFlight)
        case follower(InFlight)
        /// Something was stored since the look-up: repeat it.
        case lookAgain
        /// Go alone: answers for this key were not shareable before.
        case alone
    }

    private let state = LockedBox(State())

    private static func counter(_ key: CacheKey) -> Int {
        Int(UInt(bitPattern: key.hashValue) % UInt(counters))
    }

    /// Grows with every flight that ended. Read before a look-up, it tells whether that look-up may be outdated.
    func landings(of key: CacheKey) -> UInt64 {
        state.withLock { $0.landings[Self.counter(key)] }
    }

    /// Grows with every invalidation. Read before a request leaves, it tells whether its response may be outdated.
    func invalidations(of key: CacheKey) -> UInt64 {
        state.withLock { $0.invalidated[key] ?? $0.forgotten }
    }

    /// - Parameter landings: What ``landings(of:)`` was before the caller's look-up.
    func join(_ key: CacheKey, lookedUpAt landings: UInt64) -> Role {
        state.withLock { state in
            if state.unshareable.contains(key) { return .alone }
            if let flight = state.flights[key] { return .follower(flight) }
            if state.landings[Self.counter(key)] != landings { return .lookAgain }
            let flight = InFlight()
            state.flights[key] = flight
            return .first(flight)
        }
    }

    /// Ends a flight; later requests start a new one. Ending it again does nothing.
    func land(_ key: CacheKey, _ flight: InFlight) {
        state.withLock { state in
            guard state.flights[key] === flight else { return }
            state.flights[key] = nil
            state.landings[Self.counter(key)] += 1
        }
    }

    /// RFC 9111 §4.4 for what is not stored yet: nobody joins a request that left before the invalidation.
    func invalidate(_ key: CacheKey) {
        state.withLock { state in
            if state.invalidated.count >= Self.rememberedInvalidations { state.invalidateAll() }
            state.invalidations += 1
            state.invalidated[key] = state.invalidations
            guard state.flights.removeValue(forKey: key) != nil else { return }
            state.landings[Self.counter(key)] += 1
        }
    }

    /// The same for every key, when some were removed that are not known one by one. What is under way for others is
    /// not stored then, which costs them one more request.
    func invalidateAll() {
        state.withLock { state in
            state.invalidateAll()
            state.flights.removeAll()
            for counter in state.landings.indices { state.landings[counter] += 1 }
        }
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
