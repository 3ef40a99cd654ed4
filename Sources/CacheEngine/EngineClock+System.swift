#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import HTTPCacheSemantics

extension EngineClock {
    /// The clocks of the machine.
    public static let system = EngineClock(
        wallTime: { WallInstant(sinceEpoch: read(CLOCK_REALTIME)) }, uptime: { read(CLOCK_MONOTONIC) })

    /// Waits as the machine's clock says.
    public static let systemSleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    private static func read(_ id: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(id, &time)
        return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
    }
}
