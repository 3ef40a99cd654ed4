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
#endif
