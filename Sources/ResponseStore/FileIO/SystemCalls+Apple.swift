#if canImport(Darwin)
import Darwin

extension SystemCalls {
    /// A barrier if the file system has one: it keeps the order of writes without emptying the cache of the disk.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_BARRIERFSYNC) == 0 ? 0 : fsync(descriptor)
    }
    /// When the file was written last.
    static func time(_ status: stat) -> timespec { status.st_mtimespec }
}
#endif
