import CacheEngine
import HTTPCacheSemantics

/// Maintenance in background tasks: when, and what happens if the system ends one. Knows no system.
final class MaintenanceSchedule: Sendable {
    /// The object of a task's maintenance.
    struct Subject: Sendable {
        var record: MaintenanceRecord
        /// Ends soon when its task is cancelled, unless the store is suspended, and leaves a store that is whole at any
        /// moment.
        var maintain: @Sendable () async -> MaintenanceSummary
    }

    /// How long after a run that was ended early the next one is asked for: an hour.
    static let retryTime = Duration.seconds(3_600)

    private let identifier: String
    private let interval: Duration
    private let scheduler: any BackgroundTaskScheduler
    private let clock: EngineClock
    private let subject: @Sendable () -> Subject?

    /// - Parameters:
    ///   - interval: From the end of one run to the earliest beginning of the next one.
    ///   - subject: Asked for at the start and by each task; `nil` if it can't be had now.
    init(
        _ identifier: String, every interval: Duration, _ scheduler: any BackgroundTaskScheduler, clock: EngineClock,
        subject: @escaping @Sendable () -> Subject?
    ) {
        (self.identifier, self.interval, self.scheduler) = (identifier, interval, scheduler)
        (self.clock, self.subject) = (clock, subject)
    }

    /// Registers the task, in any case, and asks for the first one.
    ///
    /// - Throws: ``LarderError``.
    func start() throws {
        guard scheduler.register(identifier, { self.run($0) }) else {
            throw LarderError(
                code: .backgroundTaskRefused,
                message: """
                    The system refuses the background task '\(identifier)'; add it to \
                    BGTaskSchedulerPermittedIdentifiers in Info.plist, and register it before the launch ends.
                    """)
        }
        let now = clock.wallTime()
        do {
            try scheduler.submit(identifier, notBefore: due(now), now: now)
        } catch {
            throw LarderError(
                code: .backgroundTaskNotScheduled,
                message: """
                    The background task '\(identifier)' can't be scheduled now. The next launch asks again; look \
                    whether background processing is among the app's capabilities.
                    """, cause: error)
        }
    }

    private func due(_ now: WallInstant) -> WallInstant {
        guard let subject = subject() else { return now + Self.retryTime }
        return max(now, subject.record.last(before: now).map { $0 + interval } ?? now)
    }

    private func run(_ task: any BackgroundTask) {
        let run = MaintenanceRun(task)
        run.begin(
            {
                let subject = self.subject()
                let isDone = await subject?.maintain().isComplete ?? false
                if isDone { subject?.record.note(self.clock.wallTime()) }
                let isInTime = run.complete(isDone: isDone) { self.askAgain(isDone) }
                // One that was done after all puts the next one off.
                if isDone && !isInTime { self.askAgain(true) }
            }, expired: { self.askAgain(false) })
    }

    /// If it can't be asked for, the next start does.
    private func askAgain(_ isDone: Bool) {
        let now = clock.wallTime()
        try? scheduler.submit(identifier, notBefore: now + (isDone ? interval : Self.retryTime), now: now)
    }
}
