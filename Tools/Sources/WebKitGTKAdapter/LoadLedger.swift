import WebVisit

/// Knows what is loading, what failed, and whether the page has settled. No clock or web view
/// inside.
struct LoadLedger {
    /// Names one load; the caller keeps it unique while the load lasts.
    typealias ID = UInt
    typealias Instant = ContinuousClock.Instant

    /// Whether the page has settled.
    enum Verdict: Equatable {
        case settled
        /// Ask again at that instant, or when something has happened.
        case pending(until: Instant?)
    }

    private struct Load {
        var url: String
        var isMainDocument: Bool
        var started: Instant
        var status: Int?
        /// An answer without an end in sight, such as an event stream.
        var isEndless = false
    }

    private var pending: [ID: Load] = [:]
    private var loadEvent: Instant?
    private(set) var lastActivity: Instant
    /// Sub-resources that failed or were answered with an error status.
    private(set) var failed: [FailedResource] = []
    /// The last HTTP status by URL.
    private(set) var statuses: [String: Int] = [:]

    init(at now: Instant) { lastActivity = now }

    /// Something happened that may lead to loads.
    mutating func stirred(at now: Instant) { lastActivity = now }

    /// A navigation began; the load event of the page before counts no more.
    mutating func navigationStarted(at now: Instant) {
        loadEvent = nil
        lastActivity = now
    }

    /// The load event fired, or the main load failed and none will.
    mutating func loadEventFired(at now: Instant) {
        loadEvent = now
        lastActivity = now
    }

    mutating func started(_ id: ID, url: String, isMainDocument: Bool, at now: Instant) {
        pending[id] = Load(url: url, isMainDocument: isMainDocument, started: now)
        lastActivity = now
    }

    mutating func redirected(_ id: ID, to url: String, at now: Instant) {
        pending[id]?.url = url
        lastActivity = now
    }

    mutating func answered(_ id: ID, status: Int, mediaType: String, at now: Instant) {
        guard let load = pending[id] else { return }
        pending[id]?.status = status
        pending[id]?.isEndless = Self.isEndless(mediaType)
        statuses[load.url] = status
        lastActivity = now
    }

    mutating func failed(_ id: ID, message: String) {
        guard let load = pending[id], !load.isMainDocument else { return }
        failed.append(FailedResource(url: load.url, message: message, status: load.status))
        pending[id]?.status = nil
    }

    /// The load is over, after ``failed(_:message:)`` too.
    mutating func finished(_ id: ID, at now: Instant) {
        lastActivity = now
        guard let load = pending.removeValue(forKey: id), !load.isMainDocument, let status = load.status else { return }
        if status >= 400 { failed.append(FailedResource(url: load.url, message: "HTTP \(status)", status: status)) }
    }

    /// The URLs of loads that hold up settling, in the order of their starts.
    var holding: [String] {
        pending.values.filter { !$0.isEndless }.sorted { $0.started < $1.started }.map(\.url)
    }

    /// Whether nothing has happened for `quiet` since the load event.
    ///
    /// - Parameter limit: How long after the load event, or after its own start, one load may hold up settling.
    func verdict(at now: Instant, quiet: Duration, limit: Duration) -> Verdict {
        guard let loadEvent else { return .pending(until: nil) }
        let holding = pending.values.lazy.filter { !$0.isEndless }.map { max(loadEvent, $0.started) + limit }
        let settles = max(lastActivity + quiet, holding.max() ?? loadEvent)
        return now >= settles ? .settled : .pending(until: settles)
    }

    private static func isEndless(_ mediaType: String) -> Bool {
        ["text/event-stream", "multipart/x-mixed-replace"].contains(mediaType)
            || mediaType.hasPrefix("video/") || mediaType.hasPrefix("audio/")
    }
}
