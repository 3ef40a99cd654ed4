import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// Everything that is recorded about one exchange, sent once: when its body has ended, or, for an answer whose content
/// is at hand, when that was handed over. Where the name has a content hash, and the response was to be stored, that is
/// over as well, see ``breaksHashedName``.
public struct ExchangeReport: Sendable {
    /// How the exchange was answered.
    public enum Outcome: String, Hashable, Sendable, CaseIterable {
        /// From the store, nothing asked of the origin.
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
        /// An error answer of ours.
        case failed
    }

    public var method: HTTPRequest.Method
    /// The target URI.
    public var uri: String
    public var client: String
    public var destination: Destination
    public var outcome: Outcome
    /// Of the answer; 499 where the client left before there was one.
    public var status: Int
    public var cacheStatus: CacheStatus
    /// The winning rule; `nil` where the protocol decided.
    public var rule: String?
    /// Why the response was not stored, when it came from the origin.
    public var notStored: StoreDecision.Reason?
    /// Whether the origin sent other bytes than it did before under this name with a content hash. None of the host's
    /// names counts as hashed for a day, see ``ResponseCache/hostsWithBrokenHashes``; `Cache-Status` can't say so,
    /// for it leaves before the bytes have come.
    public var breaksHashedName: Bool
    /// Whether nobody waited for the answer: a validation in the background (RFC 5861 §3).
    public var isBackground: Bool
    /// When the request arrived, on the engine's uptime clock.
    public var start: Duration
    /// From ``start`` until the head was ready.
    public var timeToHead: Duration
    /// From ``start`` until the last byte was handed over.
    public var duration: Duration
    /// Content handed to the client.
    public var bodyBytes: Int64
    /// Content received from the origin for this exchange.
    public var originBytes: Int64
    /// False when the client left, or the origin broke off, before the end.
    public var isComplete: Bool
}
