/// One exchange in a waterfall.
public struct WaterfallRow: Hashable, Sendable, Codable {
    public var url: String
    public var method: String
    /// The request destination (`document`, `script`, `style`, `image`, `font`, `video`, `empty` …).
    public var destination: String
    public var status: Int
    /// See ``VisitRecord/outcomes``.
    public var outcome: String
    /// Milliseconds since the first exchange of the visit.
    public var start: Double
    /// Milliseconds from ``start`` to the response head.
    public var timeToHead: Double
    /// Milliseconds from ``start`` to the last byte.
    public var duration: Double
    /// Content in bytes.
    public var bytes: Int64
    /// The `Cache-Status` member, the reason in one line.
    public var cacheStatus: String
    /// Whether other bytes came than before under this name with a content hash.
    public var breaksHashedName: Bool
    /// Whether nobody waited for it: a validation behind the page's back.
    public var isBackground: Bool

    public init(
        url: String, method: String, destination: String, status: Int, outcome: String, start: Double,
        timeToHead: Double, duration: Double, bytes: Int64, cacheStatus: String,
        breaksHashedName: Bool = false, isBackground: Bool = false
    ) {
        self.url = url
        self.method = method
        self.destination = destination
        self.status = status
        self.outcome = outcome
        self.start = start
        self.timeToHead = timeToHead
        self.duration = duration
        self.bytes = bytes
        self.cacheStatus = cacheStatus
        self.breaksHashedName = breaksHashedName
        self.isBackground = isBackground
    }
}
