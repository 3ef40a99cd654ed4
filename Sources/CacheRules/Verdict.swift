/// The decision of a rule about an exchange. Each case says what the engine does with it on look-up, when it forwards,
/// when it stores, and without a network.
///
/// Only a rule that says so (``Rule/ignoring``) overrides `no-store`, `private` in a shared cache, `Vary` or the
/// condition on `Authorization` (RFC 9111 §3, §3.5, §4.1). Requests with an unsafe method are written through under
/// every verdict (§4), and their responses invalidate (§4.4). "Without a network" means that the exchange has none
/// (``Connectivity/hasNetwork``), and no earlier rule has decided for that case. For a response with a status of 400 or
/// more, ``fresh(for:)``, ``permanent``, ``cacheFirst`` and ``staleWhileRevalidate(for:)`` mean ``followProtocol``:
/// they are meant for a file, not for an error in its place.
public enum Verdict: Hashable, Sendable {
    /// Nothing of the exchange is stored, as if both sides said `no-store` (RFC 9111 §5.2.1.5, §5.2.2.5).
    ///
    /// Look-up: none; responses stored under the key earlier are removed, also when rules come into force. Forwarding:
    /// as the client sent it, not collapsed with other requests. Storing: nothing. Without a network: an error, also if
    /// an earlier rule has a condition on ``Connectivity``.
    case neverStore

    /// Always from the origin; the response is stored. Fetch `reload` or `reloadIgnoringLocalCacheData`.
    ///
    /// Look-up: none. Forwarding: without our validators; with ``Reach/everyCache``, unless the client sent
    /// `Cache-Control`, with `Cache-Control: no-cache` and `Pragma: no-cache`, so that caches on the way do not answer
    /// either (§5.2.1.4). Storing: by §3, replacing the stored response. Without a network: as under
    /// ``followProtocol``.
    case reload(Reach)

    /// A stored response is used only after validation, as if it said `no-cache` (§5.2.2.4).
    ///
    /// Look-up: as usual, but no stored response counts as fresh. Forwarding: with its validators (§4.3.1); the
    /// client's own `Cache-Control` stays. Storing: by §3; a 304 freshens (§4.3.4). Without a network: as if the
    /// response said `must-revalidate` as well, so no stale response (§5.2.2.2).
    case revalidate

    /// Stored responses are fresh for this duration, whatever they say; a departure from §4.2.1.
    ///
    /// Look-up: the duration is the freshness lifetime, compared with the current age as usual (§4.2.3), also for a
    /// response with `no-cache`; after it, by §4.2.4 and §4.3. Forwarding: as usual. Storing: by §3, and the duration
    /// counts as explicit freshness. Without a network: as under ``followProtocol``.
    case fresh(for: Duration)

    /// The representation never changes, as with `immutable` (RFC 8246) and an unlimited lifetime; a departure from
    /// §4.2.1.
    ///
    /// Look-up: a stored response is fresh at any age, also for a client's reload without `no-cache` (RFC 8246 §2).
    /// Forwarding: only on a miss. Storing: by §3; evicted like others. Without a network: from the store.
    case permanent

    /// From the store at any age; the network only on a miss. Workbox `CacheFirst`; a departure from §4.2.4.
    ///
    /// Look-up: the selected response answers, stale or not, also with `no-cache` or `must-revalidate` (departures from
    /// §5.2.2.4 and §5.2.2.2), without validation. Forwarding: only on a miss. Storing: by §3, also with a lifetime of
    /// zero. Without a network: from the store.
    case cacheFirst

    /// From the origin; from the store if the origin fails or is too slow. Workbox `NetworkFirst`; serving stale is a
    /// departure from §4.2.4.
    ///
    /// Look-up: the selected response is held ready, at any age. Forwarding: always, with its validators. If no
    /// response head arrives within the time-out, or the request fails, the held response answers; the exchange with
    /// the origin continues and is stored. If no response is held, the client waits without a time-out. `nil` sets no
    /// time-out. Storing: by §3. Without a network: from the store at once.
    case networkFirst(timeout: Duration?)

    /// From the store, with validation in the background, for this duration after the response went stale; RFC 5861 §3
    /// as if the response said `stale-while-revalidate`. `nil` sets no limit: Workbox `StaleWhileRevalidate`.
    ///
    /// Look-up: a fresh response answers by §4.2; one that is stale by no more than the duration answers at once and is
    /// validated in the background, also with `no-cache` or `must-revalidate` (departures from §5.2.2.4 and §5.2.2.2);
    /// a staler one is validated first. One that states no freshness is stale at once: no heuristic (§4.2.2) speaks for
    /// it. Forwarding: on a miss and for validation. Storing: by §3. Without a network: as within the duration, without
    /// validation.
    case staleWhileRevalidate(for: Duration?)

    /// A page opens at once from its snapshot: the document and the files that it names, as they were fetched together.
    ///
    /// Look-up: a document whose snapshot is complete answers at any age, also with `no-cache` or `must-revalidate` (as
    /// under ``staleWhileRevalidate(for:)``), and its scripts, styles, images, fonts and media answer without
    /// validation; another one as under ``networkFirst(timeout:)``. Behind each visit the document is asked about, with
    /// the visit's cookies. A newer one is put in place in one change with all that its HTML, style sheets and scripts
    /// name on its site, once all of that has come; until then the older snapshot is shown, and for at most a day where
    /// some of it can't be had. What a script loads by `fetch` is no part of it. Forwarding, storing and without a
    /// network: as under ``networkFirst(timeout:)``.
    case snapshot

    /// The protocol decides; if the origin fails, a stale response for this duration after it went stale; RFC 5861 §4
    /// as if the response said `stale-if-error`.
    ///
    /// Look-up and forwarding: by §4. Within the duration the stored response replaces a 500, 502, 503 or 504, or a
    /// missing answer, also under `must-revalidate` (a departure from §5.2.2.2), but never a certificate error.
    /// Storing: by §3. Without a network: from the store within the duration.
    case staleIfError(for: Duration)

    /// From the store at any age, else an error. Workbox `CacheOnly`.
    ///
    /// Look-up: the selected response, also one with `no-cache` or `must-revalidate`; a departure from §5.2.2.2 that
    /// `Cache-Status` names. Forwarding and storing: never; a miss is answered with 504 (§5.2.1.7).
    case onlyIfStored

    /// Forward, and neither look up nor store. Workbox `NetworkOnly`.
    ///
    /// Look-up: none. Forwarding: as the client sent it, no field added, not collapsed. Storing: nothing; stored
    /// responses stay, except for invalidation (§4.4). Without a network: an error.
    case bypass

    /// Look up as usual, but store only responses that state their freshness.
    ///
    /// Look-up and forwarding: by §4. Storing: by §3, without responses that only heuristic freshness would make
    /// reusable (§4.2.2).
    case storeOnlyIfExplicit

    /// RFC 9111 and nothing else.
    case followProtocol

    /// How far a reload reaches.
    public enum Reach: String, Hashable, Sendable, CaseIterable {
        /// This cache does not answer; caches on the way may.
        case local
        /// No cache answers: the forwarded request says `no-cache`.
        case everyCache = "all"
    }
}

/// A verdict and the rule that gave it.
public struct PolicyDecision: Hashable, Sendable {
    public var verdict: Verdict
    /// The name of the winning rule; `nil` if no rule had a verdict and the protocol decides.
    public var rule: String?
    /// Further settings of the rule; `nil` if there are none, so that most decisions retain no reference.
    private var details: Details?
    /// Whether the verdict relies on a content hash in the name, so that the engine compares the content.
    package var restsOnHashedName = false

    public init(
        verdict: Verdict, rule: String?, ignoring: Set<OverridableDirective> = [], expiry: Duration? = nil,
        validation: ValidationMethod = .get, tags: [String] = [], restsOnHashedName: Bool = false
    ) {
        self.restsOnHashedName = restsOnHashedName
        self.verdict = verdict
        self.rule = rule
        let isPlain = ignoring.isEmpty && expiry == nil && validation == .get && tags.isEmpty
        if !isPlain { details = .of(ignoring, expiry, validation, tags) }
    }

    /// See ``Rule/ignoring``.
    public var ignoring: Set<OverridableDirective> {
        if case .of(let ignoring, _, _, _)? = details { ignoring } else { [] }
    }
    /// See ``Rule/expiry``.
    public var expiry: Duration? { if case .of(_, let expiry, _, _)? = details { expiry } else { nil } }
    /// See ``Rule/validation``.
    public var validation: ValidationMethod {
        if case .of(_, _, let validation, _)? = details { validation } else { .get }
    }
    /// See ``Rule/tags``.
    public var tags: [String] { if case .of(_, _, _, let tags)? = details { tags } else { [] } }

    init(verdict: Verdict) {
        self.verdict = verdict
    }

    private indirect enum Details: Hashable, Sendable {
        case of(Set<OverridableDirective>, Duration?, ValidationMethod, [String])
    }
}

/// A prohibition that a rule ignores only if it names it in ``Rule/ignoring``.
///
/// Each is a departure from a MUST NOT of RFC 9111, chosen by the author of the rule and named in reports.
public enum OverridableDirective: String, Hashable, Sendable, CaseIterable, Comparable {
    /// `no-store` of the response (§5.2.2.5). That of the request still holds.
    case noStore = "no-store"
    /// `private` in a shared cache (§5.2.2.7); a private cache stores such responses anyway.
    case `private`
    /// `Vary`: one response answers all requests for the address, whatever fields it nominates, `*` included (§4.1).
    case vary
    /// A request with `Authorization` in a shared cache (§3.5).
    case credentials

    public static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// How a stored response is validated with the origin (RFC 9111 §4.3).
public enum ValidationMethod: String, Hashable, Sendable, CaseIterable {
    /// A GET with the stored validators (§4.3.1): one request in any case.
    case get

    /// First by HEAD with the stored validators, for origins whose GET ignores them and always sends the whole
    /// response.
    ///
    /// - After a 304, or a 200 with the same validators (§4.3.5; see `HeadFreshening.confirms(_:storedLength:head:)`),
    ///   the stored response answers, also one with `no-cache`.
    /// - Any other 200 is followed by a GET without conditions, whose response is stored.
    /// - Any other status, such as 405 or 501, is followed by a GET with the validators, as under ``get``.
    ///
    /// So a changed response costs one more round trip, and a time-out of ``Verdict/networkFirst(timeout:)`` applies to
    /// each of the two. It applies to GET and to complete responses with the status 200 and a validator; all others are
    /// validated as under ``get``. After three HEADs in a row that saved no GET, a host gets only GETs for an hour, and
    /// then one more HEAD.
    case head
}

/// The strategies of Workbox under their names there: `Rule("images", Workbox.StaleWhileRevalidate)`. A rules file
/// accepts the same names as verdicts.
public enum Workbox {
    /// ``Verdict/cacheFirst``
    public static let CacheFirst = Verdict.cacheFirst
    /// ``Verdict/onlyIfStored``
    public static let CacheOnly = Verdict.onlyIfStored
    /// ``Verdict/networkFirst(timeout:)`` without a time-out.
    public static let NetworkFirst = Verdict.networkFirst(timeout: nil)
    /// ``Verdict/bypass``
    public static let NetworkOnly = Verdict.bypass
    /// ``Verdict/staleWhileRevalidate(for:)`` without a limit.
    public static let StaleWhileRevalidate = Verdict.staleWhileRevalidate(for: nil)

    /// - Parameter networkTimeout: `networkTimeoutSeconds` in Workbox.
    public static func NetworkFirst(networkTimeout: Duration) -> Verdict { .networkFirst(timeout: networkTimeout) }
}
