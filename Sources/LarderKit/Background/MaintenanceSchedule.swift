import CacheEngine
import Foundation
import HTTPCacheSemantics
import Locking

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

    /// The task is completed once: by the work, or when its time is up, because what the work waits for may not come
    /// before the app is in the foreground again.
    private func run(_ task: any BackgroundTask) {
        let state = LockedBox<(work: Task<Void, Never>?, isOver: Bool)>((nil, false))
        @Sendable func complete(_ isDone: Bool) -> Bool {
            let (isFirst, work) = state.withLock { state in
                defer { state.isOver = true }
                return (!state.isOver, state.work)
            }
            guard isFirst else { return false }
            work?.cancel()
            // Before, because the app may be suspended from then on.
            askAgain(isDone)
            task.complete(isDone: isDone)
            return true
        }
        task.onExpiration { _ = complete(false) }
        let work = Task {
            let subject = self.subject()
            let isDone = await subject?.maintain().isComplete ?? false
            if isDone { subject?.record.note(self.clock.wallTime()) }
            let isInTime = complete(isDone)
            // One that was done after all puts the next one off.
            if isDone && !isInTime { self.askAgain(true) }
        }
        let isOver = state.withLock { state in
            state.work = work
            return state.isOver
        }
        if isOver { work.cancel() }
    }

    /// If it can't be asked for, the next start does.
    private func askAgain(_ isDone: Bool) {
        let now = clock.wallTime()
        try? scheduler.submit(identifier, notBefore: now + (isDone ? interval : Self.retryTime), now: now)
    }
}

/// The results of one run of ``Larder/maintain()``.
public struct MaintenanceSummary: Hashable, Sendable {
    /// How many stored responses a rule had let expire since the last run.
    public var expired = 0
    /// How many files without a stored response were removed, as a crash can leave behind.
    public var removedFiles = 0
    /// Whether all of it was done. If not, the run was cancelled or the store can't be written, and the next run does
    /// the rest.
    public var isComplete = false
}

/// When maintenance was done last: the file `maintained` in the store's folder, in seconds since 1970.
///
/// If the system empties the folder the record goes with it, and maintenance is due.
struct MaintenanceRecord: Sendable {
    let path: String

    /// - Returns: `nil` if it is not known, or not before `now`, as after the clock was set back.
    func last(before now: WallInstant) -> WallInstant? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.utf8.count <= 20,
            let seconds = Int64(text.trimmingCharacters(in: .newlines)), seconds >= 0, seconds <= now.unixSeconds
        else { return nil }
        return WallInstant(unixSeconds: seconds)
    }

    /// If it can't be written, maintenance comes sooner than needed.
    func note(_ time: WallInstant) {
        try? "\(time.unixSeconds)\n".write(toFile: path, atomically: true, encoding: .utf8)
    }
}
