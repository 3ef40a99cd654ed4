import Locking

/// How long each host may take before a stored response answers in its place, and which hosts are weak: one that let a
/// request wait in vain is not waited for again until something of it arrives.
///
/// The measure is the retransmission time-out of RFC 6298 §2, over the times from a request to its response head; pages
/// are measured apart from other files, since servers take longer for them. In memory only.
final class HostPatience: Sendable {
    /// RFC 6298 §2.4 rounds up to a second as well. Until a host is measured, the configured limit holds.
    static let least = Duration.seconds(1)
    /// Beyond that the host noted longest ago is forgotten.
    static let limit = 256

    private struct Measure: Sendable {
        var smoothed: Duration
        var variation: Duration

        init(_ first: Duration) {
            (smoothed, variation) = (first, first / 2)
        }

        mutating func add(_ time: Duration) {
            let difference = smoothed > time ? smoothed - time : time - smoothed
            variation = variation * 3 / 4 + difference / 4
            smoothed = smoothed * 7 / 8 + time / 8
        }
    }

    private struct Host: Sendable {
        var pages: Measure?
        var files: Measure?
        var isWeak = false
        /// The uptime at which a response head came last.
        var answered: Duration?
        var noted: UInt64 = 0
    }

    private struct State: Sendable {
        var hosts: [String: Host] = [:]
        /// URLs whose answer a quick host has held back.
        var heldBack: Set<String> = []
        var last: UInt64 = 0

        mutating func note(_ name: String, _ change: (inout Host) -> Void) {
            last += 1
            var host = hosts[name] ?? Host()
            change(&host)
            host.noted = last
            hosts[name] = host
            guard hosts.count > limit, let oldest = hosts.min(by: { $0.value.noted < $1.value.noted }) else { return }
            hosts[oldest.key] = nil
        }
    }

    private let state = LockedBox(State())

    /// How long a host may take for the head of a page, or of another file.
    func patience(for name: String, isPage: Bool, most: Duration) -> Duration {
        let host = state.withLock { $0.hosts[name] }
        guard let measure = isPage ? host?.pages : host?.files else { return most }
        return min(most, max(Self.least, measure.smoothed + measure.variation * 4))
    }

    func isWeak(_ name: String) -> Bool { state.withLock { !$0.hosts.isEmpty && $0.hosts[name]?.isWeak == true } }

    /// Notes after which time a response head has come.
    ///
    /// - Parameter now: The uptime.
    func measured(_ name: String, isPage: Bool, _ time: Duration, at now: Duration) {
        // A clock that is wrong, or a request that waited for days, must not overflow the sums.
        let time = min(max(time, .zero), .seconds(3_600))
        state.withLock { state in
            state.note(name) { host in
                let place = isPage ? \Host.pages : \Host.files
                if host[keyPath: place]?.add(time) == nil { host[keyPath: place] = Measure(time) }
                host.answered = now
            }
        }
    }

    /// Whether the last answer under a URL was held back, as for a long poll.
    func isHeldBack(_ url: String) -> Bool { state.withLock { $0.heldBack.contains(url) } }

    /// Notes whether an answer came late from a host whose pages come within a second.
    func noteHeldBack(_ url: String, by name: String, _ isLate: Bool) {
        state.withLock { state in
            guard isLate, let pages = state.hosts[name]?.pages, pages.smoothed < Self.least else {
                if !isLate { state.heldBack.remove(url) }
                return
            }
            if state.heldBack.count >= Self.limit { state.heldBack = [] }
            state.heldBack.insert(url)
        }
    }

    /// Notes that something has come, head and content.
    func arrived(from name: String) { state.withLock { $0.note(name) { $0.isWeak = false } } }

    /// Notes that a host let a request wait in vain. One that has answered others meanwhile is not weak: it holds this
    /// one back, as for a long poll.
    ///
    /// - Parameter sent: The uptime at which the request was sent.
    func ranOut(for name: String, since sent: Duration) {
        state.withLock { state in
            if let answered = state.hosts[name]?.answered, answered > sent { return }
            state.note(name) { $0.isWeak = true }
        }
    }
}
