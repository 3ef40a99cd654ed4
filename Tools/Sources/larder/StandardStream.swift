import Foundation
import Locking

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

    /// Writes progress and problems; without a reader they are lost, after a second once the reader reads no more: a
    /// program that has started this one, and leaves its log unread, must not stop it.
    static func note(_ bytes: Data) {
        lost.withLock { lost in
            let words = "Nobody read this for a while; \(lost) notes are lost."
            let gap = bytes.first == UInt8(ascii: "{") ? "{\"warning\":\"\(words)\"}\n" : "larder: \(words)\n"
            var rest = (lost > 0 ? Data(gap.utf8) : Data()) + bytes
            while !rest.isEmpty {
                guard wait(for: STDERR_FILENO, lost == 0 ? 1_000 : 0) else { return lost += 1 }
                // A pipe that is ready has room for this much.
                _ = write(rest.prefix(Int(PIPE_BUF)), to: STDERR_FILENO)
                rest = rest.dropFirst(Int(PIPE_BUF))
            }
            lost = 0
        }
    }

    private static let lost = LockedBox(0)

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

    /// - Parameter milliseconds: How long it is waited for at most; -1 without end.
    /// - Returns: Whether it takes something, or has failed.
    @discardableResult
    private static func wait(for descriptor: Int32, _ milliseconds: Int32 = -1) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return poll(&entry, 1, milliseconds) != 0
    }
}
