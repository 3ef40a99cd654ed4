import HTTPCacheSemantics

/// The clocks of an engine, passed in so that tests can move them.
public struct EngineClock: Sendable {
    /// The wall clock: ages and dates.
    public var wallTime: @Sendable () -> WallInstant
    /// A clock that never goes back, as the time since an arbitrary start: durations in reports.
    public var uptime: @Sendable () -> Duration
    /// Returns once so much time has passed on the clock of ``uptime``; throws `CancellationError` when its task is
    /// cancelled. For time-outs.
    public var sleep: @Sendable (Duration) async throws -> Void

    /// - Parameter sleep: The machine's unless set.
    public init(
        wallTime: @escaping @Sendable () -> WallInstant, uptime: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void = EngineClock.systemSleep
    ) {
        self.wallTime = wallTime
        self.uptime = uptime
        self.sleep = sleep
    }
}
