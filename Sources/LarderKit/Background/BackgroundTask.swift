import HTTPCacheSemantics

/// Time that the system gives an app in the background.
protocol BackgroundTask: Sendable {
    /// Calls the handler when the time is nearly up, on any thread.
    func onExpiration(_ handler: @escaping @Sendable () -> Void)
    /// The work is over. To be called once.
    func complete(isDone: Bool)
}

/// Who gives that time.
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
