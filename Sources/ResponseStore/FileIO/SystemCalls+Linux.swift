#if canImport(Glibc)
import Glibc

extension SystemCalls {
    static func synchronize(_ descriptor: Int32) -> Int32 { fdatasync(descriptor) }
    /// When the file was written last.
    static func time(_ status: stat) -> timespec { status.st_mtim }
}
#endif
