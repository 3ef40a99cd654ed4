#if canImport(Darwin)
import Darwin

extension SystemCalls {
    /// A barrier if the file system has one: it keeps the order of writes without emptying the cache of the disk.
    static func synchronize(_ descriptor: Int32) -> Int32 {
        fcntl(descriptor, F_BARRIERFSYNC) == 0 ? 0 : fsync(descriptor)
    }
    /// Names the system's run, from its start to its end, sysctl(3).
    static let systemRun: String? = {
        var bytes = [CChar](repeating: 0, count: 64)
        var count = bytes.count - 1
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }()
    /// When the file was written last.
    static func time(_ status: stat) -> timespec { status.st_mtimespec }
}
#endif
