#if canImport(Glibc)
import Glibc

extension SystemCalls {
    static func synchronize(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }
    /// Names the system's run, from its start to its end, random(4).
    static let systemRun: String? = {
        let descriptor = openFile("/proc/sys/kernel/random/boot_id", O_RDONLY)
        guard descriptor >= 0 else { return nil }
        defer { closeFile(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0, 0) }
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }()
    /// When the file was written last.
    static func time(_ status: stat) -> timespec { status.st_mtim }
}
#endif
