#if canImport(os)
import os

/// A flag that threads share, read far more often than it is set.
///
/// Behind an unfair lock, because `Atomic` needs iOS 18; nobody waits for it but while another thread reads or sets it.
public final class AtomicFlag: Sendable {
    private let lock: OSAllocatedUnfairLock<Bool>

    public init(_ value: Bool) {
        lock = OSAllocatedUnfairLock(initialState: value)
    }

    /// What was set last; whoever sees it sees all that the setting thread had done before.
    public var value: Bool {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }
}
#endif
