/// A moment in the history of a store, taken before a request leaves.
///
/// With it, ``ResponseStorage/commit(_:key:response:since:)`` tells whether the response to that request may still be
/// stored: not when its key was invalidated since, whichever process did it, and only as one that has to be validated
/// first when another response came in between and nobody can tell which of the two is newer.
public struct StoreMark: Hashable, Sendable {
    /// How many changes were noted before.
    var number: UInt64
    /// Differs from one opening of the log to the next.
    var opening: UInt64
}
