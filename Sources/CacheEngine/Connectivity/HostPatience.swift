import Locking
import ResponseStore

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
    /// How many hosts, and URLs, are remembered.
    private static let limit = 256

    private struct Measure: Sendable {
        var smoothed: Duration
        var variation: Duration

        init(_ first: Duration) { (smoothed, variation) = (first, first / 2) }

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
    }

    private struct URLState: Sendable {
        /// How many answers have come at once since a quick host held one back; `nil` if none is held back.
        var quickSince: Int?
        /// When a stored response of a weak host last answered a script.
        var answered: Duration?
    }

    private struct State: Sendable {
        var hosts = RecentCache<String, Host>(budget: limit)
        var urls = RecentCache<String, URLState>(budget: limit)

        /// Whether the pages of a host come within a second: what comes later from there is held back.
        mutating func hasQuickPages(_ name: String) -> Bool {
            hosts.value(for: name)?.pages.map { $0.smoothed < least } ?? false
        }

        mutating func note(url: String, _ change: (inout URLState) -> Void) {
            var noted = urls.value(for: url) ?? URLState()
            change(&noted)
            urls.set(noted, for: url)
        }

        mutating func note(_ name: String, _ change: (inout Host) -> Void) {
            var host = hosts.value(for: name) ?? Host()
            change(&host)
            hosts.set(host, for: name)
        }
    }

    private let state = LockedBox(State())

    /// How long a host may take for the head of a page, or of another file.
    func patience(for name: String, isPage: Bool, most: Duration) -> Duration {
        let host = state.withLock { $0.hosts.value(for: name) }
        guard let measure = isPage ? host?.pages : host?.files else { return most }
        return min(most, max(Self.least, measure.smoothed + measure.variation * 4))
    }

    func isWeak(_ name: String) -> Bool { state.withLock { $0.hosts.value(for: name)?.isWeak == true } }

    /// Notes after which time a response head has come.
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
    func isHeldBack(_ url: String) -> Bool { state.withLock { $0.urls.value(for: url)?.quickSince != nil } }

    /// Whether a script has waited for this in vain, and nothing of the host has come since: it has had the stored
    /// response already.
    func isUnanswered(_ url: String, by name: String) -> Bool {
        state.withLock { $0.hosts.value(for: name).map { !$0.isWeak && $0.unanswered == url } ?? false }
    }

    /// Whether the stored response of a weak host may answer a script at once: one that asks in a loop is slowed down.
    func mayAnswerAtOnce(_ url: String, at now: Duration) -> Bool {
        state.withLock { $0.urls.value(for: url)?.answered.map { now - $0 >= Self.loop } ?? true }
    }

    /// Notes that a stored response has answered a script without its server.
    func answered(_ url: String, at now: Duration) {
        state.withLock { $0.note(url: url) { $0.answered = now } }
    }

    /// Notes whether an answer came late from a host whose pages come within a second.
    func noteHeldBack(_ url: String, by name: String, _ isLate: Bool) {
        state.withLock { state in
            if isLate {
                if state.hasQuickPages(name) { state.note(url: url) { $0.quickSince = 0 } }
            } else if let count = state.urls.value(for: url)?.quickSince {
                // A message may come at once; many in a row are no long polls.
                state.note(url: url) { $0.quickSince = count < 8 ? count + 1 : nil }
            }
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
    func ranOut(for name: String, url: String?, since sent: Duration, at now: Duration) {
        state.withLock { state in
            if let answered = state.hosts.value(for: name)?.answered, answered > sent {
                if let url, state.hasQuickPages(name) { state.note(url: url) { $0.quickSince = 0 } }
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
