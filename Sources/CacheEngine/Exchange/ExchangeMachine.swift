import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The decisions of one exchange: events in, actions out. No clock, no disk and no network inside.
struct ExchangeMachine {
    /// How far the exchange has come, with what is known by then.
    enum State {
        case begun
        /// The store was asked, and nothing has been sent.
        case lookedUp(Candidates)
        /// A request is on its way to the origin, for this reason.
        case asking(Question, ForwardReason, Candidates)
    }

    /// The stored responses for the request. Empty if the store was not asked.
    struct Candidates {
        /// One entry per variant, in any order.
        var entries: [StoredEntry] = []
        /// When the store was asked.
        var time: WallInstant?
    }

    /// The question that the request in flight puts to the origin.
    enum Question {
        /// The whole response is requested. The fallback answers if the origin fails and a stale response is allowed.
        case whole(fallback: StoredEntry?)
        /// Whether the entries whose validators were sent still hold.
        case validation(of: [StoredEntry], fallback: StoredEntry?)
        /// Whether this entry still holds, asked by HEAD.
        case headProbe(StoredEntry)
        /// The rest is requested, after the part that is stored.
        case rest(of: StoredEntry)

        /// The entry that may answer if the origin gives no usable response.
        var fallback: StoredEntry? {
            switch self {
            case .whole(let fallback), .validation(_, let fallback): fallback
            case .headProbe(let entry): entry
            case .rest: nil
            }
        }
    }

    let prepared: PreparedRequest
    var state = State.begun
    /// The rules' decision, from all that is known so far.
    var policy: PolicyDecision
    /// Why ``policy`` is not the decision of the rule that applies to the request; `nil` if it is.
    var rejection: RuleRejection?
    var status = CacheStatus()
    /// The result of a HEAD; `nil` before its answer, and if none was sent.
    var headProbe: HeadProbe?
    /// Whether the stored response was served stale because there was no network, and the origin has not answered
    /// since.
    var wasServedOffline = false
    /// Whether earlier HEADs to this host saved a GET often enough.
    var mayProbeByHead = true
    /// The stored response that only cookies of scripts, or fields of the web view, keep from answering, with how the
    /// answer is called; see ``ScriptCookies``.
    var passesOver: (entry: StoredEntry.ID, name: String)?
    /// Whether a service worker imports what is asked for, see ``WorkerScripts``.
    var isWorkerImport = false
    /// The tag that the response to a GET with a preflight gets, see ``Preflights``.
    var preflightTag: String?
    /// Since when the page that asks has been there, see ``PageNews``.
    var pageSince: WallInstant?
    /// Whether the stored response is older than that.
    var isOlderThanPage = false
    /// Whether it is a file of a manifest that was fetched with another query.
    var isOfOtherQuery = false
    /// The file as the page that asks was last shown with it, see ``PageSets``.
    var pageFile: PageSets.Shown?
    /// Whether loading the stored page was interrupted, see `RunningExchange.isCutOff(_:)`.
    var isCutOff = false
    /// Whether a page opens from its snapshot, see `Verdict.snapshot`.
    var isSnapshot = false
    /// The rule that has it open so.
    var snapshotRule: String? { isSnapshot ? policy.rule : nil }
    /// The version that the page that asks was made of, see ``ReleasePages``.
    var pageVersion: ReleasePages.Version?
    /// Why the origin gave no answer that is of use; `nil` if it did, or was not asked.
    var originFailure: EngineError?
    /// The decisions so far, for `larder explain`; `nil` if nobody asks for them.
    var trace: [TracedDecision]?

    init(_ prepared: PreparedRequest) {
        self.prepared = prepared
        policy = prepared.decision
    }

    var request: HTTPRequest { prepared.request.head }
    var context: ExchangeContext { prepared.request.context }
    var fields: HTTPFields { request.headerFields }
    var directives: RequestDirectives { prepared.directives }
    var key: CacheKey? { prepared.key }
    var kind: CacheKind { prepared.settings.kind }
    var rules: RuleList { prepared.policy.rules }

    /// Whether there is no network, or none to this origin.
    var lacksNetwork: Bool {
        !context.connectivity.hasNetwork || (originFailure?.cause as? TransportError)?.code.isDisconnection == true
    }

    var candidates: Candidates {
        switch state {
        case .begun: Candidates()
        case .lookedUp(let candidates), .asking(_, _, let candidates): candidates
        }
    }

    /// The question to the origin; `nil` if nothing was sent.
    var question: Question? {
        if case .asking(let question, _, _) = state { question } else { nil }
    }

    /// Why the request in flight was sent; `nil` if nothing was sent.
    var forwardReason: ForwardReason? {
        if case .asking(_, let reason, _) = state { reason } else { nil }
    }

    func derivedData(of entry: StoredEntry) -> DerivedEntryData { DerivedEntryData.of(entry, in: kind) }

    /// Takes the first event: the request.
    mutating func start() -> Action {
        status.detail = policy.rule
        guard let key, request.scheme == "http" || request.scheme == "https" else {
            return fail(.init(code: .invalidRequest, message: "The request names no http or https address."))
        }
        if isBypassed { return pass(.bypass, because: .rule) }
        // §4: "A cache MUST write through requests with methods that are unsafe".
        guard request.method == .get || request.method == .head else { return pass(.method, because: .method) }
        // Content in a GET "has no generally defined semantics" (RFC 9110 §9.3.1), but if an origin gives it some, the
        // URI alone does not identify the response.
        if prepared.hasContent { return pass(.bypass, because: .content) }
        if !isCacheOnly {
            // If-Match and If-Unmodified-Since are for the origin (§4.3.2).
            if !prepared.isPlain, ConditionalRequest.mustForward(fields) {
                return pass(.request, because: .preconditions)
            }
            if !mode.looksUp, !wantsFallback { return pass(.request, because: reloadCause) }
        }
        if !wantsFallback { trace?.append(.looksUp) }
        return .lookUp(key)
    }

    /// Whether a reload asks the store, for what is shown where the origin fails: a page, and under a rule its files.
    /// Others have no use for that: a refresh, or content to verify.
    private var wantsFallback: Bool {
        (mode == .reload || mode == .reloadIgnoringLocal) && !isCacheOnly
            && (context.destination == .document || context.mode.looksUp) && context.preload == nil
            && !context.isRefresh
    }

    private var reloadCause: PassCause { context.mode.looksUp ? .reload : .mode }

    /// Forwards without using the store, unless the request must not leave.
    ///
    /// - Parameter fallback: The stored response that answers where the origin fails.
    private mutating func pass(
        _ reason: ForwardReason, because cause: PassCause, fallback: StoredEntry? = nil
    ) -> Action {
        trace?.append(.passes(cause))
        status.forward = reason
        if isCacheOnly || isBypassed && !context.connectivity.hasNetwork { return fail(keptOut) }
        // Fetch §4.6: "If response is null, then: If httpRequest's cache mode is "only-if-cached", then return a
        // network error." §5.2.1.7 wants the same, but an unsafe request must be written through all the same.
        if mode == .onlyIfStored || directives.onlyIfCached && reason != .method { return fail(Self.notStored) }
        return forward(reason, .whole(fallback: fallback))
    }

    /// Takes the responses stored under the key, and those of other queries that may answer as well, in any order.
    mutating func lookedUp(_ found: [StoredEntry], at now: WallInstant) -> Action {
        headProbe = nil
        // The usual case needs no closure, which would copy the machine.
        let entries = found.count == 1 && isCandidate(found[0]) ? found : found.filter(isCandidate)
        if entries.contains(where: { $0.response.tags.contains(WorkerScripts.tag) }) { isWorkerImport = true }
        state = .lookedUp(Candidates(entries: entries, time: now))
        trace?.append(.found(entries))
        guard let entry = selectedVariant(of: entries) ?? entries.first(where: { $0.id == passesOver?.entry }) else {
            return missed(entries.isEmpty ? .uriMiss : .varyMiss)
        }
        guard ContentCoding.isAcceptable(entry.response.fields, to: fields) else {
            trace?.append(.refusesCoding(entry))
            return missed(.varyMiss)
        }
        trace?.append(.selected(entry))
        if !isWhole(entry.response),
            case .notStored = ContentSelection(
                of: entry.response, storedLength: entry.bodyLength.bytes, presented: request)
        {
            return lacksContent(entry)
        }
        let known = entry.response.status
        let isHeld = pageFile.map { $0.rule != nil && $0.content == PageFile(entry).content } ?? false
        isOlderThanPage = !isHeld && (pageSince.map { entry.response.responseTime < $0 } ?? false || pagesOwn != nil)
        isOfOtherQuery =
            entry.key.uri != key?.uri && entry.response.tags.contains(where: VerifiedContent.isTag)
        applyRules(
            to: known, length: entry.bodyLength.bytes,
            HTTPResponse(status: known, headerFields: entry.response.fields))
        if isHeld {
            (policy.verdict, policy.rule, status.detail) = (.permanent, pageFile?.rule, pageFile?.rule)
            trace?.append(.policy(policy, nil))
        }
        // Where nothing may be fetched behind it, nobody would learn of a newer one; nor where a release is in force,
        // whose files give way to its manifest alone.
        isSnapshot =
            policy.verdict == .snapshot && PageFile.isSnapshot(entry.response, at: now)
            && !candidates.entries.contains(where: \.response.isOfRelease)
            && (lacksNetwork || context.connectivity.allowsBackgroundTraffic)
        if !isCacheOnly, isBypassed || !mode.looksUp {
            let isReload = wantsFallback
            state = .lookedUp(Candidates(time: now))
            return pass(
                isBypassed ? .bypass : .request, because: isReload ? reloadCause : .storedResponse,
                fallback: isReload ? entry : nil)
        }
        let underVerdict = applyingVerdict(to: derivedData(of: entry).freshness, at: now)
        let freshness = applyingExpiry(to: underVerdict, at: now)
        let judgement = judge(freshness, at: now)
        if trace != nil {
            let judged = JudgedFreshness(
                response: entry.response, stated: derivedData(of: entry).freshness, effective: freshness,
                verdictValidates: underVerdict.mustValidate, isExpired: isExpired(freshness, at: now),
                basis: judgement.basis, ground: judgement.ground, policy: policy, requestMode: context.mode,
                acceptsAnyAge: mode.acceptsAnyAge, time: now)
            trace?.append(.judged(judged))
        }
        switch judgement.result {
        case .serve(let use, let stale):
            noteServed(freshness, now, stale?.rawValue)
            if let passesOver, entry.id == passesOver.entry { status.detail = passesOver.name }
            return .serve(entry, use)
        case .validate(let reason): return validate(entry, reason)
        }
    }

    /// The part of a stored response that answers the request.
    func selection(of entry: StoredEntry, length: Int64) -> StoredAnswer.Selection {
        if isWhole(entry.response) { return .content(.whole) }
        return StoredAnswer.Selection(of: entry.response, length: length, presented: request, isExact: isExact)
    }

    /// Whether `If-Modified-Since` means no other time: the web view's own cache may have the newer page for which an
    /// older one answers.
    var isExact: Bool { rules["older-than-page"] != nil }

    /// Answers with a stored response after the origin was to be asked.
    ///
    /// - Parameters:
    ///   - detail: Why the protocol lets it answer stale.
    ///   - isHit: False once the origin has answered, or was waited for.
    mutating func serve(
        _ entry: StoredEntry, _ use: Use, _ now: WallInstant, _ detail: String? = nil, isHit: Bool = true
    ) -> Action {
        let entry = use == .validated ? entry : keptFile(isUnanswered: true) ?? entry
        noteServed(freshness(of: entry, at: now), now, detail, isHit: isHit)
        return .serve(entry, use)
    }

    /// Notes in the status that a stored response of this freshness answers.
    private mutating func noteServed(
        _ freshness: FreshnessInfo, _ now: WallInstant, _ detail: String?, isHit: Bool = true
    ) {
        status.timeToLive = freshness.timeToLive(at: now)
        // A rule that leaves the decision to the protocol is not why a stale response answers.
        let isProtocols = policy.rule == nil || [.followProtocol, .storeOnlyIfExplicit].contains(policy.verdict)
        if let detail, isProtocols { status.detail = detail }
        // A request that was forwarded first is no hit, whatever the result (RFC 9211 §2.1).
        if isHit { (status.isHit, status.forward) = (true, nil) }
    }

    /// The usual case: a request without conditions and range, and all of a 200.
    private func isWhole(_ response: StoredResponse) -> Bool {
        prepared.isPlain && response.status == .ok && response.extent == .complete
    }

    /// Decides whether a stored response of this freshness may answer.
    func judge(_ freshness: FreshnessInfo, at now: WallInstant) -> Judgement {
        let basis = ReuseDecision.decide(freshness, request: directives, at: now)
        let isFresh = basis.remaining > .zero
        if isCacheOnly || mode.acceptsAnyAge && !isExpired(freshness, at: now) {
            return Judgement(result: .serve(isFresh ? .fresh : .stale, nil), ground: .anyAge, basis: basis)
        }
        if mode == .revalidate {
            return Judgement(result: .validate(isFresh ? .request : .stale), ground: .confirmation, basis: basis)
        }
        let result: Judgement.Result =
            switch basis.decision {
            case .reuse: .serve(.fresh, nil)
            case .reuseStale: .serve(.stale, .maxStale)
            // Without a network it can't be validated first.
            case .reuseWhileRevalidating where (wasServedOffline || pagesOwn != nil) && !isSnapshot && !lacksNetwork:
                .validate(.stale)
            case .reuseWhileRevalidating: .serve(.staleWhileRevalidating, .whileRevalidating)
            case .validate(let reason): .validate(reason.isRequestsWish ? .request : .stale)
            }
        return Judgement(result: result, ground: .freshness, basis: basis)
    }

    /// The entry that the request's fields select.
    private mutating func selectedVariant(of entries: [StoredEntry]) -> StoredEntry? {
        if let kept = keptFile() {
            trace?.append(.keptForRelease)
            return kept
        }
        // The usual case needs no further lists.
        if entries.count == 1, trace == nil { return mayAnswer(entries[0].response) ? entries[0] : nil }
        let fitting = entries.filter { isNominated($0.response) }
        let readable = fitting.filter { answersOrigin($0.response) }
        let preferred = Self.preferred(readable)
        if !entries.isEmpty {
            let ignoresVary = ignoresVary
            trace?.append(
                .variants(fitting: fitting, readable: readable, preferred: preferred, ignoresVary: ignoresVary))
        }
        return preferred
    }

    /// §4.1: of several that match, the most recent by `Date`; if some have no `Vary`, which origins forget on their
    /// default response, "the most recent … stored response with a valid Vary field value". Data or a part that was
    /// stored beside a page answers those that it was stored for.
    static func preferred(_ matching: [StoredEntry]) -> StoredEntry? {
        let parts = matching.filter { isPart($0.response) }
        let varying = parts.isEmpty ? matching.filter { !$0.response.nominatedFields.values.isEmpty } : parts
        return (varying.isEmpty ? matching : varying).max { $0.response.date < $1.response.date }
    }

    func isCandidate(_ entry: StoredEntry) -> Bool {
        key.map { $0.uri == entry.key.uri || Self.answersQuery(of: $0, entry) } ?? true
    }

    /// Whether a stored response answers for another query than its own (draft-ietf-httpbis-no-vary-search).
    static func answersQuery(of key: CacheKey, _ entry: StoredEntry) -> Bool {
        entry.response.fields.contains(.noVarySearch)
            && NoVarySearch(entry.response.fields).match(entry.key.uri, key.uri)
    }

    private mutating func validate(_ entry: StoredEntry, _ reason: ForwardReason) -> Action {
        if directives.onlyIfCached || mode == .onlyIfStored {
            status.forward = reason
            return fail(Self.notStored)
        }
        let validators = ConditionalRequest.validators(of: entry.response)
        guard !validators.isEmpty else {
            return forward(reason, .whole(fallback: entry), keepingRange: entry.response.extent != .complete)
        }
        if probesByHead(entry) {
            // A HEAD has no range (RFC 9110 §14.2); the client's is answered from the store, or by the GET.
            return forward(reason, .headProbe(entry), method: .head, conditions: validators)
        }
        return forward(
            reason, .validation(of: [entry], fallback: entry), conditions: validators,
            keepingRange: entry.response.extent != .complete)
    }

    /// Parts are stored, but not all that is requested.
    private mutating func lacksContent(_ entry: StoredEntry) -> Action {
        if wantsFallback { return pass(.request, because: reloadCause) }
        if isCacheOnly || directives.onlyIfCached || mode == .onlyIfStored { return missed(.partial) }
        guard request.method == .get, prepared.isPlain,
            !(prepared.settings.transportDecodes && entry.response.fields.contains(.contentEncoding)),
            let conditions = ConditionalRequest.resumption(of: entry.response)
        else { return forward(.partial, .whole(fallback: nil)) }
        return forward(.partial, .rest(of: entry), conditions: conditions)
    }

    private mutating func missed(_ reason: ForwardReason) -> Action {
        if wantsFallback {
            return pass(.request, because: reloadCause, fallback: keptFile(isUnanswered: true))
        }
        status.forward = reason
        if isCacheOnly { return fail(reason == .varyMiss ? disconnectedFailure : Self.disconnected) }
        // The response to be validated in the background is gone; the validation must not bring it back.
        if context.isBackground { return fail(Self.notStored) }
        // §5.2.1.7
        if directives.onlyIfCached || mode == .onlyIfStored { return fail(Self.notStored) }
        // §4.3.1: a response stored for other nominated fields may still be the one that the origin would send.
        if reason == .varyMiss, prepared.isPlain {
            // A 304 would leave another origin's name in the response that it confirms.
            let variants = candidates.entries.filter {
                answersOrigin($0.response) && ContentCoding.isAcceptable($0.response.fields, to: fields)
            }
            let tags = ConditionalRequest.entityTags(of: variants.map(\.response))
            if !tags.isEmpty {
                let asked = variants.filter { !ConditionalRequest.entityTags(of: [$0.response]).isEmpty }
                return forward(reason, .validation(of: asked, fallback: nil), conditions: tags)
            }
        }
        return forward(reason, .whole(fallback: keptFile(isUnanswered: true)))
    }
}
