import Foundation
import HTTPCacheSemantics
import Locking

/// A background task with its work. The task is completed once: by the work, or when its time is up, because what the
/// work waits for may not come before the app is in the foreground again.
final class MaintenanceRun: Sendable {
    private struct State: Sendable {
        var work: Task<Void, Never>?
        var isOver = false
        var isOutOfTime = false
    }

    private let task: any BackgroundTask
    private let state = LockedBox(State())

    init(_ task: any BackgroundTask) { self.task = task }

    /// - Parameter expired: Called when time is up before ``complete(isDone:_:)``, before the task is completed.
    func begin(_ work: @escaping @Sendable () async -> Void, expired: @escaping @Sendable () -> Void) {
        task.onExpiration {
            let work = self.state.withLock { state in
                state.isOutOfTime = true
                return state.work
            }
            work?.cancel()
            self.complete(isDone: false, expired)
        }
        let begun = Task { await work() }
        let isOutOfTime = state.withLock { state in
            state.work = begun
            return state.isOutOfTime
        }
        if isOutOfTime { begun.cancel() }
    }

    /// Completes the task, unless it is completed.
    ///
    /// - Parameter prepare: Called before, because the app may be suspended from then on.
    /// - Returns: Whether this was the first time.
    @discardableResult
    func complete(isDone: Bool, _ prepare: () -> Void) -> Bool {
        let isFirst = state.withLock { state in
            defer { state.isOver = true }
            return !state.isOver
        }
        guard isFirst else { return false }
        prepare()
        task.complete(isDone: isDone)
        return true
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

    package init() {}
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
