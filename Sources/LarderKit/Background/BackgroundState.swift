/// Whether an app may use a store that it shares, by what the system and the app itself have said.
///
/// In the background it may only during a background task, and not once the system has said that time is up. An app that
/// was launched, and was not told since where it is, may until then too: it may be in the foreground already.
struct BackgroundState: Hashable, Sendable {
    private enum Place: Hashable { case launched, foreground, background }
    /// What the app has asked for. A task that begins after ``suspended`` has the store; the store is suspended after it.
    private enum Wish: Hashable { case inUse, suspended, suspendedOutsideTasks }

    /// Whether the place of the app counts, and not its wish alone.
    let isAutomatic: Bool
    private var place = Place.launched
    private var wish = Wish.inUse
    private var tasks = 0
    private var isOutOfTime = false
    /// Whether time has been up since the launch, which no later task makes undone.
    private var hasRunOutOfTime = false

    init(isAutomatic: Bool = true) { self.isAutomatic = isAutomatic }

    var mayUseStore: Bool {
        if wish == .suspended { return false }
        if tasks > 0 && !isOutOfTime { return true }
        if wish == .suspendedOutsideTasks { return false }
        return !isAutomatic || place == .foreground || isLaunching
    }

    /// Whether the app may use the store for the one reason that nobody has told yet where it is.
    var isLaunching: Bool { isAutomatic && wish == .inUse && place == .launched && !hasRunOutOfTime }

    var isInBackground: Bool { place == .background }

    mutating func enterForeground() { (place, isOutOfTime) = (.foreground, false) }

    mutating func enterBackground() { (place, isOutOfTime) = (.background, false) }

    /// In the foreground the system's word is out of date: the app came back meanwhile.
    mutating func runOutOfTime() {
        guard isAutomatic, place != .foreground else { return }
        (isOutOfTime, hasRunOutOfTime) = (true, true)
    }

    mutating func beginTask() {
        tasks += 1
        isOutOfTime = false
        if wish == .suspended { wish = .suspendedOutsideTasks }
    }

    mutating func endTask() { tasks = max(0, tasks - 1) }

    /// The app wants the store suspended, also in the middle of a task.
    mutating func suspend() { wish = .suspended }

    /// The app takes that back. Where the system allows no use there is none.
    mutating func resume() { wish = .inUse }
}
