import CacheRules
import HTTPCacheSemantics
import HTTPTypes

/// The settings that an engine's decisions depend on.
package struct EngineConfiguration: Sendable {
    /// The policy. The default is RFC 9111 alone.
    package var rules: RuleList
    /// Private by default: a web view's cache.
    package var kind: CacheKind
    package var clock: EngineClock
    /// How many validations may run in the background at once; 8 unless set, three quarters of them for one host. Up
    /// to 512 more wait.
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
        rules: RuleList = .protocolOnly, kind: CacheKind = .private, clock: EngineClock = .system,
        observer: (any ExchangeObserver)? = nil
    ) {
        self.rules = rules
        self.kind = kind
        self.clock = clock
        self.observer = observer
    }
}

/// How long an exchange waits for a silent origin; docs/limits.md has all limits in one table.
public struct OriginLimits: Hashable, Sendable {
    /// Until the response head, where a rule lets a stored response answer without a network, as `disconnected` does:
    /// at most 3 seconds unless set, and less, but at least a second, for a host that was quick so far (RFC 6298 §2);
    /// ten thirds of it for a redirect, for the reload of a page, and where a page of the site has posted just before.
    /// The validation goes on after that. Until something of that host arrives, its other stored responses answer at
    /// once. `nil` for the transport's own limit. The time-out of a rule takes its place; a shorter one of a request
    /// holds.
    public var beforeFallback: Duration? = .seconds(3)
    /// Between two pieces of content, while somebody waits for the next: two minutes unless set. Streams of events
    /// (`text/event-stream`) and of pictures (`multipart/x-mixed-replace`) have no limit.
    public var silence: Duration = .seconds(120)
    /// The same for preloads and validations in the background: 30 seconds unless set.
    package var silenceInBackground: Duration = .seconds(30)

    /// The defaults.
    public init() {}
}
