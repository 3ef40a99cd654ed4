import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// How an engine decides.
public struct EngineConfiguration: Sendable {
    /// The policy. The default is RFC 9111 alone.
    public var rules: RuleList
    /// Private by default: a web view's cache.
    public var kind: CacheKind
    /// The name in `Cache-Status`, an sf-token.
    public var cacheName: String
    public var clock: EngineClock
    /// Whether a stale response answers when its origin can't be reached, where RFC 9111 §4.2.4 allows it. Without it
    /// only `stale-if-error` and rules allow that. On by default.
    public var servesStaleWhenUnreachable = true
    /// How many validations may run in the background at once; what comes beyond is left to the next request.
    public var backgroundLimit = 8
    /// Whether what a content hash in a name lets be used for good is compared with the origin's now and then, in the
    /// background: at the first use a day after it was stored or confirmed, and at every 200th use. On by default.
    public var samplesHashedNames = true
    /// The page for a document (destination `document` or `iframe`, GET or HEAD) that can't be had for want of a
    /// network or of an origin that can be reached; `nil`, or a provider that returns `nil`, for the plain one of
    /// ``ErrorAnswer``. Never asked about other failures, such as a bad certificate. `Cache-Status` says
    /// `detail=offline-page`.
    public var offlinePage: (@Sendable (HTTPRequest) -> OfflinePage?)?
    /// Gets a report of every exchange.
    public var observer: (any ExchangeObserver)?

    public init(
        rules: RuleList = .protocolOnly, kind: CacheKind = .private, cacheName: String = "Larder",
        clock: EngineClock = .system, observer: (any ExchangeObserver)? = nil
    ) {
        self.rules = rules
        self.kind = kind
        self.cacheName = cacheName
        self.clock = clock
        self.observer = observer
    }
}
