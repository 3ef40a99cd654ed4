import Locking

/// A background task with its work. The task is completed once: by the work, or when its time is up, because what the work
/// waits for may not come before the app is in the foreground again.
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
