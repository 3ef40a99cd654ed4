/// How a step of a session ended.
package struct SessionResult: Hashable, Sendable, Codable {
    /// ``SessionCommand/id``.
    package var id: Int
    /// The result since the step began. Failed resources and console messages begin with the page.
    package var seen: VisitResult
    /// Whether there is a page to go back to.
    package var canGoBack: Bool
    package var canGoForward: Bool
    /// Scheme tasks that are neither finished nor failed nor stopped.
    package var openTasks: Int
    /// Requests that the injected script has had a hand in since the session began, by what sent them: `fetch`, `xhr`,
    /// `beacon`, `form`.
    package var touchedRequests: [String: Int]
    /// Faults of the injected script since the session began, by the same names. The requests were left to the web
    /// view.
    package var scriptFaults: [String: Int]
    /// Addresses that got past the injected script in the session; `nil` in modes but appScheme.
    package var addresses: AddressReport?

    package init(
        id: Int, seen: VisitResult, canGoBack: Bool, canGoForward: Bool, openTasks: Int,
        touchedRequests: [String: Int] = [:], scriptFaults: [String: Int] = [:],
        addresses: AddressReport? = nil
    ) {
        self.id = id
        self.seen = seen
        self.canGoBack = canGoBack
        self.canGoForward = canGoForward
        self.openTasks = openTasks
        self.touchedRequests = touchedRequests
        self.scriptFaults = scriptFaults
        self.addresses = addresses
    }
}
