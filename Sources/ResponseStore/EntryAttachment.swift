import Locking

/// A place beside an entry for what was worked out from its response, so that it is worked out once and goes with the
/// entry. The store itself never looks at it.
public final class EntryAttachment: Sendable {
    /// Tells one response from another for as long as somebody holds it, and keeps nothing else in memory.
    public final class Identity: Sendable {
        init() {}
    }

    private struct State: Sendable {
        var value: (any AnyObject & Sendable)?
        var identity: Identity?
    }

    private let state = LockedBox(State())

    init() {}

    /// `nil` until something is kept.
    public var value: (any AnyObject & Sendable)? { state.withLock { $0.value } }

    /// The same object for all copies of the entry, until its response is changed.
    public var identity: Identity {
        state.withLock { state in
            if let identity = state.identity { return identity }
            let identity = Identity()
            state.identity = identity
            return identity
        }
    }

    /// Keeps a value in the place of the one before.
    public func keep(_ value: any AnyObject & Sendable) {
        state.withLock { $0.value = value }
    }
}
