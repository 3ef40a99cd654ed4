import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The decisions of one exchange: events in, actions out. No clock, no disk, no network inside.
struct ExchangeMachine {
    let request: HTTPRequest
    let context: ExchangeContext
    let rules: RuleList
    let distrustsHashedNames: Bool
    let kind: CacheKind
    let servesStaleWhenUnreachable: Bool
    let terms: RequestDirectives
    let hasContent: Bool
    let key: CacheKey?
    var policy: PolicyDecision
    var status: CacheStatus
    /// What was found under the key, as far as it concerns this request.
    var candidates: [StoredEntry] = []
    /// The entry that would answer if the origin confirmed it, or could not be reached.
    var selected: StoredEntry?
    /// Why ``policy`` is not that of the rule which decides about the request.
    var disbelief: Disbelief?
    /// The entries whose validators were sent.
    var asked: [StoredEntry] = []
    /// The entry whose content the origin was asked to go on with.
    var resuming: StoredEntry?

    /// Whether the stored response was served stale for want of a network, and the origin has not answered since.
    var wasServedOffline = false
    /// Whether the host is worth a HEAD, as far as is known.
    var mayProbeByHead = true
    var headProbe = HeadProbe.none
    /// Whether there is no network, or none to this origin.
    var lacksNetwork: Bool
    /// The time of the last look-up.
    var lookedUpAt: WallInstant?

    /// - Parameter hasContent: Whether the request carries content.
    init(
        request: HTTPRequest, context: ExchangeContext, rules: RuleList, distrustsHashedNames: Bool = false,
        kind: CacheKind, cacheName: String, hasContent: Bool = false, servesStaleWhenUnreachable: Bool = true
    ) {
        self.hasContent = hasContent
        self.request = request
        self.context = context
        lacksNetwork = !context.connectivity.hasNetwork
        self.rules = rules
        self.distrustsHashedNames = distrustsHashedNames
        self.kind = kind
        self.servesStaleWhenUnreachable = servesStaleWhenUnreachable
        terms = RequestDirectives(request.headerFields)
        let exchange = Exchange(
            request: request, destination: context.destination, connectivity: context.connectivity,
            distrustsHashedNames: distrustsHashedNames)
        if let keying = rules.keying(for: exchange) {
            var keyed = request
            keyed.path = keying.target
            key = CacheKey(keyed, partition: context.partition)
        } else {
            key = CacheKey(request, partition: context.partition)
        }
        status = CacheStatus(cache: cacheName)
        policy = rules.decision(for: exchange)
    }

    var fields: HTTPFields { request.headerFields }

    func derived(_ entry: StoredEntry) -> DerivedEntryData { DerivedEntryData.of(entry, in: kind) }

    /// The first event.
    mutating func start() -> Action {
        status.detail = policy.rule
        guard let key, request.scheme == "http" || request.scheme == "https" else {
            return fail(.init(code: .invalidRequest, message: "The request names no http or https address."))
        }
        if isBypassed { return pass(.bypass) }
        // §4: "A cache MUST write through requests with methods that are unsafe".
        guard request.method == .get || request.method == .head else { return pass(.method) }
        // Content in a GET "has no generally defined semantics" (RFC 9110 §9.3.1), but where an origin gives it some,
        // the URI alone does not say what was asked for.
        if hasContent { return pass(.bypass) }
        if isCacheOnly { return .lookUp(key) }
        // If-Match and If-Unmodified-Since are for the origin (§4.3.2).
        if ConditionalRequest.mustForward(fields) || !mode.looksUp { return pass(.request) }
        return .lookUp(key)
    }

    /// To the origin without a look-up, unless the request must not leave.
    private mutating func pass(_ reason: ForwardReason) -> Action {
        status.forward = reason
        if isCacheOnly || isBypassed && !context.connectivity.hasNetwork { return fail(Self.disconnected) }
        // Fetch §4.6: "If response is null, then: If httpRequest's cache mode is "only-if-cached", then return a
        // network error." §5.2.1.7 wants the same, but can't keep an unsafe request from being written through.
        if mode == .onlyIfStored || terms.onlyIfCached && reason != .method { return fail(Self.notStored) }
        return forward(reason)
    }

    /// The responses stored under the key, and those of other queries that may do as well, in any order.
    mutating func lookedUp(_ found: [StoredEntry], at now: WallInstant) -> Action {
        (selected, asked, resuming, headProbe) = (nil, [], nil, .none)
        lookedUpAt = now
        candidates = found.allSatisfy(isCandidate) ? found : found.filter(isCandidate)
        guard let entry = selectedVariant(),
            ContentCoding.isAcceptable(entry.response.fields, to: fields)
        else { return missed(candidates.isEmpty ? .uriMiss : .varyMiss) }
        let selection = ContentSelection(
            of: entry.response, storedLength: entry.bodyLength.bytes, presented: request)
        if case .notStored = selection { return lacksContent(entry) }
        let known = entry.response.status
        rule(
            known, length: entry.bodyLength.bytes, HTTPResponse(status: known, headerFields: entry.response.fields))
        if !isCacheOnly, isBypassed || !mode.looksUp {
            candidates = []
            return pass(isBypassed ? .bypass : .request)
        }
        let stored = terms(of: entry, at: now)
        switch judge(stored, at: now) {
        case .serve(let use, let stale):
            noteServed(stored, use, now, stale)
            return .serve(entry, use)
        case .validate(let reason): return validate(entry, reason)
        }
    }

    /// What may be done with a stored response whose terms, as ruled, are these.
    func judge(_ stored: FreshnessInfo, at now: WallInstant) -> Judgement {
        let basis = ReuseDecision.decide(stored, request: terms, at: now)
        if isCacheOnly || mode.acceptsAnyAge && !isExpired(stored, at: now) {
            return .serve(basis.remaining > .zero ? .fresh : .stale, nil)
        }
        if mode == .revalidate { return .validate(basis.remaining > .zero ? .request : .stale) }
        switch basis.decision {
        case .reuse: return .serve(.fresh, nil)
        case .reuseStale: return .serve(.stale, .maxStale)
        // Without a network nobody could validate it first.
        case .reuseWhileRevalidating where wasServedOffline && !lacksNetwork: return .validate(.stale)
        case .reuseWhileRevalidating: return .serve(.staleWhileRevalidating, .whileRevalidating)
        case .validate(let reason): return .validate(reason.isRequestsWish ? .request : .stale)
        }
    }

    /// The candidate that the request's fields select.
    private func selectedVariant() -> StoredEntry? {
        // The usual case needs no further lists.
        if candidates.count == 1 {
            return mayAnswer(candidates[0].response) ? candidates[0] : nil
        }
        return Self.preferred(candidates.filter { mayAnswer($0.response) })
    }

    /// §4.1: of several that match, the most recent by `Date`; and where some have no `Vary`, which origins forget on
    /// their default response, "the most recent … stored response with a valid Vary field value".
    static func preferred(_ matching: [StoredEntry]) -> StoredEntry? {
        let varying = matching.filter { !$0.response.nominatedFields.values.isEmpty }
        return (varying.isEmpty ? matching : varying).max { $0.response.date < $1.response.date }
    }

    private func isCandidate(_ entry: StoredEntry) -> Bool {
        entry.key.uri == key?.uri || isSameSearch(entry)
    }

    private func isSameSearch(_ entry: StoredEntry) -> Bool {
        guard let key, entry.response.fields.contains(.noVarySearch) else { return false }
        return NoVarySearch(entry.response.fields).match(entry.key.uri, key.uri)
    }

    private mutating func validate(_ entry: StoredEntry, _ reason: ForwardReason) -> Action {
        if terms.onlyIfCached || mode == .onlyIfStored {
            status.forward = reason
            return fail(Self.notStored)
        }
        let validators = ConditionalRequest.validators(of: entry.response)
        selected = entry
        asked = validators.isEmpty ? [] : [entry]
        if !validators.isEmpty, probesByHead(entry) { return probeByHead(reason, validators) }
        return forward(reason, conditions: validators, keepingRange: entry.response.extent != .complete)
    }

    /// Parts are stored, but not all that is asked for.
    private mutating func lacksContent(_ entry: StoredEntry) -> Action {
        if isCacheOnly || terms.onlyIfCached || mode == .onlyIfStored { return missed(.partial) }
        let isWhole = request.method == .get && !ConditionalRequest.isConditional(fields) && !fields.contains(.range)
        guard isWhole, let rest = ConditionalRequest.resumption(of: entry.response) else { return forward(.partial) }
        resuming = entry
        return forward(.partial, conditions: rest)
    }

    private mutating func missed(_ reason: ForwardReason) -> Action {
        status.forward = reason
        if isCacheOnly { return fail(Self.disconnected) }
        // What was to be validated behind an answer's back is gone, and is not to come back by that.
        if context.isBackground { return fail(Self.notStored) }
        // §5.2.1.7
        if terms.onlyIfCached || mode == .onlyIfStored { return fail(Self.notStored) }
        // §4.3.1: what is stored for other nominated fields may still be what the origin would send.
        if reason == .varyMiss, !ConditionalRequest.isConditional(fields), !fields.contains(.range) {
            // A 304 would leave another origin's name in what it confirms.
            let variants = candidates.filter { answersOrigin($0.response) }
            let tags = ConditionalRequest.entityTags(of: variants.map(\.response))
            if !tags.isEmpty {
                asked = variants.filter { !ConditionalRequest.entityTags(of: [$0.response]).isEmpty }
                return forward(reason, conditions: tags)
            }
        }
        return forward(reason)
    }

    mutating func serve(
        _ entry: StoredEntry, _ use: Use, _ now: WallInstant, _ stale: StaleReason? = nil
    ) -> Action {
        noteServed(terms(of: entry, at: now), use, now, stale)
        return .serve(entry, use)
    }

    /// Says in the status that a stored response answers whose terms, as ruled, are these.
    mutating func noteServed(_ terms: FreshnessInfo, _ use: Use, _ now: WallInstant, _ stale: StaleReason?) {
        status.timeToLive = terms.timeToLive(at: now)
        // A rule that leaves the protocol to itself did not make it stale.
        let isProtocols = policy.rule == nil || [.followProtocol, .storeOnlyIfExplicit].contains(policy.verdict)
        if let stale, isProtocols { status.detail = stale.rawValue }
        // What was forwarded first is no hit, whatever came of it (RFC 9211 §2.1).
        if use != .validated, status.forwardStatus == nil {
            status.isHit = true
            status.forward = nil
        }
    }

    mutating func fail(_ error: EngineError) -> Action {
        status.isHit = false
        status.isStored = false
        if status.forward == nil, error.code == .disconnected || error.code == .notStored {
            status.forward = .uriMiss
        }
        status.detail = error.code.name
        return .fail(error)
    }

    static let disconnected = EngineError(
        code: .disconnected, message: "There is no network, and no copy of this address is stored.")
    static let mayNotAnswer = EngineError(
        code: .disconnected,
        message: "There is no network, and the copy that is stored may not answer without asking the origin.")
    static let notStored = EngineError(
        code: .notStored, message: "The request accepts only a stored response, and none can be used.")
}
