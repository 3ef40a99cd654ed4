import CacheEngine
import CacheRules
import HTTPCacheSemantics
import Locking

/// Clocks that move only when told.
///
/// Hand ``engineClock`` to an engine's configuration.
public final class ManualClock: Sendable {
    private struct State: Sendable {
        var wallTime: WallInstant
        var uptime: Duration = .zero
        var sleepers = 0
        /// When those end that have not, by number.
        var ends: [Int: Duration] = [:]
    }

    private let state: WatchedValue<State>

    /// - Parameter wallTime: The time of the wall clock; by default 2023-11-14T22:13:20Z. The uptime starts at zero.
    public init(wallTime: WallInstant = WallInstant(unixSeconds: 1_700_000_000)) {
        state = WatchedValue(State(wallTime: wallTime))
    }

    /// The time of the wall clock.
    public var now: WallInstant { state.value.wallTime }

    /// The time of the clock that never goes back.
    public var uptime: Duration { state.value.uptime }

    /// Both clocks, for an engine's configuration.
    public var engineClock: EngineClock {
        EngineClock(wallTime: { self.now }, uptime: { self.uptime }, sleep: { try await self.sleep($0) })
    }

    /// Returns once ``advance(by:)`` has let so much uptime pass.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleep(_ duration: Duration) async throws {
        let (number, end) = state.update { state in
            state.sleepers += 1
            state.ends[state.sleepers] = state.uptime + duration
            return (state.sleepers, state.uptime + duration)
        }
        defer { state.update { $0.ends[number] = nil } }
        try await state.wait { $0.uptime >= end }
    }

    /// Returns once ``sleep(_:)`` was called at least so many times.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleepers(atLeast count: Int) async throws {
        try await state.wait { $0.sleepers >= count }
    }

    /// Returns once a ``sleep(_:)`` goes on that ends in exactly so long a time: one sleeper among several.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    public func sleeper(of duration: Duration) async throws {
        try await state.wait { state in state.ends.values.contains(state.uptime + duration) }
    }

    /// Advances both clocks.
    ///
    /// - Parameter duration: Not negative; a negative one moves the wall clock only.
    public func advance(by duration: Duration) {
        state.update { state in
            state.wallTime = state.wallTime + duration
            state.uptime += max(.zero, duration)
        }
    }

    /// Advances both clocks to the end of the sleeper that ends first; not beyond a limit, so that no time-out of what
    /// is still at work ends it on a busy machine.
    package func advanceToSleeper(within limit: Duration) {
        state.update { state in
            guard let first = state.ends.values.filter({ $0 > state.uptime }).min(), first <= state.uptime + limit
            else { return }
            state.wallTime = state.wallTime + (first - state.uptime)
            state.uptime = first
        }
    }

    /// Sets the wall clock alone, like a user or a time server. It may go back.
    public func setWallTime(_ instant: WallInstant) {
        state.update { $0.wallTime = instant }
    }
}

/// A source of connectivity under the test's control.
public final class ScriptedConnectivity: ConnectivitySource {
    private let state: LockedBox<Connectivity>
    private let listeners = Broadcast<Connectivity>()

    /// - Parameter connectivity: Its first value; connected by default.
    public init(_ connectivity: Connectivity = .connected) {
        state = LockedBox(connectivity)
    }

    public var current: Connectivity { state.withLock { $0 } }

    /// Reports a value, even if it equals the one before.
    public func report(_ connectivity: Connectivity) {
        state.withLock { state in
            state = connectivity
            listeners.yield(connectivity)
        }
    }

    /// Ends all streams.
    public func end() {
        listeners.finish()
    }

    public func changes() -> AsyncStream<Connectivity> { listeners.stream() }
}
