import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// The decisions of one exchange: events in, actions out. No clock, no disk, no network inside.
struct ExchangeMachine {
    enum Action {
        /// Look up the responses stored under this key, then call ``lookedUp(_:at:)``.
        case lookUp(CacheKey)
        /// Answer with this entry; the second part says how.
        case serve(StoredEntry, Use)
        /// Send this request to the origin, then call ``received(_:at:)`` or ``failed(_:at:)``.
        case forward(HTTPRequest, mayCollapse: Bool)
        /// Replace the entry's response, then answer with it.
        case freshen(StoredEntry, StoredResponse, Use)
        /// Hand the origin's response to the client, and store it when `storing` is there.
        case relay(storing: StoredResponse?, notStored: StoreDecision.Reason?)
        /// Answer with an error of ours.
        case fail(EngineError)
    }

    /// How a stored response is used.
    enum Use: Hashable {
        case fresh
        case stale
        case validated
    }

    let request: HTTPRequest
    let context: ExchangeContext
    let rules: RuleList
    let kind: CacheKind
    private let hasContent: Bool
    private(set) var ruling: RuleList.Ruling
    private(set) var status: CacheStatus
    private var validating: StoredEntry?
    private var sentConditions = false

    /// - Parameter hasContent: Whether the request carries content.
    init(
        request: HTTPRequest, context: ExchangeContext, rules: RuleList, kind: CacheKind, cacheName: String,
        hasContent: Bool = false
    ) {
        self.hasContent = hasContent
        self.request = request
        self.context = context
        self.rules = rules
        self.kind = kind
        status = CacheStatus(cache: cacheName)
        ruling = rules.ruling(
            for: Exchange(
                request: request, destination: context.destination, connectivity: context.connectivity))
    }

    private var fields: HTTPFields { request.headerFields }

    /// The first event.
    mutating func start() -> Action {
        status.detail = ruling.rule
        guard let key = CacheKey(request, partition: context.partition),
            request.scheme == "http" || request.scheme == "https"
        else {
            return fail(.init(code: .invalidRequest, message: "The request names no http or https address."))
        }
        if ruling.verdict == .bypass { return forward(.bypass) }
        guard request.method == .get || request.method == .head else {
            // §4: "A cache MUST write through requests with methods that are unsafe".
            guard ruling.verdict == .onlyIfStored else { return forward(.method) }
            status.forward = .method
            return fail(Self.disconnected)
        }
        // Content in a GET "has no generally defined semantics" (RFC 9110 §9.3.1), but where an origin gives it some,
        // the URI alone does not say what was asked for.
        if hasContent { return ruling.verdict == .onlyIfStored ? fail(Self.disconnected) : forward(.bypass) }
        if ConditionalRequest.mustForward(fields), ruling.verdict != .onlyIfStored { return forward(.request) }
        return .lookUp(key)
    }

    /// The responses stored under the key, in any order.
    mutating func lookedUp(_ candidates: [StoredEntry], at now: WallInstant) -> Action {
        validating = nil
        let matching = candidates.filter { $0.response.nominatedFields.match(fields) }
        // §4.1: with several matches "the most recent" by Date is the one to use.
        let selected = matching.max { $0.response.date < $1.response.date }
        guard let selected, ContentCoding.isAcceptable(selected.response.fields, to: fields) else {
            return missed(selected != nil ? .varyMiss : candidates.isEmpty ? .uriMiss : .varyMiss)
        }
        let basis = ReuseDecision.decide(selected.response, presented: fields, at: now, in: kind)
        if ruling.verdict == .onlyIfStored { return serve(selected, basis.remaining > .zero ? .fresh : .stale, now) }
        switch basis.decision {
        case .reuse: return serve(selected, .fresh, now)
        case .reuseStale: return serve(selected, .stale, now)
        case .validate(let reason):
            let isRequestsWish = reason != .stale && reason != .noCacheInResponse
            let forwardReason: ForwardReason = isRequestsWish ? .request : .stale
            if onlyIfCached {
                status.forward = forwardReason
                return fail(Self.notStored)
            }
            validating = selected
            return forward(forwardReason, conditions: validators(of: selected))
        }
    }

    private mutating func missed(_ reason: ForwardReason) -> Action {
        status.forward = reason
        if ruling.verdict == .onlyIfStored { return fail(Self.disconnected) }
        return onlyIfCached ? fail(Self.notStored) : forward(reason)
    }

    /// §5.2.1.7
    private var onlyIfCached: Bool { CacheControl(fields).has("only-if-cached") }

    private func validators(of entry: StoredEntry) -> HTTPFields {
        ConditionalRequest.validators(of: entry.response)
    }

    private mutating func serve(_ entry: StoredEntry, _ use: Use, _ now: WallInstant) -> Action {
        let remaining = FreshnessLifetime(of: entry.response, in: kind).duration - entry.response.currentAge(at: now)
        status.timeToLive = remaining.components.seconds
        if use != .validated {
            status.isHit = true
            status.forward = nil
        }
        return .serve(entry, use)
    }

    private mutating func forward(_ reason: ForwardReason, conditions: HTTPFields = [:]) -> Action {
        status.forward = reason
        status.isHit = false
        status.timeToLive = nil
        status.forwardStatus = nil
        var outgoing = request
        sentConditions = !conditions.isEmpty
        if sentConditions {
            // The client's own conditions are judged against the stored response afterwards; sent along, a 304 could
            // be about either. A range is answered from the store, or from the new response.
            for name in [.ifNoneMatch, .ifModifiedSince, .ifRange, .range] as [HTTPField.Name] {
                outgoing.headerFields[name] = nil
            }
            for field in conditions { outgoing.headerFields[field.name] = field.value }
        }
        let isPlainGet = request.method == .get && !outgoing.headerFields.contains(.range)
        let isPlain = isPlainGet && !ConditionalRequest.isConditional(fields)
        let isShareable = !fields.contains(.authorization) && !CacheControl(fields).has("no-store")
        let mayCollapse = reason != .bypass && reason != .request && isPlain && isShareable
        return .forward(outgoing, mayCollapse: mayCollapse)
    }

    /// The final head of the origin's response.
    mutating func received(
        _ head: HTTPResponse, requestTime: WallInstant, responseTime: WallInstant
    ) -> Action {
        if let entry = validating, sentConditions, head.status == .notModified {
            status.forwardStatus = 304
            guard Freshening.applies(head.headerFields, to: entry.response) else {
                // The 304 is about another representation than the one we have: ask again, without conditions.
                validating = nil
                return forward(status.forward ?? .stale)
            }
            let updated = Freshening.freshen(
                entry.response, with: head.headerFields, answering: fields, requestTime: requestTime,
                responseTime: responseTime)
            var fresh = entry
            fresh.response = updated
            status.timeToLive =
                (FreshnessLifetime(of: updated, in: kind).duration - updated.currentAge(at: responseTime))
                .components.seconds
            return .freshen(fresh, updated, .validated)
        }
        return relay(head, requestTime: requestTime, responseTime: responseTime)
    }

    private mutating func relay(
        _ head: HTTPResponse, requestTime: WallInstant, responseTime: WallInstant
    ) -> Action {
        if ruling.verdict == .bypass || hasContent { return .relay(storing: nil, notStored: nil) }
        let whole = Self.completed(head)
        let decision = StoreDecision.decide(
            request: request, status: whole.status, fields: whole.headerFields, in: kind)
        if case .doNotStore(let reason) = decision {
            return .relay(storing: nil, notStored: reason)
        }
        let stored = StoredResponse(
            nominatedFields: NominatedFields(fields, vary: Vary(whole.headerFields)), status: whole.status,
            fields: StorableFields.select(from: whole.headerFields), requestTime: requestTime,
            responseTime: responseTime)
        if ruling.verdict == .storeOnlyIfExplicit {
            let lifetime = FreshnessLifetime(of: stored, in: kind)
            if lifetime.source == .heuristic, !CacheControl(stored.fields).has("no-cache") {
                return .relay(storing: nil, notStored: .notCacheable)
            }
        }
        status.isStored = true
        return .relay(storing: stored, notStored: nil)
    }

    /// A 206 that holds the whole representation is stored as the 200 it amounts to (RFC 9110 §15.3.7.3).
    private static func completed(_ head: HTTPResponse) -> HTTPResponse {
        guard head.status == .partialContent, let value = head.headerFields[.contentRange],
            let range = ContentRange(value), range.isComplete
        else { return head }
        var whole = head
        whole.status = .ok
        whole.headerFields[.contentRange] = nil
        return whole
    }

    /// No response head came.
    mutating func failed(_ error: TransportError, at now: WallInstant) -> Action {
        guard error.code.isDisconnection else { return fail(EngineError(error)) }
        // The origin can't be reached: for this exchange, and for rules that look at it, that is a disconnection.
        let disconnected = rules.ruling(
            for: Exchange(request: request, destination: context.destination, connectivity: .disconnected))
        if let entry = validating {
            if disconnected.verdict == .onlyIfStored {
                ruling = disconnected
                status.detail = disconnected.rule
                return serve(entry, .stale, now)
            }
            // §4.2.4: "A cache MUST NOT generate a stale response unless it is disconnected", nor where forbidden.
            if !ReuseDecision.forbidsStale(CacheControl(entry.response.fields), in: kind) {
                status.detail = EngineError.Code.originUnreachable.name
                return serve(entry, .stale, now)
            }
        }
        return fail(EngineError(error))
    }

    private mutating func fail(_ error: EngineError) -> Action {
        status.isHit = false
        status.isStored = false
        if status.forward == nil, error.code == .disconnected || error.code == .notStored {
            status.forward = .uriMiss
        }
        status.detail = error.code.name
        return .fail(error)
    }

    private static let disconnected = EngineError(
        code: .disconnected, message: "There is no network, and no copy of this address is stored.")
    private static let notStored = EngineError(
        code: .notStored, message: "The request accepts only a stored response, and none can be used.")
}
