import LarderKit

/// What the cache has answered since a page was opened.
public struct Visit: Sendable {
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

    /// How many rows are kept; later ones are only counted.
    public static let mostRows = 1_000

    public private(set) var rows: [Row] = []
    public private(set) var count = 0
    /// How many were answered without waiting for the origin.
    public private(set) var hits = 0
    /// Of content, from the origin.
    public private(set) var originBytes: Int64 = 0

    public init() {}

    public mutating func add(_ report: ExchangeReport) {
        count += 1
        if [.hit, .staleHit].contains(report.outcome) { hits += 1 }
        originBytes += report.originBytes
        guard rows.count < Self.mostRows else { return }
        rows.append(
            Row(
                id: count, url: report.uri, decision: Self.decision(report), bytes: report.bodyBytes,
                milliseconds: Int64(report.duration / .milliseconds(1)), cacheStatus: report.cacheStatus.description))
    }

    public var summary: String { "\(count) requests, \(hits) from the store, \(originBytes) bytes from origins" }

    private static func decision(_ report: ExchangeReport) -> String {
        var parts = ["\(report.status) \(report.outcome.rawValue)"]
        if let rule = report.rule { parts.append("rule \(rule)") }
        if let reason = report.notStored { parts.append("not stored: \(reason.rawValue)") }
        if report.isBackground { parts.append("in the background") }
        if report.isPreload { parts.append("ahead of need") }
        if !report.isComplete { parts.append("broken off") }
        return parts.joined(separator: ", ")
    }
}
