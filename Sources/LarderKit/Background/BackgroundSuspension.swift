import Dispatch
import Locking

/// Suspends a store when its app may no longer use it or does not want to, and resumes it when the app may again.
/// Nobody else does either. Knows no system: ``BackgroundState`` decides, and the adapter of the platform tells what
/// happens.
final class BackgroundSuspension: Sendable {
    /// Calls a closure on another thread, and keeps the app from being suspended until the closure returns; calls it
    /// with true when there is no more time, also while the first call waits. Returns at once.
    typealias Assertion = @Sendable (_ work: @escaping @Sendable (_ isOutOfTime: Bool) -> Void) -> Void

    private struct Launch: Sendable {
        /// The assertion waits for it; `nil` if there is no assertion.
        var isOver: DispatchSemaphore?
        var isForbidden = false
    }

    private let state: LockedBox<BackgroundState>
    /// Whether the store is in use; changed on the queue only.
    private let isInUse = LockedBox(true)
    /// Until it is known where the app is.
    private let launch = LockedBox(Launch())
    private let queue = DispatchQueue(label: "larder.suspension", qos: .userInitiated)
    private let assertion: Assertion
    private let suspendStore: @Sendable () throws -> Void
    private let resumeStore: @Sendable () -> Void
    private let goOn: @Sendable () -> Void

    /// - Parameters:
    ///   - isAutomatic: Whether the store is suspended when the app enters the background, and not only when it says
    ///     so.
    ///   - suspend: Returns when the store has let go of its files. It is not called from a task, and may wait.
    ///   - resume: Must return at once.
    ///   - goOn: Called after each resumption, and when the app is back from the background with a store that was in
    ///     use all the time. Must return at once.
    init(
        isAutomatic: Bool = true, _ assertion: @escaping Assertion, suspend: @escaping @Sendable () throws -> Void,
        resume: @escaping @Sendable () -> Void, goOn: @escaping @Sendable () -> Void = {}
    ) {
        state = LockedBox(BackgroundState(isAutomatic: isAutomatic))
        (self.assertion, suspendStore, resumeStore, self.goOn) = (assertion, suspend, resume, goOn)
    }

    /// Sees to it that an app that is launched in the background, and told nothing else, lets go of its files before it
    /// is suspended. To be called at the start. Returns at once.
    func beginLaunch() {
        let begun = launch.withLock { launch -> DispatchSemaphore? in
            guard launch.isOver == nil, !launch.isForbidden else { return nil }
            launch.isOver = DispatchSemaphore(value: 0)
            return launch.isOver
        }
        guard let begun else { return }
        assertion { isOutOfTime in
            guard isOutOfTime else { return begun.wait() }
            self.state.withLock { $0.runOutOfTime() }
            self.queue.sync { self.followState() }
            // Also where the store was suspended before.
            self.endLaunch()
        }
    }

    /// From now on the system tells where the app is, or the store is suspended.
    private func endLaunch() {
        launch.withLock { launch in
            defer { launch.isOver = nil }
            return launch.isOver
        }?.signal()
    }

    /// Nobody uses the store any more: holds no assertion from now on but for tasks that are running.
    func end() {
        launch.withLock { $0.isForbidden = true }
        endLaunch()
    }

    /// Returns at once; the store goes on in the background.
    func enterForeground() {
        let isBack = state.withLock { state in
            defer { state.enterForeground() }
            return state.isInBackground
        }
        queue.async { self.followState(isBack: isBack) }
        endLaunch()
    }

    /// The app was in the foreground when its store was opened. Returns at once. What the system has told since counts
    /// more.
    func beginInForeground() {
        guard state.withLock({ $0.beginInForeground() }) else { return }
        queue.async { self.followState() }
        endLaunch()
    }

    /// Returns at once; the app is not suspended before the store has let go of its files.
    func enterBackground() {
        let isAutomatic = state.withLock { state in
            state.enterBackground()
            return state.isAutomatic
        }
        guard isAutomatic else { return }
        assertion { isOutOfTime in
            if isOutOfTime { self.state.withLock { $0.runOutOfTime() } }
            self.queue.sync { self.followState() }
            self.endLaunch()
        }
    }

    /// Suspends the store because the app says so, also if that failed before.
    ///
    /// - Throws: The error of suspending the store.
    func suspend() async throws {
        state.withLock { $0.suspend() }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async {
                continuation.resume(
                    with: Swift.Result { try self.followStateOrThrow(isBack: false, repeatsSuspension: true) })
            }
        }
    }

    /// Takes ``suspend()`` back. Returns at once. Where the system allows no use of the store it stays suspended:
    /// nobody would tell when it has to be suspended again.
    func resume() {
        state.withLock { $0.resume() }
        queue.async { self.followState(isBack: true) }
    }

    /// Lets the store be used during some work, also in the background, until the work is over or there is no more
    /// time. Returns after the store has let go of its files if the app may not use them any more.
    func duringTask<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        let task = state.withLock { $0.announceTask() }
        let isOver = DispatchSemaphore(value: 0)
        assertion { isOutOfTime in
            guard isOutOfTime else { return isOver.wait() }
            self.state.withLock { $0.runOutOfTime(task) }
            self.queue.sync { self.followState() }
            isOver.signal()
        }
        state.withLock { $0.beginTask(task) }
        await follow()
        do {
            let result = try await work()
            await endTask(task, isOver)
            return result
        } catch {
            await endTask(task, isOver)
            throw error
        }
    }

    private func endTask(_ task: Int, _ isOver: DispatchSemaphore) async {
        state.withLock { $0.endTask(task) }
        await follow()
        isOver.signal()
    }

    private func follow() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.followState()
                continuation.resume()
            }
        }
    }

    /// A failure leaves the index open; there is nobody to tell.
    private func followState(isBack: Bool = false) {
        try? followStateOrThrow(isBack: isBack, repeatsSuspension: false)
    }

    /// On the queue only.
    private func followStateOrThrow(isBack: Bool, repeatsSuspension: Bool) throws {
        let (mayUse, isLaunching) = state.withLock { ($0.mayUseStore, $0.isLaunching) }
        let hasChanged = isInUse.withLock { isInUse in
            defer { isInUse = mayUse }
            return isInUse != mayUse
        }
        if mayUse {
            // It may have ended with a suspension that the app has taken back.
            if isLaunching { beginLaunch() }
            if hasChanged { resumeStore() }
            if hasChanged || isBack { goOn() }
        } else if hasChanged || repeatsSuspension {
            defer { endLaunch() }
            try suspendStore()
        }
    }
}
