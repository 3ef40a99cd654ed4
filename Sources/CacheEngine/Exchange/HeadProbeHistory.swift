import Locking

/// Which hosts are worth asking by HEAD first: a host where several HEADs in a row had to be followed by a GET is asked
/// by GET alone for a while.
///
/// In memory only, and only hosts where the last HEAD saved no GET.
final class HeadProbeHistory: Sendable {
    /// After this many HEADs in a row that saved no GET, a host is asked by GET alone.
    static let mostWasted = 3
    /// How long a host is asked by GET alone: an hour. The next HEAD decides whether that is repeated.
    static let pause = Duration.seconds(3_600)
    /// How many hosts are remembered. Beyond that the one noted longest ago is forgotten, and asked by HEAD again.
    static let limit = 256

    private struct Host: Sendable {
        var wasted: Int
        /// The uptime of the last HEAD.
        var last: Duration
    }

    private let hosts = LockedBox<[String: Host]>([:])

    /// - Parameter uptime: The current time on the clock that never goes back.
    func mayAsk(_ host: String, at uptime: @autoclosure () -> Duration) -> Bool {
        guard let known = hosts.withLock({ $0.isEmpty ? nil : $0[host] }), known.wasted >= Self.mostWasted else {
            return true
        }
        return uptime() - known.last >= Self.pause
    }

    /// Notes the result of a HEAD.
    func note(_ host: String, saved: Bool, at uptime: Duration) {
        hosts.withLock { hosts in
            guard !saved else {
                hosts[host] = nil
                return
            }
            hosts[host] = Host(wasted: min(Self.mostWasted, (hosts[host]?.wasted ?? 0) + 1), last: uptime)
            guard hosts.count > Self.limit, let oldest = hosts.min(by: { $0.value.last < $1.value.last }) else {
                return
            }
            hosts[oldest.key] = nil
        }
    }
}
