import CacheEngine
import HTTPCacheSemantics
import HTTPTypes

/// One exchange with the cache, as `--json` prints it and as it crosses between processes.
package struct ExchangeLine: Hashable, Sendable, Codable {
    package var method: String
    package var url: String
    package var destination: String
    /// `ExchangeReport.Outcome`.
    package var outcome: String
    package var status: Int
    /// The value of `Cache-Status` (RFC 9211).
    package var cacheStatus: String
    /// Its parameter `detail`.
    package var detail: String?
    package var rule: String?
    /// Why the store could not keep a response that was to be stored; `nil` where it could, or was not asked.
    package var storeFailure: String?
    /// Why the origin's response was not to be stored, in a sentence with what helps; `nil` where it was.
    package var notStored: String?
    /// Why the origin gave no answer, in a sentence with what helps; `nil` where it did.
    package var failure: String?
    /// `ExchangeReport.repeats`; `nil` for none.
    package var repeats: Int?
    /// Why nothing is stored, in a sentence with what helps; `nil` where the store does not remember it.
    package var past: String?
    /// Bytes of content that the client got.
    package var bytes: Int64
    /// Bytes of content that came from the origin.
    package var originBytes: Int64
    /// From the request until the response's head.
    package var millisecondsToHead: Double
    /// From the request until the last byte was handed over.
    package var milliseconds: Double
    package var breaksHashedName: Bool
    /// Nobody waited for it: a validation behind the page's back.
    package var background: Bool
    /// It was fetched ahead, for a later visit; then ``background`` as well. `nil` for no.
    package var ahead: Bool?
    /// When the request arrived, in milliseconds on the uptime clock of the process that answered.
    package var start: Double
    /// The page, style or script that asked, as `Referer` says; `nil` where it does not.
    package var referrer: String?
    /// The mistakes of the server in the response; `nil` for nothing that is known.
    package var mistakes: [ServerMistake]?
    /// Needed in a HAR file; `open --json` leaves it out.
    package var heads: Heads?

    /// Whether the server confirmed what the web view has itself.
    package var isConfirmed: Bool { outcome == ExchangeReport.Outcome.forwarded.rawValue && status == 304 }

    /// The fields of an exchange, and when it ended.
    package struct Heads: Hashable, Sendable, Codable {
        package var request: HTTPFields
        package var response: HTTPFields
        /// Milliseconds since the Unix epoch.
        package var ended: Double
    }

    package init(
        method: String, url: String, destination: String, outcome: String, status: Int, cacheStatus: String,
        detail: String?, rule: String?, bytes: Int64, originBytes: Int64, millisecondsToHead: Double,
        milliseconds: Double,
        breaksHashedName: Bool, background: Bool, start: Double, storeFailure: String? = nil, notStored: String? = nil,
        failure: String? = nil
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
        self.notStored = notStored
        self.failure = failure
    }
}
