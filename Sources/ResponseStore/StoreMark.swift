/// A moment in the history of a store, taken before a request leaves.
///
/// With it, ``ResponseStorage/commit(_:key:response:since:)`` decides whether the response to that request may be
/// stored: not if any process invalidated its key since, and only with ``StoredResponse/needsValidation`` if another
/// response was stored since and the order of the two is unknown.
package struct StoreMark: Hashable, Sendable {
    /// The number of changes noted before.
    var number: UInt64
    /// Differs from one opening of the log to the next.
    var opening: UInt64
}
