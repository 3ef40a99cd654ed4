import CacheEngine
import HTTPCacheSemantics
import Locking

/// Maintenance in background tasks: when, and what happens if the system ends one. Knows no system.
final class MaintenanceSchedule: Sendable {
    /// How long after a run that was ended early the next one is asked for: an hour.
    static let retryTime = Duration.seconds(3_600)

    private let identifier: String
    private let interval: Duration
    private let scheduler: any BackgroundTaskScheduler
    private let record: MaintenanceRecord
    private let clock: EngineClock
    private let maintain: @Sendable () async -> MaintenanceSummary

    /// - Parameters:
    ///   - interval: From the end of one run to the earliest beginning of the next one.
    ///   - maintain: Ends soon when its task is cancelled, and leaves a store that is whole at any moment.
    init(
        _ identifier: String, every interval: Duration, _ scheduler: any BackgroundTaskScheduler,
        record: MaintenanceRecord, clock: EngineClock,
        maintain: @escaping @Sendable () async -> MaintenanceSummary
    ) {
        (self.identifier, self.interval, self.scheduler) = (identifier, interval, scheduler)
        (self.record, self.clock, self.maintain) = (record, clock, maintain)
    }

    /// Registers the task and asks for the first one.
    ///
    /// - Throws: ``LarderError``.
    func start() throws {
        guard scheduler.register(identifier, { self.run($0) }) else {
            throw LarderError(
                code: .backgroundTaskRefused,
                message: """
                    The system refuses the background task '\(identifier)'; add it to \
                    BGTaskSchedulerPermittedIdentifiers in Info.plist, and register it once, before the launch ends.
                    """)
        }
        let now = clock.wallTime()
        let due = record.last(before: now).map { $0 + interval } ?? now
        do {
            try scheduler.submit(identifier, notBefore: max(now, due), now: now)
        } catch {
            throw LarderError(
                code: .backgroundTaskNotScheduled,
                message: """
                    The background task '\(identifier)' can't be scheduled now; call again later, and look whether \
                    background processing is among the app's capabilities.
                    """, cause: error)
        }
    }

    private func run(_ task: any BackgroundTask) {
        let work = Task {
            let summary = await maintain()
            let now = clock.wallTime()
            if summary.isComplete { record.note(now) }
            // If it can't be asked for, the next start does.
            try? scheduler.submit(
                identifier, notBefore: now + (summary.isComplete ? interval : Self.retryTime), now: now)
            task.complete(isDone: summary.isComplete)
        }
        task.onExpiration { work.cancel() }
    }
}
