#if canImport(os)
import os

/// A flag that threads share, read far more often than it is set.
///
/// Behind an unfair lock, because `Atomic` needs iOS 18; a thread waits only while another one reads or sets it.
package final class AtomicFlag: Sendable {
    private let lock: OSAllocatedUnfairLock<Bool>

    package init(_ value: Bool) {
        lock = OSAllocatedUnfairLock(initialState: value)
    }

    /// The value set last. A thread that reads it also sees all earlier writes of the thread that set it.
    package var value: Bool {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }
}
#endif
