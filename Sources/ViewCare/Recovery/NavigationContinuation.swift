/// Which loads of a web view are one navigation to the app: a document that a scheme handler redirects, and a load that
/// is tried again, go on as a new load of the web view's, after the old one has failed.
package struct NavigationContinuation: Hashable, Sendable {
    /// The meaning to the app of a load that begins.
    package enum Start: Hashable, Sendable {
        case new, redirect
        /// The same as before; the app knows of it.
        case retry
    }

    /// The meaning of the next load.
    private var next = Start.new
    /// Whether the failure of the load before is still to come.
    private var awaitsFailure = false

    package init() {}

    /// The document is redirected; the load that goes on begins now, and the one before fails as cancelled.
    package mutating func redirected() { (next, awaitsFailure) = (.redirect, true) }

    /// A load that has failed is tried again, and the app was not told.
    package mutating func retried() { (next, awaitsFailure) = (.retry, false) }

    /// A load has begun.
    package mutating func started() -> Start {
        defer { next = .new }
        return next
    }

    /// A load has failed before its document came.
    ///
    /// - Returns: Whether it is the one that goes on as another, of which the app is not told. A web view may tell of
    ///   it before or after the other has begun.
    package mutating func failed(isCancelled: Bool) -> Bool {
        guard awaitsFailure, isCancelled else { return false }
        awaitsFailure = false
        return true
    }

    /// A document has begun to arrive.
    package mutating func committed() { self = NavigationContinuation() }
}
