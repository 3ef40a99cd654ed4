#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif
import HTTPCacheSemantics

/// The store's system calls, under names that none of our methods shadows.
enum SystemCalls {
    static func openFile(_ path: String, _ flags: Int32, mode: mode_t = 0o600) -> Int32 {
        open(path, flags | O_CLOEXEC, mode)
    }
    static func closeFile(_ descriptor: Int32) { _ = close(descriptor) }
    static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64) -> Int {
        pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer, _ offset: Int64) -> Int {
        pwrite(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
    }
    /// Waits until nobody else has the lock. It is the descriptor's own, and not the process's.
    static func lock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX) }
    /// As ``lock(_:)``, without waiting.
    static func tryLock(_ descriptor: Int32) -> Int32 { flock(descriptor, LOCK_EX | LOCK_NB) }
    /// The error of ``tryLock(_:)`` where somebody else has the lock.
    static let isLocked = EWOULDBLOCK
    static func move(_ old: String, _ new: String) -> Int32 { rename(old, new) }
    static func remove(_ path: String) -> Int32 { unlink(path) }
    static func makeDirectory(_ path: String) -> Int32 { mkdir(path, 0o700) }
    static func processExists(_ id: Int32) -> Bool { kill(id, 0) == 0 || errno == EPERM }
    static func message(_ number: Int32) -> String { String(cString: strerror(number)) }
    static var processID: Int32 { getpid() }
    static var errorNumber: Int32 { errno }
    static var wallTime: WallInstant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return WallInstant(sinceEpoch: .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec)))
    }
    static let interrupted = EINTR
    static let missing = ENOENT
    static let refusals = [EACCES, EPERM, EROFS]
    static let lackOfSpace = [ENOSPC, EDQUOT]
    static let exists = EEXIST
    static let openOrCreate = O_RDWR | O_CREAT
    static let createExclusively = O_RDWR | O_CREAT | O_EXCL
    static let readWrite = O_RDWR

    /// Does not wait for a writer where the file is a FIFO.
    static let readOnlyAtOnce = O_RDONLY | O_NONBLOCK

    static func isRegular(_ descriptor: Int32) -> Bool { status(descriptor).map { isRegular($0) } ?? false }

    /// - Returns: `nil` if the file does not exist.
    static func isRegular(_ path: String) -> Bool? { status(path).map { isRegular($0) } }

    private static func isRegular(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFREG }

    static func owner(_ descriptor: Int32) -> UInt32? { status(descriptor).map { UInt32($0.st_uid) } }

    static func size(_ descriptor: Int32) -> Int64? { status(descriptor).map { Int64($0.st_size) } }

    /// The space of a file on the disk in bytes, without holes; 0 if it does not exist.
    static func allocatedSize(_ path: String) -> Int64 { status(path).map { Int64($0.st_blocks) * 512 } ?? 0 }

    /// Device and number of a file, which distinguish it from another one of the same name; `nil` if it does not exist.
    static func identity(_ path: String) -> [UInt64]? { status(path).map { [device($0), UInt64($0.st_ino)] } }

    private static func device(_ status: stat) -> UInt64 { UInt64(truncatingIfNeeded: status.st_dev) }

    /// - Returns: `nil` if the file does not exist.
    static func version(_ path: String) -> FileVersion? {
        status(path).map { status in
            FileVersion(
                device: device(status), number: UInt64(status.st_ino), size: Int64(status.st_size),
                writtenSeconds: Int64(time(status).tv_sec), writtenNanoseconds: Int64(time(status).tv_nsec))
        }
    }

    private static func status(_ descriptor: Int32) -> stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }

    /// A link is followed.
    private static func status(_ path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// The effective user of this process.
    static var user: UInt32 { UInt32(geteuid()) }

    /// The owner and mode of a file; of a link, those of its target. `nil` if it does not exist.
    static func ownership(_ path: String) -> (owner: UInt32, mode: UInt32)? {
        status(path).map { (owner: UInt32($0.st_uid), mode: UInt32($0.st_mode) & 0o7777) }
    }

    static func changeMode(_ path: String, _ mode: UInt32) { _ = chmod(path, mode_t(mode)) }

    /// Whether permissions and the file system let this process write a file, or in a directory.
    static func mayWrite(_ path: String) -> Bool { access(path, W_OK) == 0 }

    static func names(in directory: String) -> [String] {
        guard let handle = opendir(directory) else { return [] }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            // In place: a record is shorter than the longest name.
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
