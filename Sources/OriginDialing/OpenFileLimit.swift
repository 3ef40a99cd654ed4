#if Proxy
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// How many files and sockets this process may have open, getrlimit(2).
package enum OpenFileLimit {
    /// At most 1,048,576, also where there is no limit.
    package static var current: Int {
        let limit = sysconf(Int32(_SC_OPEN_MAX))
        return limit < 0 ? 1_048_576 : min(Int(limit), 1_048_576)
    }
}
#endif
