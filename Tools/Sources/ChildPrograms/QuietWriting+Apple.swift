#if canImport(Darwin)
import Darwin
import Foundation

/// Writing to a pipe without SIGPIPE, which would end this process unless it is ignored. Not yet run on a Mac.
enum QuietWriting {
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Result<Int, POSIXError> {
        _ = fcntl(descriptor, F_SETNOSIGPIPE, 1)
        let count = Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        return count < 0 ? .failure(POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)) : .success(count)
    }
}
#endif
