#if Proxy
import CacheEngine
import Locking
import NIOCore
import NIOPosix

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The state in which this process, or the system, has no descriptor for another file or socket.
package enum DescriptorShortage {
    /// Whether that is why something failed.
    package static func isCause(of error: any Error) -> Bool {
        if let failure = error as? TransportError { return failure.cause.map(isCause(of:)) ?? false }
        if let failure = error as? IOError { return isShortage(failure.errnoCode) }
        guard let failure = error as? NIOConnectionError else { return false }
        // A resolver that gets no descriptor says only that it knows no address.
        return failure.connectionErrors.contains { isCause(of: $0.error) }
            || failure.connectionErrors.isEmpty && isNow
    }

    private static func isShortage(_ number: Int32) -> Bool {
        [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(number)
    }

    /// Whether a file can't be opened at this moment for that reason.
    private static var isNow: Bool {
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return false
        }
        return isShortage(errno)
    }
}

/// How many files and sockets this process may have open, getrlimit(2).
package enum OpenFileLimit {
    /// At most 1,048,576, also where there is no limit.
    package static var current: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? 1_048_576 : min(Int(limit), 1_048_576)
    }
}

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
