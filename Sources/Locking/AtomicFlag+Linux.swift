#if !canImport(os)
import Synchronization

/// A flag that threads share, read far more often than it is set. Takes no lock.
package final class AtomicFlag: Sendable {
    private let flag: Atomic<Bool>

    package init(_ value: Bool) {
        flag = Atomic(value)
    }

    /// The value set last. A thread that reads it also sees all earlier writes of the thread that set it.
    package var value: Bool {
        get { flag.load(ordering: .acquiring) }
        set { flag.store(newValue, ordering: .releasing) }
    }
}
#endif
