import Locking

/// How long each host may take before a stored response answers in its place, and which hosts are weak: one that let a
/// request wait in vain is not waited for again until something of it arrives.
///
/// The measure is the retransmission time-out of RFC 6298 §2, over the times from a request to its response head; pages
/// are measured apart from other files, since servers take longer for them. In memory only.
final class HostPatience: Sendable {
    /// RFC 6298 §2.4 rounds up to a second as well. Until a host is measured, the configured limit holds.
    static let least = Duration.seconds(1)
    /// How long a weak host may take behind a stored response that has answered.
    static let long = Duration.seconds(10)
    /// A script that asks for the same sooner than this asks in a loop.
    private static let loop = Duration.seconds(2)
    /// How long an answer that was waited for in vain is waited for behind the stored one.
    static let late = Duration.seconds(30)
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
        /// The URL that a script asked for in vain, since something came last.
        var unanswered: String?
        /// The uptime at which a response head came last.
        var answered: Duration?
        var noted: UInt64 = 0
    }

    private struct State: Sendable {
        var hosts: [String: Host] = [:]
        /// URLs whose answer a quick host has held back, with how many have come at once since.
        var heldBack: [String: Int] = [:]
        /// When stored responses of weak hosts last answered scripts.
        var answered: [String: Duration] = [:]
        var last: UInt64 = 0

        /// Whether the pages of a host come within a second: what comes later from there is held back.
        func hasQuickPages(_ name: String) -> Bool { hosts[name]?.pages.map { $0.smoothed < least } ?? false }

        mutating func holds(back url: String) {
            if heldBack.count >= limit { heldBack = [:] }
            heldBack[url] = 0
        }

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
                (host.answered, host.unanswered) = (now, nil)
            }
        }
    }

    /// Whether an answer under a URL was held back lately, as for a long poll.
    func isHeldBack(_ url: String) -> Bool { state.withLock { $0.heldBack[url] != nil } }

    /// Whether a script has waited for this in vain, and nothing of the host has come since: it has had the stored
    /// response already.
    func isUnanswered(_ url: String, by name: String) -> Bool {
        state.withLock { state in state.hosts[name].map { !$0.isWeak && $0.unanswered == url } ?? false }
    }

    /// Whether the stored response of a weak host may answer a script at once: one that asks in a loop is slowed down.
    func mayAnswerAtOnce(_ url: String, at now: Duration) -> Bool {
        state.withLock { $0.answered[url].map { now - $0 >= Self.loop } ?? true }
    }

    /// Notes that a stored response has answered a script without its server.
    func answered(_ url: String, at now: Duration) {
        state.withLock { state in
            if state.answered.count >= Self.limit { state.answered = [:] }
            state.answered[url] = now
        }
    }

    /// Notes whether an answer came late from a host whose pages come within a second.
    func noteHeldBack(_ url: String, by name: String, _ isLate: Bool) {
        state.withLock { state in
            guard isLate, state.hasQuickPages(name) else {
                // A message may come at once; many in a row are no long polls.
                if !isLate, let count = state.heldBack[url] { state.heldBack[url] = count < 8 ? count + 1 : nil }
                return
            }
            state.holds(back: url)
        }
    }

    /// Notes that something has come, head and content.
    func arrived(from name: String) { state.withLock { $0.note(name) { $0.isWeak = false } } }

    /// Notes that a host let a request wait in vain. One that has answered others meanwhile is not weak: it holds this
    /// one back, as for a long poll. Where it may be one, a second URL has to wait in vain as well, or the same one for
    /// as long as polls are held.
    ///
    /// - Parameters:
    ///   - url: The one that may be a long poll's; `nil` for other requests.
    ///   - sent: The uptime at which the request was sent.
    ///   - now: The uptime.
    func ranOut(for name: String, url: String?, since sent: Duration, at now: Duration) {
        state.withLock { state in
            if let answered = state.hosts[name]?.answered, answered > sent {
                if let url, state.hasQuickPages(name) { state.holds(back: url) }
                return
            }
            state.note(name) { host in
                if let url, host.unanswered == nil || host.unanswered == url && now - sent < Self.late {
                    host.unanswered = url
                } else {
                    host.isWeak = true
                }
            }
        }
    }
}
