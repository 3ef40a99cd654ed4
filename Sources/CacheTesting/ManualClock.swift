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

    /// - Parameter wallTime: Where the wall clock stands; by default 2023-11-14T22:13:20Z. The uptime starts at zero.
    public init(wallTime: WallInstant = WallInstant(unixSeconds: 1_700_000_000)) {
        state = LockedBox(State(wallTime: wallTime))
    }

    /// Where the wall clock stands.
    public var now: WallInstant { state.withLock { $0.wallTime } }

    /// Where the clock that never goes back stands.
    public var uptime: Duration { state.withLock { $0.uptime } }

    /// Both clocks, in the form that an engine takes.
    public var engineClock: EngineClock {
        EngineClock(wallTime: { self.now }, uptime: { self.uptime })
    }

    /// Lets time pass on both clocks.
    ///
    /// - Parameter duration: Not negative; a negative one moves the wall clock only.
    public func advance(by duration: Duration) {
        state.withLock { state in
            state.wallTime = state.wallTime + duration
            state.uptime += max(.zero, duration)
        }
    }

    /// Sets the wall clock alone, as a person or a time server does. It may go back.
    public func setWallTime(_ instant: WallInstant) {
        state.withLock { $0.wallTime = instant }
    }
}
