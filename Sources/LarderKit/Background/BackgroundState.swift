/// Whether an app may use a store that it shares, by what the system has told it.
///
/// In the background it may only during a background task, and not once the system has said that time is up. An app that
/// was launched and was not in the foreground yet may until its first background task is over: then it was launched for
/// that task alone.
struct BackgroundState: Hashable, Sendable {
    private enum Place: Hashable { case launched, foreground, background }

    private var place = Place.launched
    private var tasks = 0
    private var hasHadTask = false
    private var isOutOfTime = false

    var mayUseStore: Bool {
        if place == .foreground { return true }
        if isOutOfTime { return false }
        return tasks > 0 || place == .launched && !hasHadTask
    }

    mutating func enterForeground() { (place, isOutOfTime) = (.foreground, false) }

    mutating func enterBackground() { (place, isOutOfTime) = (.background, false) }

    /// In the foreground the system's word is out of date: the app came back meanwhile.
    mutating func runOutOfTime() { isOutOfTime = place != .foreground }

    mutating func beginTask() {
        tasks += 1
        (hasHadTask, isOutOfTime) = (true, false)
    }

    mutating func endTask() { tasks = max(0, tasks - 1) }
}
