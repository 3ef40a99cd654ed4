import Foundation
import Locking

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The two descriptors of a pipe, each closed once: ours when nobody uses it any more, the child's when it has it.
final class PipeEnds: Sendable {
    /// Stays open as long as this object, so that no call can meet a descriptor that means something else by now.
    let ours: Int32
    private let child: LockedBox<Int32?>

    /// - Parameter childWrites: Whether the child writes and we read, or the other way round.
    /// - Throws: `POSIXError` when there are no descriptors left.
    init(childWrites: Bool) throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EMFILE) }
        // Above the standard ones, even where one of those is closed, and not for any other program.
        let raised = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        for end in ends { close(end) }
        guard raised.allSatisfy({ $0 >= 0 }) else {
            for end in raised where end >= 0 { close(end) }
            throw POSIXError(.EMFILE)
        }
        ours = raised[childWrites ? 0 : 1]
        child = LockedBox(raised[childWrites ? 1 : 0])
    }

    deinit {
        seal()
        close(ours)
    }

    /// The descriptor that a program gets.
    ///
    /// - Throws: `POSIXError` with `EBADF` when a program has it already.
    func childEnd() throws -> Int32 {
        guard let end = child.withLock({ $0 }) else { throw POSIXError(.EBADF) }
        return end
    }

    /// The child has its end, or never will.
    func seal() {
        let end = child.withLock { end -> Int32? in
            defer { end = nil }
            return end
        }
        if let end { close(end) }
    }
}
