/// Whether a ``SchemeTask`` can take more of the content.
package enum SchemeTaskDemand: Hashable, Sendable {
    /// The next call may follow at once. `WKURLSchemeTask` offers nothing else.
    case more
    /// The next call has to wait for ``SchemeTaskDriver/proceed(_:)``.
    case later
}
