import Fetching
import WebVisit

/// Answers to a page's questions, as there is nobody to ask, and who is told of them.
struct PageAnswers {
    /// Whether confirmations are given. Pages may always be left.
    var confirms = false
    /// The answer to prompts; `nil` cancels them.
    var text: String?
    /// The files that file fields get; none cancels the choice.
    var files: [String] = []
    /// Told of what an app would decide about.
    var notice: (SessionNotice) -> Void = { _ in }
    /// Told why the web process ended.
    var processEnded: (String) -> Void = { _ in }
    /// Told when a main document has loaded, or failed to.
    var loaded: () -> Void = {}
    /// Told of each document that is about to load, in any frame, and whether a form is sent for it; `nil` where that
    /// is as it was before; and who has begun it. WebKitGTK does not say with which method: its requests of navigations
    /// all have GET.
    var announce: (_ url: String, _ isForm: Bool?, _ initiator: RequestEvidence.Initiator?) -> Void = { _, _, _ in }
    /// Told when the main document is loaded again, before it is announced.
    var reloads: (_ url: String) -> Void = { _ in }
    /// Whether a form's document may load only later: what has to be waited for, if there is anything.
    var wait: (_ url: String) -> (@MainActor @Sendable () async -> Void)? = { _ in nil }
    /// The address to load in place of one that the main document is about to go to; `nil` for the same.
    var moved: (_ url: String) -> String? = { _ in nil }
    /// Told when the main frame begins to load, after its document was announced and before it is asked for.
    var started: () -> Void = {}
    /// Whether URLs of other apps, and of new windows, are handed over. Else WebKit does what it does.
    var handsOver = false
}
