import CacheEngine
import WebVisit

/// The time that a web-view process has beyond the limits that it keeps itself. Afterwards it is ended.
enum HelperLimits {
    /// Starting, looking at the page at the end, and storing what has come.
    static let beyondVisit = Duration.seconds(20)
    /// Opening the view of a session, removing website data, and ending.
    static let other = Duration.seconds(60)
    /// Between asking a process to end and killing it.
    static let killing = Duration.seconds(2)

    /// The longest time that a page may take, with its script.
    static func visit(_ request: VisitRequest, hasScript: Bool) -> Duration {
        let script = hasScript ? request.scriptTimeoutSeconds : 0
        // Far larger numbers, such as an option takes, cannot be added up.
        return .seconds(min(max(request.timeoutSeconds, 0) + max(script, 0), 1_000_000)) + beyondVisit
    }

    /// The result of a visit whose process did not keep the limits.
    static func overdue(_ url: String) -> VisitResult {
        var result = VisitResult(requestedURL: url)
        (result.timedOut, result.ending) = (true, .overdue)
        return result
    }
}
