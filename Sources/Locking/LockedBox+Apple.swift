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
#endif
