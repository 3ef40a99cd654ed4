import CacheEngine
import Locking

/// Says when work has stood still for too long. Each time that something moves, it gets the whole time again.
package final class ProgressTimer: Sendable {
    private let clock: EngineClock
    private let limit: Duration
    /// On the clock's uptime.
    private let deadline: LockedBox<Duration>

    /// - Parameter limit: The longest that the work may stand still.
    package init(_ limit: Duration, clock: EngineClock) {
        self.clock = clock
        self.limit = limit
        deadline = LockedBox(clock.uptime() + limit)
    }

    /// Something has moved.
    ///
    /// - Parameter grace: How much longer than usual the next step may take.
    package func restart(grace: Duration = .zero) {
        let next = clock.uptime() + limit + grace
        deadline.withLock { $0 = next }
    }

    /// Whether it has stood still for that long.
    package var isUp: Bool { deadline.withLock { $0 } <= clock.uptime() }

    /// Returns once the time is up.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    package func wait() async throws {
        while true {
            let left = deadline.withLock { $0 } - clock.uptime()
            guard left > .zero else { return }
            try await clock.sleep(left)
        }
    }
}
