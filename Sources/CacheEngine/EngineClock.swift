import HTTPCacheSemantics

/// The two clocks of an engine, passed in so that tests can move them.
public struct EngineClock: Sendable {
    /// The wall clock: ages and dates.
    public var wallTime: @Sendable () -> WallInstant
    /// A clock that never goes back, as the time since an arbitrary start: durations in reports.
    public var uptime: @Sendable () -> Duration

    public init(wallTime: @escaping @Sendable () -> WallInstant, uptime: @escaping @Sendable () -> Duration) {
        self.wallTime = wallTime
        self.uptime = uptime
    }
}
