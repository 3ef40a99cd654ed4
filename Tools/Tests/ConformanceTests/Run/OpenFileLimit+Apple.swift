#if canImport(Darwin)
import Darwin

/// How many sockets a process may have open. Every request takes four: at the client, on both sides of the proxy, and
/// at the origin.
enum OpenFileLimit {
    /// Raises the limit as far as the system lets a process do that, where it is lower.
    static func raise(to count: Int) {
        var limit = rlimit()
        guard getrlimit(RLIMIT_NOFILE, &limit) == 0 else { return }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, rlim_t(count)))
        setrlimit(RLIMIT_NOFILE, &limit)
    }
}
#endif
