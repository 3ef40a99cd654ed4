import Foundation

/// Standard output and standard error. What `FileHandle` ends the process for is said here: a reader that has left, as
/// in `larder store list | head`, or a full disk.
enum StandardStream {
    /// Writes results. If nobody reads them any more, the process ends with the status that shells give for that, 141.
    static func write(_ bytes: Data) {
        switch write(bytes, to: STDOUT_FILENO) {
        case 0: return
        case EPIPE: exit(141)
        case let problem:
            note(Data("larder: The output can't be written: \(String(cString: strerror(problem))).\n".utf8))
            exit(74)
        }
    }

    /// Writes progress and problems; without a reader they are lost.
    static func note(_ bytes: Data) { _ = write(bytes, to: STDERR_FILENO) }

    /// - Returns: The error number; 0 if all was written.
    private static func write(_ bytes: Data, to descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes -> Int32 in
            var written = 0
            while written < bytes.count {
                let count = Foundation.write(
                    descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                if count >= 0 {
                    written += count
                } else if errno == EAGAIN {
                    wait(for: descriptor)
                } else if errno != EINTR {
                    return errno
                }
            }
            return 0
        }
    }

    /// A descriptor that somebody else has set not to block.
    private static func wait(for descriptor: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
    }
}
