import LarderKit

/// What the cache has answered since the app was opened, by web view and visit.
public struct ExchangeLog: Sendable {
    /// One exchange as a row of the inspector shows it.
    public struct Row: Hashable, Identifiable, Sendable {
        public var id: Int
        public var url: String
        /// The outcome, the rule that won, and why the response was not stored.
        public var decision: String
        /// Of content, as the page got it.
        public var bytes: Int64
        /// From the request to the last byte.
        public var milliseconds: Int64
        /// `Cache-Status` (RFC 9211).
        public var cacheStatus: String

        public var numbers: String { "\(bytes) bytes, \(milliseconds) ms" }
    }

    /// What belongs to one visit of one web view, or to none that is known.
    public struct Visit: Hashable, Identifiable, Sendable {
        /// Such as "web view 2, visit 1".
        public var id: String
        /// As reports have it; empty for the app's own requests.
        public var view: String
        public var document: String?
        public fileprivate(set) var rows: [Row] = []
        public fileprivate(set) var count = 0
        /// How many were answered without waiting for the origin.
        public fileprivate(set) var hits = 0
        /// Of content, from the origin.
        public fileprivate(set) var originBytes: Int64 = 0

        public var summary: String { "\(count) requests, \(hits) from the store, \(originBytes) bytes from origins" }
    }

    /// How many rows of a visit are kept; later ones are only counted.
    public static let mostRows = 500
    /// How many visits are kept.
    public static let mostVisits = 20

    /// Those that asked last come first.
    public private(set) var visits: [Visit] = []
    private var count = 0

    public init() {}

    public mutating func add(_ report: ExchangeReport) {
        count += 1
        let id = Self.id(of: report)
        var visit = Visit(id: id, view: report.view, document: report.document)
        if let place = visits.firstIndex(where: { $0.id == id }) { visit = visits.remove(at: place) }
        visit.add(report, number: count)
        visits.insert(visit, at: 0)
        if visits.count > Self.mostVisits { visits.removeLast() }
    }

    /// What a web view's last visit has asked for.
    ///
    /// - Parameter view: As `Larder.name(of:)` has it.
    public func summary(of view: String?) -> String {
        visits.first { $0.view == view }?.summary ?? "nothing was asked for yet"
    }

    private static func id(of report: ExchangeReport) -> String {
        if report.view.isEmpty { return "the app" }
        return report.visit.map { "\(report.view), visit \($0)" } ?? report.view
    }
}

extension ExchangeLog.Visit {
    fileprivate mutating func add(_ report: ExchangeReport, number: Int) {
        count += 1
        if [.hit, .staleHit].contains(report.outcome) { hits += 1 }
        originBytes += report.originBytes
        guard rows.count < ExchangeLog.mostRows else { return }
        rows.append(
            ExchangeLog.Row(
                id: number, url: report.uri, decision: Self.decision(report), bytes: report.bodyBytes,
                milliseconds: Int64(report.duration / .milliseconds(1)), cacheStatus: report.cacheStatus.description))
    }

    private static func decision(_ report: ExchangeReport) -> String {
        var parts = ["\(report.status) \(report.outcome.rawValue)"]
        if let rule = report.rule { parts.append("rule \(rule)") }
        if let failure = report.storeFailure { parts.append("not stored: \(failure.description)") }
        if let reason = report.notStored { parts.append("not stored: \(reason.rawValue)") }
        if report.isBackground { parts.append("in the background") }
        if report.isPreload { parts.append("ahead of need") }
        if !report.isComplete { parts.append("broken off") }
        return parts.joined(separator: ", ")
    }
}
