/// What happened in one exchange with the cache, as `--json` prints it and as it crosses between processes.
public struct ExchangeLine: Hashable, Sendable, Codable {
    public var method: String
    public var url: String
    public var destination: String
    /// `ExchangeReport.Outcome`.
    public var outcome: String
    public var status: Int
    /// The value of `Cache-Status` (RFC 9211).
    public var cacheStatus: String
    /// Its parameter `detail`.
    public var detail: String?
    public var rule: String?
    /// Why the store could not keep a response that was to be stored; `nil` where it could, or was not asked.
    public var storeFailure: String?
    /// Why there was no answer, in a sentence with what helps; `nil` where there was one.
    public var failure: String?
    /// Bytes of content that the client got.
    public var bytes: Int64
    /// Bytes of content that came from the origin.
    public var originBytes: Int64
    /// From the request until the response's head.
    public var millisecondsToHead: Double
    /// From the request until the last byte was handed over.
    public var milliseconds: Double
    public var breaksHashedName: Bool
    /// Nobody waited for it: a validation behind the page's back.
    public var background: Bool
    /// When the request arrived, in milliseconds on the uptime clock of the process that answered.
    public var start: Double

    public init(
        method: String, url: String, destination: String, outcome: String, status: Int, cacheStatus: String,
        detail: String?, rule: String?, bytes: Int64, originBytes: Int64, millisecondsToHead: Double,
        milliseconds: Double,
        breaksHashedName: Bool, background: Bool, start: Double, storeFailure: String? = nil, failure: String? = nil
    ) {
        self.method = method
        self.url = url
        self.destination = destination
        self.outcome = outcome
        self.status = status
        self.cacheStatus = cacheStatus
        self.detail = detail
        self.rule = rule
        self.bytes = bytes
        self.originBytes = originBytes
        self.millisecondsToHead = millisecondsToHead
        self.milliseconds = milliseconds
        self.breaksHashedName = breaksHashedName
        self.background = background
        self.start = start
        self.storeFailure = storeFailure
        self.failure = failure
    }
}
