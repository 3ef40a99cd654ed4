import HTTPCacheSemantics
import Locking

/// Whether an app may use a store that it shares, by what the system and the app itself have said.
///
/// In the background it may only during a background task, and not once the system has said that time is up. An app
/// that was launched, and was not told since where it is, may until then too: it may be in the foreground already.
struct BackgroundState: Hashable, Sendable {
    private enum Place: Hashable { case launched, foreground, background }
    /// The app's own request. A task begun after ``suspended`` has the store until its end.
    private enum Wish: Hashable { case inUse, suspended, suspendedOutsideTasks }

    /// Whether the place of the app counts, and not its wish alone.
    let isAutomatic: Bool
    private var place = Place.launched
    private var wish = Wish.inUse
    /// Tasks that are to begin once the system was asked not to suspend the app.
    private var announced: Set<Int> = []
    private var tasks: Set<Int> = []
    /// Tasks for which the system still keeps the app from being suspended.
    private var protected: Set<Int> = []
    private var lastTask = 0
    /// Whether time has been up since the launch, which no later task makes undone.
    private var hasRunOutOfTime = false

    init(isAutomatic: Bool = true) { self.isAutomatic = isAutomatic }

    var mayUseStore: Bool {
        if wish == .suspended { return false }
        if !tasks.isEmpty && (!isAutomatic || place == .foreground || !protected.isEmpty) { return true }
        if wish == .suspendedOutsideTasks { return false }
        return !isAutomatic || place == .foreground || isLaunching
    }

    /// Whether the app may use the store for the one reason that nobody has told yet where it is.
    var isLaunching: Bool { isAutomatic && wish == .inUse && place == .launched && !hasRunOutOfTime }

    var isInBackground: Bool { place == .background }

    mutating func enterForeground() { place = .foreground }

    /// The app was in the foreground when this began.
    ///
    /// - Returns: Whether nobody has told since where it is.
    mutating func beginInForeground() -> Bool {
        guard place == .launched else { return false }
        enterForeground()
        return true
    }

    mutating func enterBackground() { place = .background }

    /// In the foreground the system's word is out of date: the app came back meanwhile. A task that it was said to has
    /// no time left all the same, the next time that the app is in the background.
    ///
    /// - Parameter task: The one that it was said to; `nil` if to none.
    mutating func runOutOfTime(_ task: Int? = nil) {
        if let task {
            announced.remove(task)
            protected.remove(task)
        }
        guard isAutomatic, place != .foreground else { return }
        protected = []
        hasRunOutOfTime = true
    }

    /// Changes nothing yet: between the beginning of a task and the system's word that it lets the app run, another
    /// assertion could end in the belief that the task has one of its own.
    ///
    /// - Returns: The number of the task.
    mutating func announceTask() -> Int {
        lastTask += 1
        announced.insert(lastTask)
        return lastTask
    }

    /// The system was asked, and may have said meanwhile that there is no time.
    mutating func beginTask(_ task: Int) {
        tasks.insert(task)
        if announced.remove(task) != nil { protected.insert(task) }
        if wish == .suspended { wish = .suspendedOutsideTasks }
    }

    mutating func endTask(_ task: Int) {
        tasks.remove(task)
        protected.remove(task)
    }

    /// The app wants the store suspended, also in the middle of a task.
    mutating func suspend() { wish = .suspended }

    /// The app takes that back. Where the system allows no use there is none.
    mutating func resume() { wish = .inUse }
}

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
