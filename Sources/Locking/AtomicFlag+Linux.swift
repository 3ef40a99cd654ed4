#if !canImport(os)
import Synchronization

/// A flag that threads share, read far more often than it is set. Takes no lock.
public final class AtomicFlag: Sendable {
    private let flag: Atomic<Bool>

    public init(_ value: Bool) {
        flag = Atomic(value)
    }

    /// What was set last; whoever sees it sees all that the setting thread had done before.
    public var value: Bool {
        get { flag.load(ordering: .acquiring) }
        set { flag.store(newValue, ordering: .releasing) }
    }
}
#endif
