import HTTPCacheSemantics
import Locking

/// Time that the system gives an app in the background.
protocol BackgroundTask: Sendable {
    /// Calls the handler when the time is nearly up, on any thread.
    func onExpiration(_ handler: @escaping @Sendable () -> Void)
    /// The work is over. To be called once.
    func complete(isDone: Bool)
}

/// Grants background time: the system, or a stand-in for it.
protocol BackgroundTaskScheduler: Sendable {
    /// - Parameter launch: Called for each task, on any thread.
    /// - Returns: Whether the system accepts the identifier.
    func register(_ identifier: String, _ launch: @escaping @Sendable (any BackgroundTask) -> Void) -> Bool
    /// Asks for a task, in place of the one that was asked for before.
    ///
    /// - Parameters:
    ///   - earliest: Not before.
    ///   - now: The time on the same clock.
    func submit(_ identifier: String, notBefore earliest: WallInstant, now: WallInstant) throws
}

/// Which background tasks are registered with the system. iOS ends an app that registers an identifier twice, so a
/// second registration here only takes the place of the first.
final class BackgroundTaskRegistry: Sendable {
    typealias Launch = @Sendable (any BackgroundTask) -> Void

    private let launches = LockedBox<[String: Launch]>([:])

    /// - Parameters:
    ///   - launch: Called for each task from now on.
    ///   - system: Registers the identifier with the system, for good, and says whether it was accepted. Called for one
    ///     that is not registered yet.
    /// - Returns: Whether it is registered.
    func register(_ identifier: String, _ launch: @escaping Launch, _ system: (@escaping Launch) -> Bool) -> Bool {
        let isNew = launches.withLock { $0.updateValue(launch, forKey: identifier) == nil }
        guard isNew else { return true }
        let isAccepted = system { self.launch(identifier, $0) }
        if !isAccepted { launches.withLock { _ = $0.removeValue(forKey: identifier) } }
        return isAccepted
    }

    /// Hands over a task that the system has begun; one that nobody has registered is over.
    func launch(_ identifier: String, _ task: any BackgroundTask) {
        guard let launch = launches.withLock({ $0[identifier] }) else { return task.complete(isDone: false) }
        launch(task)
    }
}
