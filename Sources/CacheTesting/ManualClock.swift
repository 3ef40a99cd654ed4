import CacheEngine
import HTTPCacheSemantics

/// Clocks that move only when told.
///
/// Hand ``engineClock`` to an engine's configuration.
public final class ManualClock: Sendable {
    private struct State: Sendable {
        var wallTime: WallInstant
        var uptime: Duration = .zero
        var sleepers = 0
    }

    private let state: WatchedValue<State>

    /// - Parameter wallTime: Where the wall clock stands; by default 2023-11-14T22:13:20Z. The uptime starts at zero.
    public init(wallTime: WallInstant = WallInstant(unixSeconds: 1_700_000_000)) {
        state = WatchedValue(State(wallTime: wallTime))
    }

    /// Where the wall clock stands.
    public var now: WallInstant { state.value.wallTime }

    /// Where the clock that never goes back stands.
    public var uptime: Duration { state.value.uptime }

    /// Both clocks, in the form that an engine takes.
    public var engineClock: EngineClock {
        EngineClock(wallTime: { self.now }, uptime: { self.uptime }, sleep: { try await self.sleep($0) })
    }

    /// Returns once ``advance(by:)`` has let so much uptime pass.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(_ duration: Duration) async throws {
        let end = state.update { state -> Duration in
            state.sleepers += 1
            return state.uptime + duration
        }
        try await state.wait { $0.uptime >= end }
    }

    /// Returns once ``sleep(_:)`` was called at least so many times.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleepers(atLeast count: Int) async throws {
        try await state.wait { $0.sleepers >= count }
    }

    /// Lets time pass on both clocks.
    ///
    /// - Parameter duration: Not negative; a negative one moves the wall clock only.
    public func advance(by duration: Duration) {
        state.update { state in
            state.wallTime = state.wallTime + duration
            state.uptime += max(.zero, duration)
        }
    }

    /// Sets the wall clock alone, as a person or a time server does. It may go back.
    public func setWallTime(_ instant: WallInstant) {
        state.update { $0.wallTime = instant }
    }
}
