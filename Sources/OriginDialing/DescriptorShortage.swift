#if Proxy
import CacheEngine
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
#endif
