#if canImport(os)
import os

/// A value behind a lock, to be shared between threads. Hold it briefly and never across I/O or `await`.
///
/// `OSAllocatedUnfairLock`, because `Mutex` needs iOS 18.
package final class LockedBox<Value: Sendable>: Sendable {
    private let lock: OSAllocatedUnfairLock<Value>

    package init(_ value: Value) {
        lock = OSAllocatedUnfairLock(initialState: value)
    }

    /// Runs the closure with exclusive access to the value.
    package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLockUnchecked { try body(&$0) }
    }
}

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
