import CacheEngine
import HTTPCacheSemantics
import Locking

/// Clocks that move only when told.
///
/// Hand ``engineClock`` to an engine's configuration.
public final class ManualClock: Sendable {
    private struct State {
        var wallTime: WallInstant
        var uptime: Duration = .zero
    }

    private let state: LockedBox<State>

    /// - Parameter wallTime: The time of the wall clock; by default 2023-11-14T22:13:20Z. The uptime starts at zero.
    public init(wallTime: WallInstant = WallInstant(unixSeconds: 1_700_000_000)) {
        state = LockedBox(State(wallTime: wallTime))
    }

    /// The time of the wall clock.
    public var now: WallInstant { state.withLock { $0.wallTime } }

    /// The time of the clock that never goes back.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// Both clocks, for an engine's configuration.
    public var engineClock: EngineClock {
        EngineClock(wallTime: { self.now }, uptime: { self.uptime })
    }

    /// Advances both clocks.
    ///
    /// - Parameter duration: Not negative; a negative one moves the wall clock only.
    public func advance(by duration: Duration) {
        state.withLock { state in
            state.wallTime = state.wallTime + duration
            state.uptime += max(.zero, duration)
        }
    }

    /// Sets the wall clock alone, like a user or a time server. It may go back.
    public func setWallTime(_ instant: WallInstant) {
        state.withLock { $0.wallTime = instant }
    }
}
