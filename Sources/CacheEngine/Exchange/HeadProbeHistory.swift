import Locking

/// Which hosts it pays to ask by HEAD first: one that was asked so several times in a row, and a GET was needed all the
/// same, is not asked so for a while.
///
/// In memory only, and of few hosts: those at which the last HEAD saved nothing.
final class HeadProbeHistory: Sendable {
    /// A host is asked by GET alone after this many HEADs in a row that saved no GET.
    static let mostWasted = 3
    /// How long that lasts. The next HEAD after it decides whether it lasts as long again.
    static let pause = Duration.seconds(3_600)
    /// How many hosts are remembered; the one that was noted longest ago is forgotten, and asked by HEAD again.
    static let limit = 256

    private struct Host: Sendable {
        var wasted: Int
        /// The uptime of the last HEAD.
        var last: Duration
    }

    private let hosts = LockedBox<[String: Host]>([:])

    /// - Parameter uptime: Where the clock that never goes back stands.
    func mayAsk(_ host: String, at uptime: @autoclosure () -> Duration) -> Bool {
        guard let known = hosts.withLock({ $0.isEmpty ? nil : $0[host] }), known.wasted >= Self.mostWasted else {
            return true
        }
        return uptime() - known.last >= Self.pause
    }

    /// What came of a HEAD.
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
