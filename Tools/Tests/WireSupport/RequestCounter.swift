import Locking

/// Counts from one.
package final class RequestCounter: Sendable {
    private let value = LockedBox(0)

    package init() {}

    package func next() -> Int {
        value.withLock {
            $0 += 1
            return $0
        }
    }
}
