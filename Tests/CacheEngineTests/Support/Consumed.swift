import Foundation

/// Counts what a reader has taken. Unchecked, because a lock of Foundation guards its one variable.
final class Consumed: @unchecked Sendable {
    private let lock = NSLock()
    private var count: Int64 = 0

    var value: Int64 { lock.withLock { count } }

    func add(_ bytes: Int) {
        lock.withLock { count += Int64(bytes) }
    }
}
