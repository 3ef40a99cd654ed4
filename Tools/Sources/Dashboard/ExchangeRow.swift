/// One exchange of a visit.
package struct ExchangeRow: Hashable, Sendable, Codable {
    package var url: String
    package var method: String
    /// The request destination (`document`, `script`, `style`, `image`, `font`, `video`, `empty` …).
    package var destination: String
    package var status: Int
    /// See ``VisitRecord/outcomes``.
    package var outcome: String
    /// Milliseconds since the first exchange of the visit.
    package var start: Double
    /// Milliseconds from ``start`` to the response head.
    package var timeToHead: Double
    /// Milliseconds from ``start`` to the last byte.
    package var duration: Double
    /// Content in bytes.
    package var bytes: Int64
    /// The `Cache-Status` member, the reason in one line.
    package var cacheStatus: String
    /// Whether other bytes came than before under this name with a content hash.
    package var breaksHashedName: Bool
    /// Whether nobody waited for it: a validation behind the page's back.
    package var isBackground: Bool
    /// Why it was not stored, with the field and the cure; `nil` where it was, or nobody knows.
    package var notStored: String?

    package init(
        url: String, method: String, destination: String, status: Int, outcome: String, start: Double,
        timeToHead: Double, duration: Double, bytes: Int64, cacheStatus: String,
        breaksHashedName: Bool = false, isBackground: Bool = false, notStored: String? = nil
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
        self.notStored = notStored
    }
}

extension ExchangeRow {
    /// ``duration``, or ``timeToHead`` where that is longer or where there is no duration; 0 where neither is a time.
    var shownDuration: Double {
        max(duration.isFinite ? duration : 0, timeToHead.isFinite ? timeToHead : 0, 0)
    }
}
