#if canImport(Glibc)
import Glibc

/// The system calls that the store makes, under names that no method of ours shadows.
enum SystemCalls {
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> Int32 {
        Glibc.open(path, flags | O_CLOEXEC, mode)
    }
    static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }
    static func pread(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        Glibc.pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    static func pwrite(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
        Glibc.pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    static func synchronize(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }
    static func rename(_ old: String, _ new: String) -> Int32 { Glibc.rename(old, new) }
    static func unlink(_ path: String) -> Int32 { Glibc.unlink(path) }
    static func processExists(_ id: Int32) -> Bool { kill(id, 0) == 0 || Glibc.errno == EPERM }
    static var processID: Int32 { getpid() }
    static var errorNumber: Int32 { Glibc.errno }
    static let interrupted = EINTR
    static let createExclusively = O_RDWR | O_CREAT | O_EXCL
    static let readOnly = O_RDONLY

    static func size(_ descriptor: Int32) -> Int64? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : nil
    }
}
#endif
