#if Proxy
import Locking

/// How many bytes of body files lie in buffers on their way to sockets.
///
/// Over loopback, where a web view sits, bytes from a buffer reach their reader in a third of the time that a file region
/// takes (docs/benchmarks.md). But a client that does not read would keep its buffer, so beyond the budget, and for long
/// bodies, the system sends from the file.
final class CopyBudget: Sendable {
    /// Parts of bodies up to this length are copied, 64 KiB: that is done on the event loop, where a hundred other connections
    /// wait for it. A thread of its own for longer ones took twice the processor time of a file region at 1 MB.
    static let longest = 65_536
    /// 32 MiB.
    private static let total = 32 * 1_048_576

    private let used = LockedBox(0)

    func take(_ count: Int) -> Bool {
        guard count <= Self.longest else { return false }
        return used.withLock { used in
            guard used + count <= Self.total else { return false }
            used += count
            return true
        }
    }

    func give(_ count: Int) {
        used.withLock { $0 -= count }
    }
}
#endif
