import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// What an engine's decisions depend on.
package struct EngineConfiguration: Sendable {
    /// The policy. The default is RFC 9111 alone.
    package var rules: RuleList
    /// Private by default: a web view's cache.
    package var kind: CacheKind
    /// The name in `Cache-Status`, an sf-token.
    package var cacheName: String
    package var clock: EngineClock
    /// Whether a stale response answers when its origin can't be reached, where RFC 9111 §4.2.4 allows it. When off,
    /// only `stale-if-error` and rules allow that. On by default.
    package var servesStaleWhenUnreachable = true
    /// How many validations may run in the background at once; 8 unless set. Beyond that none is begun, and the next
    /// request validates.
    package var backgroundLimit = 8
    /// How long origins may be silent.
    package var limits = OriginLimits()
    /// Whether a response that is reused because its name has a content hash is compared with the origin's from time to
    /// time, in the background: at the first use a day after it was stored or confirmed, and at every 200th use. On by
    /// default.
    package var samplesHashedNames = true
    /// Provides the page for a document (destination `document` or `iframe`, GET or HEAD) when there is no network or
    /// the origin can't be reached; `nil`, or a provider that returns `nil`, for a plain page of ours.
    /// Never called for other failures, such as a bad certificate. `Cache-Status` says `detail=offline-page`.
    package var offlinePage: (@Sendable (HTTPRequest) -> OfflinePage?)?
    /// Gets a report of every exchange.
    package var observer: (any ExchangeObserver)?

    package init(
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
