import Locking

/// A place for values derived from an entry's response, so that they are computed once and live as long as the entry.
/// The store itself never reads it.
package final class EntryAttachment: Sendable {
    /// Identifies one response as long as it is retained, and retains nothing else.
    package final class Identity: Sendable {
        init() {}
    }

    private struct State: Sendable {
        var value: (any AnyObject & Sendable)?
        var identity: Identity?
    }

    private let state = LockedBox(State())

    init() {}

    /// `nil` until a value is set.
    package var value: (any AnyObject & Sendable)? { state.withLock { $0.value } }

    /// The same object for all copies of the entry, until its response changes.
    package var identity: Identity {
        state.withLock { state in
            if let identity = state.identity { return identity }
            let identity = Identity()
            state.identity = identity
            return identity
        }
    }

    /// Sets a value, replacing the former one.
    package func keep(_ value: any AnyObject & Sendable) {
        state.withLock { $0.value = value }
    }
}
