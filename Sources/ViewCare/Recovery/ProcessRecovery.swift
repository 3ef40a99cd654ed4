import HTTPCacheSemantics

/// Decides what follows the death of a view's web content process: reload once, then an error page.
///
/// A page that kills its process each time must not reload for ever. After a load that lasted, a reload is allowed
/// again.
package struct ProcessRecovery: Hashable, Sendable {
    package enum Decision: Hashable, Sendable {
        case reload
        case showError(Reason)
    }

    package enum Reason: String, CaseIterable, Sendable {
        /// The process died again within half a minute of the reload.
        case diedAgain = "died-again"
        /// Nothing was shown that could be loaded again.
        case nothingToReload = "nothing-to-reload"
    }

    /// How long a load must have lasted after a reload before a reload is allowed again.
    private static let window: Duration = .seconds(30)
    private var lastReload: WallInstant?
    private var finishedLoad: WallInstant?

    package init() {}

    /// The main document has finished loading.
    package mutating func finishedLoading(at now: WallInstant) {
        if finishedLoad == nil { finishedLoad = now }
    }

    /// The process died.
    ///
    /// - Parameter canReload: Whether the view has a URL that a reload would ask for again; not so after a form's POST.
    package mutating func processDied(canReload: Bool, at now: WallInstant) -> Decision {
        // With a clock that was set back the difference is negative: the load then counts as short.
        let hasLasted = finishedLoad.map { now - $0 >= Self.window } ?? false
        finishedLoad = nil
        if lastReload != nil, !hasLasted { return .showError(.diedAgain) }
        guard canReload else { return .showError(.nothingToReload) }
        lastReload = now
        return .reload
    }

    /// The user asked for a page: whatever happened before, the next death may be followed by a reload.
    package mutating func userNavigated() {
        lastReload = nil
        finishedLoad = nil
    }
}

/// Shown in place of a page whose process has ended, and that is not loaded again.
public enum ErrorPage {
    package static let html = """
        <!doctype html><meta charset=utf-8><meta name=color-scheme content="light dark">
        <meta name=viewport content="width=device-width">
        <title>This page has stopped</title>
        <style>body{font:17px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em;color:#222}
        @media(prefers-color-scheme:dark){body{background:#1c1c1e;color:#eee}}</style>
        <h1>This page has stopped</h1>
        <p>It ended by itself, and was not loaded again. Try again later, or go back.</p>
        """
}
