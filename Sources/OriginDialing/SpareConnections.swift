#if Proxy
import Locking

/// Idle connections of every keeper in the process; they are closed when no descriptor is left.
package final class SpareConnections: Sendable {
    private let closers = LockedBox<[@Sendable () async -> Void]>([])

    package init() {}

    /// - Parameter close: Closes what can be spared and returns when it is closed. Called at any time.
    package func register(_ close: @escaping @Sendable () async -> Void) {
        closers.withLock { $0.append(close) }
    }

    /// Closes them all.
    package func close() async {
        for close in closers.withLock({ $0 }) { await close() }
    }
}
#endif
