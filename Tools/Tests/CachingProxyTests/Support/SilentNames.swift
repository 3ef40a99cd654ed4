import Foundation
import NIOCore

/// A resolver that is silent about some names until it is told to go on.
final class SilentNames: Sendable {
    private final class Guarded: @unchecked Sendable {
        let condition = NSCondition()
        // Behind the condition's lock.
        var asked: [String] = []
        var isSilent = true
        var (pending, most) = (0, 0)
    }

    private let guarded = Guarded()

    /// Names that begin with "dead" have no address, and it takes a while until that is known; all others are loopback.
    @Sendable
    func ask(_ host: String) throws -> [SocketAddress] {
        let guarded = guarded
        guarded.condition.lock()
        guarded.asked.append(host)
        guarded.condition.broadcast()
        let isDead = host.hasPrefix("dead")
        if isDead {
            guarded.pending += 1
            guarded.most = max(guarded.most, guarded.pending)
            while guarded.isSilent { guarded.condition.wait() }
            guarded.pending -= 1
        }
        guarded.condition.unlock()
        guard !isDead else { throw NoAddress() }
        return [try SocketAddress(ipAddress: "127.0.0.1", port: 0)]
    }

    struct NoAddress: Error {}

    /// All that was asked.
    var asked: [String] { guarded.condition.withLock { guarded.asked } }
    /// The most that were pending at once.
    var most: Int { guarded.condition.withLock { guarded.most } }

    /// Blocks until so many look-ups are pending.
    func wait(for count: Int) {
        guarded.condition.withLock { while guarded.pending < count { guarded.condition.wait() } }
    }

    func speak() {
        guarded.condition.withLock {
            guarded.isSilent = false
            guarded.condition.broadcast()
        }
    }
}
