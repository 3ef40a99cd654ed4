import Dispatch
import Locking

/// Suspends a store when its app may no longer use it, and resumes it when the app may again. Knows no system:
/// ``BackgroundState`` decides, and the adapter of the platform tells what happens.
final class BackgroundSuspension: Sendable {
    /// Calls a closure on another thread, and keeps the app from being suspended until the closure returns; calls it with
    /// true when there is no more time, also while the first call waits. Returns at once.
    typealias Assertion = @Sendable (_ work: @escaping @Sendable (_ isOutOfTime: Bool) -> Void) -> Void

    private let state = LockedBox(BackgroundState())
    /// Whether the store is in use; changed on the queue only.
    private let isInUse = LockedBox(true)
    /// Until it is known where the app is.
    private let launch = LockedBox<DispatchSemaphore?>(nil)
    private let queue = DispatchQueue(label: "larder.suspension", qos: .userInitiated)
    private let assertion: Assertion
    private let suspend: @Sendable () -> Void
    private let resume: @Sendable () -> Void

    /// - Parameters:
    ///   - suspend: Returns when the store has let go of its files. It is not called from a task, and may wait.
    ///   - resume: Must return at once.
    init(
        _ assertion: @escaping Assertion, suspend: @escaping @Sendable () -> Void,
        resume: @escaping @Sendable () -> Void
    ) {
        (self.assertion, self.suspend, self.resume) = (assertion, suspend, resume)
    }

    /// Sees to it that an app that is launched in the background, and told nothing else, lets go of its files before it is
    /// suspended. To be called once, at the start. Returns at once.
    func beginLaunch() {
        let isOver = DispatchSemaphore(value: 0)
        launch.withLock { $0 = isOver }
        assertion { isOutOfTime in
            guard isOutOfTime else { return isOver.wait() }
            self.state.withLock { $0.runOutOfTime() }
            self.queue.sync { self.followState() }
            self.endLaunch()
        }
    }

    /// From now on the system tells where the app is, or the store is suspended.
    private func endLaunch() {
        launch.withLock { launch in
            defer { launch = nil }
            return launch
        }?.signal()
    }

    /// Returns at once; the store goes on in the background.
    func enterForeground() {
        state.withLock { $0.enterForeground() }
        queue.async { self.followState() }
        endLaunch()
    }

    /// Returns at once; the app is not suspended before the store has let go of its files.
    func enterBackground() {
        state.withLock { $0.enterBackground() }
        assertion { isOutOfTime in
            if isOutOfTime { self.state.withLock { $0.runOutOfTime() } }
            self.queue.sync { self.followState() }
            self.endLaunch()
        }
    }

    /// Lets the store be used during some work, also in the background, until the work is over or there is no more time.
    /// Returns after the store has let go of its files if the app may not use them any more.
    func duringTask<Result>(_ work: () async throws -> Result) async rethrows -> Result {
        state.withLock { $0.beginTask() }
        let isOver = DispatchSemaphore(value: 0)
        assertion { isOutOfTime in
            guard isOutOfTime else { return isOver.wait() }
            self.state.withLock { $0.runOutOfTime() }
            self.queue.sync { self.followState() }
            isOver.signal()
        }
        await follow()
        do {
            let result = try await work()
            await endTask(isOver)
            return result
        } catch {
            await endTask(isOver)
            throw error
        }
    }

    private func endTask(_ isOver: DispatchSemaphore) async {
        state.withLock { $0.endTask() }
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

    private func followState() {
        let mayUse = state.withLock { $0.mayUseStore }
        let hasChanged = isInUse.withLock { isInUse in
            defer { isInUse = mayUse }
            return isInUse != mayUse
        }
        guard hasChanged else { return }
        if mayUse {
            resume()
        } else {
            suspend()
            endLaunch()
        }
    }
}
