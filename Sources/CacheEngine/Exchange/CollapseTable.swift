import HTTPCacheSemantics
import Locking

/// The requests in flight, one per key, and the keys for which waiting has proved pointless.
final class CollapseTable: Sendable {
    /// How many keys are remembered whose answers could not be shared.
    private static let rememberedKeys = 4_096

    private struct State {
        var flights: [CacheKey: InFlight] = [:]
        var unshareable: Set<CacheKey> = []
        var landings: UInt64 = 0
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

    /// Grows with every flight that ended. Read before a look-up, it tells whether that look-up may be outdated.
    var landings: UInt64 { state.withLock { $0.landings } }

    /// - Parameter landings: What ``landings`` was before the caller's look-up.
    func join(_ key: CacheKey, lookedUpAt landings: UInt64) -> Role {
        state.withLock { state in
            if state.unshareable.contains(key) { return .alone }
            if let flight = state.flights[key] { return .follower(flight) }
            if state.landings != landings { return .lookAgain }
            let flight = InFlight()
            state.flights[key] = flight
            return .first(flight)
        }
    }

    /// Ends a flight; later requests start a new one.
    func land(_ key: CacheKey, _ flight: InFlight) {
        state.withLock { state in
            if state.flights[key] === flight { state.flights[key] = nil }
            state.landings += 1
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
