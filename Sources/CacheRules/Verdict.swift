/// What a rule decides about an exchange. Each case says what the engine does with it on look-up, when it forwards,
/// when it stores, and without a network.
///
/// No verdict but those of a rule that says so (``Rule/ignoring``) passes over `no-store`, `private` in a shared cache,
/// `Vary` or the condition on `Authorization` (RFC 9111 §3, §3.5, §4.1). Requests with an unsafe method are written
/// through under every verdict (§4), and their answers invalidate (§4.4). Without a network means: the exchange says
/// that there is none (``Connectivity/hasNetwork``), and no earlier rule has answered that. For a response with a
/// status of 400 or more, ``fresh(for:)``, ``permanent``, ``cacheFirst`` and ``staleWhileRevalidate(for:)`` are
/// ``followProtocol``: what a rule knows of a file does not hold for an error in its place.
public enum Verdict: Hashable, Sendable {
    /// Nothing of the exchange is kept, as if both sides said `no-store` (RFC 9111 §5.2.1.5, §5.2.2.5).
    ///
    /// Look-up: none; what is stored under the key from before the rule is removed, also when rules come into force.
    /// Forwarding: as the client wrote it, not collapsed with other requests. Storing: nothing. Without a network: the
    /// answer is that there is none, also where an earlier rule looks at ``Connectivity``.
    case neverStore

    /// Always from the origin; what comes is stored. Fetch `reload` or `reloadIgnoringLocalCacheData`.
    ///
    /// Look-up: none. Forwarding: without validators of ours; with ``Reach/everyCache`` and no `Cache-Control` of the
    /// client's, with `Cache-Control: no-cache` and `Pragma: no-cache`, so that caches on the way do not answer either
    /// (§5.2.1.4). Storing: by §3, in place of what was there. Without a network: as under ``followProtocol``.
    case reload(Reach)

    /// A stored response is used only once the origin has confirmed it, as if it said `no-cache` (§5.2.2.4).
    ///
    /// Look-up: as usual, but no stored response counts as fresh. Forwarding: with its validators (§4.3.1); the
    /// client's own `Cache-Control` stays. Storing: by §3; a 304 freshens (§4.3.4). Without a network: as if it said
    /// `must-revalidate` as well, so nothing stale (§5.2.2.2).
    case revalidate

    /// Stored responses are fresh for so long, whatever the response says; a departure from §4.2.1.
    ///
    /// Look-up: the freshness lifetime is this duration, counted from ``CurrentAge`` as usual, also for a response with
    /// `no-cache`; past it, by §4.2.4 and §4.3. Forwarding: as usual. Storing: by §3, and the duration counts as
    /// explicit freshness. Without a network: as under ``followProtocol``.
    case fresh(for: Duration)

    /// What lies under this address never changes, as with `immutable` (RFC 8246) and an endless lifetime; a departure
    /// from §4.2.1.
    ///
    /// Look-up: a stored response is fresh whatever its age, also for a client's reload without `no-cache` (RFC 8246
    /// §2). Forwarding: only where nothing is stored. Storing: by §3; evicted like others. Without a network: from the
    /// store.
    case permanent

    /// From the store whatever the age; the network only where nothing fits. Workbox `CacheFirst`; a departure from
    /// §4.2.4.
    ///
    /// Look-up: the selected response answers, stale or not, also with `no-cache` or `must-revalidate` (departures from
    /// §5.2.2.4 and §5.2.2.2); nothing is validated. Forwarding: only on a miss. Storing: by §3, and a lifetime of zero
    /// does not keep a response out. Without a network: from the store.
    case cacheFirst

    /// From the origin; from the store if the origin fails or is too slow. Workbox `NetworkFirst`; serving stale is a
    /// departure from §4.2.4.
    ///
    /// Look-up: the selected response is held ready, whatever its age. Forwarding: always, with its validators. When no
    /// response head came within the time-out, or none can come, the held response answers; the exchange with the
    /// origin goes on and is stored. Nothing held: the client waits, time-out or not. `nil` sets no time-out. Storing:
    /// by §3. Without a network: from the store at once.
    case networkFirst(timeout: Duration?)

    /// From the store, and validated in the background where stale, for so long after it went stale; RFC 5861 §3 as if
    /// the response said `stale-while-revalidate`. `nil` sets no limit: Workbox `StaleWhileRevalidate`.
    ///
    /// Look-up: fresh, then by §4.2; stale by no more than the duration, then served at once and validated in the
    /// background, also with `no-cache` or `must-revalidate` (departures from §5.2.2.4 and §5.2.2.2); staler, then
    /// validated first. Forwarding: on a miss and for validation. Storing: by §3. Without a network: as in the window,
    /// without the validation.
    case staleWhileRevalidate(for: Duration?)

    /// By the protocol; if the origin fails, stale for so long after it went stale; RFC 5861 §4 as if the response said
    /// `stale-if-error`.
    ///
    /// Look-up and forwarding: by §4. A 500, 502, 503 or 504, or no answer at all, is replaced by the stored response
    /// in the window, also under `must-revalidate` (a departure from §5.2.2.2). An untrusted certificate never is.
    /// Storing: by §3. Without a network: from the store in the window.
    case staleIfError(for: Duration)

    /// Answer from the store whatever the age, else say that the network is gone. Workbox `CacheOnly`.
    ///
    /// Look-up: the selected response, also one with `no-cache` or `must-revalidate`; a departure from §5.2.2.2 that
    /// `Cache-Status` names. Forwarding and storing: never; nothing found is a 504 (§5.2.1.7).
    case onlyIfStored

    /// Forward, and neither look up nor store. Workbox `NetworkOnly`.
    ///
    /// Look-up: none. Forwarding: as the client wrote it, no field added, not collapsed. Storing: nothing; what is
    /// stored stays, but for invalidation (§4.4). Without a network: the answer is that there is none.
    case bypass

    /// Look up as usual, but store the answer only if it states its own freshness.
    ///
    /// Look-up and forwarding: by §4. Storing: by §3, less what only heuristic freshness would make reusable (§4.2.2).
    case storeOnlyIfExplicit

    /// RFC 9111 and nothing else.
    case followProtocol

    /// How far a reload reaches.
    public enum Reach: String, Hashable, Sendable, CaseIterable {
        /// This cache does not answer; those on the way may.
        case local
        /// No cache answers: the forwarded request says `no-cache`.
        case everyCache = "all"
    }
}
