import Locking

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A temporary file without a name: it goes when nobody holds it any more, or when the process ends, however that
/// happens.
package final class UploadFile: UploadSpace {
    /// The system's error.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        init(_ number: Int32) { description = "The temporary file of a form: \(String(cString: strerror(number)))." }
    }

    private let descriptor: Int32
    /// In bytes.
    private let length = LockedBox<Int64>(0)

    /// - Parameter folder: The folder for temporary files, with or without a slash at its end.
    /// - Throws: ``Failure`` where no file can be made.
    package init(in folder: String) throws {
        var path = Array("\(folder)/larder-form-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Failure(errno) }
        unlink(path)
        // The web view's processes do not get it.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    package func append(_ bytes: [UInt8]) throws {
        try length.withLock { length in
            try bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let count = pwrite(
                        descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done,
                        off_t(length) + off_t(done))
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw Failure(count < 0 ? errno : ENOSPC) }
                    done += count
                }
            }
            length += Int64(bytes.count)
        }
    }

    package func read(at offset: Int64, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            while done < count {
                let read = pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset) + off_t(done))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { throw Failure(read < 0 ? errno : EIO) }
                done += read
            }
        }
    }
}
