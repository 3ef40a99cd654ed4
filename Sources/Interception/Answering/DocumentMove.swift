/// What a web view has to do instead of showing a document that a scheme task asked for.
package enum DocumentMove: Hashable, Sendable {
    /// The document is redirected: navigate the main frame to this URL, which has the scheme of the page that asked.
    case load(url: String)
    /// The document is redirected to another app's URL, such as `tel:`. Whether the user is asked first is the app's
    /// decision.
    case handToApp(url: String)
}
