/// How the wait for a page ended: with a page at rest, or at a limit.
package enum VisitEnding: String, Hashable, Sendable, Codable, CaseIterable {
    /// The load event has come, and nothing was under way for ``VisitRequest/quietMilliseconds``.
    case quiet
    /// The load event has come, and a request was still under way ``VisitRequest/pendingLimitMilliseconds`` later.
    case pendingLimit
    /// ``VisitRequest/timeoutSeconds`` had passed, or ``VisitRequest/scriptTimeoutSeconds`` for a script.
    case timeLimit
    /// No document came, or what came is no page.
    case noPage
    /// The web process ended.
    case processEnded
    /// The process that has the web view did not keep the limits, and was ended.
    case overdue
}
