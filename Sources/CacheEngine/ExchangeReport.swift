import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore

/// Everything that is recorded about one exchange, sent once: when its body has ended or, for an answer whose content
/// is at hand, when that was handed over. If the response is to be stored, the report waits until the store has
/// committed or refused it: ``outcome`` says what became of it, while `Cache-Status` is sent before its content.
public struct ExchangeReport: Sendable {
    /// How the exchange was answered.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// From the store, without asking the origin.
        case hit
        /// From the store, though stale.
        case staleHit = "stale-hit"
        /// From the store after the origin confirmed it with 304.
        case validated
        /// From another request's response, while it arrived.
        case collapsed
        /// From the origin, and stored.
        case stored
        /// From the origin, and not stored.
        case forwarded
        /// An error answer of the cache's own.
        case failed
    }

    /// The method of the request.
    public var method: HTTPRequest.Method
    /// The target URI.
    public var uri: String
    /// Which web view or connection asked, see ``ExchangeContext/view``.
    public var view: String
    /// The URL of the top-level document; `nil` if unknown.
    public var document: String?
    /// Which visit of ``view`` this was for, counted from 1; `nil` where nobody counts them, or it is not known.
    public var visit: Int?
    /// The request's `Referer` (RFC 9110 §10.1.3).
    package var referrer: String?
    /// The request's destination (`Sec-Fetch-Dest`).
    public var destination: Destination
    /// Where the answer came from.
    public var outcome: Outcome
    /// The answer's status code; 499 when the client left before there was one.
    public var status: Int
    /// The decision, in the terms of RFC 9211.
    public var cacheStatus: CacheStatus
    /// The winning rule; `nil` where the protocol decided.
    public var rule: String?
    /// Why the origin's response was not to be stored.
    public var notStored: StoreDecision.Reason?
    /// Why the store could not keep a response that was to be stored, such as a full disk; then the client has got it
    /// nevertheless, and ``outcome`` is ``Outcome/forwarded``.
    public var storeFailure: StoreError?
    /// Why there was no answer but an error of the cache's own, or why the content of the origin's answer broke off,
    /// after it was asked again; `nil` otherwise.
    public var failure: EngineError?
    /// Why the origin gave no answer that is of use, where a stored response answers in its place.
    public var originFailure: EngineError?
    /// Whether the origin changed the bytes behind this name with a content hash. None of the host's names then counts
    /// as hashed for a day. `Cache-Status` can't say so, because it is sent before the bytes arrive.
    package var breaksHashedName: Bool
    /// Whether this was a validation in the background (RFC 5861 §3): no client waited for the answer.
    public var isBackground: Bool
    /// Whether a newer state of a page has come after the stored one was shown, as on a slow network: an app may offer
    /// to load the page again.
    public var bringsNewerPage: Bool { isBackground && destination == .document && outcome == .stored }
    /// Whether this was fetched ahead of need, for no page that waits.
    public var isPreload: Bool
    /// When the request arrived, on the engine's uptime clock.
    public var start: Duration
    /// From ``start`` until the head was ready.
    public var timeToHead: Duration
    /// From ``start`` until the last byte was handed over.
    public var duration: Duration
    /// Bytes of content handed to the client.
    public var bodyBytes: Int64
    /// Bytes of content received from the origin for this exchange.
    public var originBytes: Int64
    /// How the origin's response came; `nil` if it was not asked, or the transport does not tell.
    public var network: TransportMetrics?
    /// How often the origin was asked once more, as the connection had ended before the response did (RFC 9110 §9.2.2).
    public var repeats = 0
    /// False when the client left, or the origin broke off, before the end.
    public var isComplete: Bool
    /// The fields of the request, as the client sent them, without cookies and passwords: of those the name alone.
    package var requestFields = HTTPFields()
    /// The fields of the response, as the origin sent them or as they are stored; of cookies and passwords the name
    /// alone. Empty where there is none.
    package var responseFields = HTTPFields()
    /// When ``duration`` ended.
    package var ended = WallInstant(sinceEpoch: .zero)

    package var mistakes: [ServerMistake] {
        let isNew = [.stored, .forwarded, .validated].contains(outcome)
        guard let target = TargetURI.split(uri)?.path, outcome != .failed else { return [] }
        return ReceivedResponse(
            target: target, destination: destination, status: status, fields: responseFields,
            requestFields: requestFields, time: isNew ? ended : nil
        ).mistakes
    }
}

/// Reads exchange reports: logs, counters, HAR files, dashboards.
public protocol ExchangeObserver: Sendable {
    /// Whether anybody wants the report of an exchange that begins now; if not, none is made. Asked once for each
    /// exchange, from any thread; must return at once. `true` unless implemented.
    var isListening: Bool { get }

    /// Called once for each exchange that began while ``isListening`` was true, from any thread; must return at once.
    func record(_ report: ExchangeReport)
}

extension ExchangeObserver {
    /// Every report is wanted.
    public var isListening: Bool { true }
}

/// Passes every report to its current listeners, and to another observer.
package final class ReportStream: ExchangeObserver {
    /// How many reports wait for a slow listener; beyond that the oldest are lost.
    package static let bufferedReports = 1_024

    private let next: (any ExchangeObserver)?
    private let completed: @Sendable (ExchangeReport) -> ExchangeReport
    private let listeners = Broadcast<ExchangeReport>()

    /// - Parameters:
    ///   - next: Gets every report as well.
    ///   - completed: Completes each report before anybody gets it.
    package init(
        next: (any ExchangeObserver)? = nil,
        completed: @escaping @Sendable (ExchangeReport) -> ExchangeReport = { $0 }
    ) {
        (self.next, self.completed) = (next, completed)
    }

    /// Takes no lock, because every exchange asks.
    package var isListening: Bool { !listeners.isEmpty || next?.isListening == true }

    package func record(_ report: ExchangeReport) {
        let report = completed(report)
        next?.record(report)
        listeners.yield(report)
    }

    /// The reports of the exchanges that begin from now on, until the stream is deallocated. Each call makes a new
    /// stream.
    package func reports() -> AsyncStream<ExchangeReport> {
        listeners.stream(.bufferingNewest(Self.bufferedReports))
    }
}
