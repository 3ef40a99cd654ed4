import Locking

/// A place beside an entry for what was worked out from its response, so that it is worked out once and goes with the
/// entry. The store itself never looks at it.
public final class EntryMemo: Sendable {
    private let kept = LockedBox<(any AnyObject & Sendable)?>(nil)

    init() {}

    /// `nil` until something is kept.
    public var value: (any AnyObject & Sendable)? { kept.withLock { $0 } }

    /// Keeps a value in the place of the one before.
    public func keep(_ value: any AnyObject & Sendable) {
        kept.withLock { $0 = value }
    }
}
