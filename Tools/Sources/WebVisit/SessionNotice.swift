/// Something that a page wanted and an app decides about.
package enum SessionNotice: Hashable, Sendable, Codable {
    /// A URL for another app, such as `tel:`, or for a new window.
    case external(url: String, isNewWindow: Bool)
    /// A page showed a dialog.
    case dialog(kind: String, text: String)
    /// The web process ended; what was done about it.
    case processEnded(reason: String, recovery: String)
    /// A page that has loaded shows one colour and nothing else. It has no elements, or those that it has draw nothing,
    /// like the empty `<div>` of an app that did not start.
    case blankPage(url: String, hasElements: Bool)
}
