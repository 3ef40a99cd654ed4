/// One visit of a page, as the report shows it.
package struct VisitRecord: Hashable, Sendable, Codable {
    /// Short, for headings and table rows: `cold`, `warm`, `offline`, `after a deploy`.
    package var name: String
    /// False for the control: the same visit with every connection tunnelled unread.
    package var usesLarder: Bool
    /// One or two sentences that say what the figures of this visit show.
    package var explanation: String
    /// Milliseconds from the navigation's start; `nil` where nothing was painted.
    package var firstContentfulPaint: Double?
    /// Milliseconds from the navigation's start to the load event; `nil` where it never came.
    package var loadEvent: Double?
    /// Half of what lies between the least and the greatest of several runs, in milliseconds; `nil` for one run.
    package var paintSpread: Double?
    /// The same for the load event.
    package var loadSpread: Double?
    /// Requests that reached Larder, or for the control the origin.
    package var requests: Int
    /// Response content received from the origin, in bytes.
    package var originBytes: Int64
    /// Connections that the origin accepted; `nil` where the origin is not ours to count.
    package var originConnections: Int?
    /// Exchanges by outcome (`hit`, `stale-hit`, `validated`, `collapsed`, `stored`, `forwarded`, `failed`).
    package var outcomes: [String: Int]
    /// Requests of the page without an answer, or with an error status, as the web view saw them.
    package var failures: Int
    /// The screenshot as PNG bytes in base64; `nil` where there is none.
    package var screenshot: String?
    package var rows: [ExchangeRow]

    package init(
        name: String, usesLarder: Bool, explanation: String, firstContentfulPaint: Double? = nil,
        loadEvent: Double? = nil, requests: Int = 0, originBytes: Int64 = 0, originConnections: Int? = nil,
        outcomes: [String: Int] = [:], failures: Int = 0, screenshot: String? = nil, rows: [ExchangeRow] = []
    ) {
        self.name = name
        self.usesLarder = usesLarder
        self.explanation = explanation
        self.firstContentfulPaint = firstContentfulPaint
        self.loadEvent = loadEvent
        self.requests = requests
        self.originBytes = originBytes
        self.originConnections = originConnections
        self.outcomes = outcomes
        self.failures = failures
        self.screenshot = screenshot
        self.rows = rows
    }

    /// The broken hashed names of this visit, which cost their hosts the privilege.
    var brokenHashedNames: BrokenHashedNames { BrokenHashedNames(rows.filter(\.breaksHashedName).map(\.url)) }
}
