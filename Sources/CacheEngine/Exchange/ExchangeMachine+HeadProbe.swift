import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Validation by HEAD first, when a rule says so; see `ValidationMethod.head`.
extension ExchangeMachine {
    /// The result of a HEAD.
    enum HeadProbe: Hashable {
        /// The stored response answers; no GET was needed.
        case saved
        /// A GET had to follow.
        case wasted
    }

    /// Whether a HEAD is on its way.
    var isProbing: Bool {
        if case .asking(.headProbe, _) = state { true } else { false }
    }

    /// Whether this response is validated by HEAD first.
    func probesByHead(_ entry: StoredEntry) -> Bool {
        policy.validation == .head && mayProbeByHead && request.method == .get && entry.response.status == .ok
            && entry.response.extent == .complete
    }

    mutating func probeByHead(_ entry: StoredEntry, _ reason: ForwardReason, _ validators: HTTPFields) -> Action {
        // A HEAD has no range (RFC 9110 §14.2); the client's is answered from the store, or by the GET.
        let action = forward(reason, .headProbe(entry), method: .head, conditions: validators)
        if case .forward = action { noteHeadProbe() }
        return action
    }

    /// Takes the answer to the HEAD.
    mutating func headProbeAnswered(
        _ entry: StoredEntry, _ head: HTTPResponse, requestTime: WallInstant, responseTime: WallInstant
    ) -> Action {
        headProbe = .wasted
        if head.status == .notModified {
            let action = confirmed(
                head.headerFields, asked: [entry], fallback: entry, requestTime: requestTime,
                responseTime: responseTime)
            if case .freshen = action { headProbe = .saved }
            noteHeadProbe()
            return action
        }
        // RFC 9110 §9.3.2 wants the same fields as for a GET, but many origins forbid HEAD or don't implement it.
        guard head.status == .ok else { return askByGet(entry) }
        if HeadFreshening.confirms(
            entry.response, storedLength: entry.bodyLength.bytes, head: head.headerFields),
            case .freshened(let response) = HeadFreshening.decide(
                entry.response, storedLength: entry.bodyLength.bytes, status: head.status, head: head.headerFields,
                answering: fields, requestTime: requestTime, responseTime: responseTime, in: kind)
        {
            headProbe = .saved
            noteHeadProbe()
            return freshen(entry, with: response, by: head, at: responseTime)
        }
        // The origin has another representation now. The entry may still answer if the GET fails.
        noteHeadProbe()
        return forward(status.forward ?? .stale, .whole(fallback: entry))
    }

    /// Takes the failure of the HEAD.
    ///
    /// - Returns: `nil` if a GET would fail as well.
    mutating func headProbeFailed(_ entry: StoredEntry, _ error: TransportError) -> Action? {
        // Some servers close the connection, or send content, which an answer to HEAD does not have (RFC 9110 §9.3.2).
        guard error.code == .closedEarly || error.code == .malformedResponse else {
            state = .asking(.whole(fallback: entry), candidates)
            return nil
        }
        headProbe = .wasted
        return askByGet(entry)
    }

    private mutating func askByGet(_ entry: StoredEntry) -> Action {
        noteHeadProbe()
        return forward(
            status.forward ?? .stale, .validation(of: [entry], fallback: entry),
            conditions: ConditionalRequest.validators(of: entry.response))
    }

    private mutating func freshen(
        _ entry: StoredEntry, with response: StoredResponse, by head: HTTPResponse, at now: WallInstant
    ) -> Action {
        status.forwardStatus = head.status.code
        let updated = applyingPolicy(to: FreshnessInfo(of: response, in: kind), at: now)
        status.timeToLive = updated.timeToLive(at: now)
        var freshened = entry
        freshened.response = response
        retain(&freshened.response)
        return .freshen(
            Freshened(
                entry: freshened, isNewVariant: false, isKept: mayKeep(response, from: head.headerFields), others: []))
    }

    /// Notes in `Cache-Status` the rule, and whether the HEAD was enough.
    mutating func noteHeadProbe() {
        guard isProbing || headProbe != nil, let rule = policy.rule else { return }
        status.detail = rule + (headProbe == .wasted ? "/head-get" : "/head")
    }
}
