/// One thing that a session does, and then waits until the page has settled.
package enum SessionStep: Hashable, Sendable, Codable {
    /// Opens a page. With the app scheme its URL is an https URL all the same.
    case open(url: String)
    /// Loads the page again; past every cache if `fromOrigin`.
    case reload(fromOrigin: Bool)
    case back
    case forward
    /// Runs the body of an asynchronous JavaScript function in the page.
    case run(script: String)
    /// Takes a picture of the view, as PNG.
    case picture(path: String)
    /// Changes what the cache is told; what is `nil` stays.
    case change(connectivity: Connectivity? = nil, account: String? = nil, rules: String? = nil)
    /// Sets the answer to dialogs of the page from now on, and the files that its file fields get.
    case answer(dialogs: Bool, text: String? = nil, files: [String] = [])
    /// Removes website data of these kinds.
    case clear(WebsiteDataClearing)
    /// Ends the web process, as the system does when memory runs out.
    case endWebProcess

    /// Whether the step is about a document that takes the place of the one before.
    package var loadsPage: Bool {
        switch self {
        case .open, .reload, .back, .forward: true
        case .run, .picture, .change, .answer, .clear, .endWebProcess: false
        }
    }
}
