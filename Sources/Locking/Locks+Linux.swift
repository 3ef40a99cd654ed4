#if !canImport(os)
import Synchronization

/// A value behind a lock, to be shared between threads. Hold it briefly and never across I/O or `await`.
package final class LockedBox<Value: Sendable>: Sendable {
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: Value) {
        mutex = Mutex(value)
    }

    /// Runs the closure with exclusive access to the value.
    @inlinable
    package func withLock<Result: Sendable>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try mutex.withLock { (value: inout sending Value) in try body(&value) }
    }
}

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
