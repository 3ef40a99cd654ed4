import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// Asking by HEAD first, where a rule says so; what it means is said at `ValidationMethod.head`.
extension ExchangeMachine {
    /// How far the HEAD has come.
    enum HeadProbe: Hashable {
        case none
        /// Decided, or on its way.
        case underWay
        /// The store answers; no GET was needed.
        case saved
        /// A GET is needed all the same.
        case wasted
    }

    /// Whether this response is asked for by HEAD first.
    func probesByHead(_ entry: StoredEntry) -> Bool {
        policy.validation == .head && mayProbeByHead && request.method == .get && entry.response.status == .ok
            && entry.response.extent == .complete
    }

    mutating func probeByHead(_ reason: ForwardReason, _ validators: HTTPFields) -> Action {
        headProbe = .underWay
        noteHeadProbe()
        // A HEAD has no range (RFC 9110 §14.2); the client's is answered from what is stored, or by the GET.
        return forward(reason, method: .head, conditions: validators)
    }

    /// The answer to the HEAD.
    mutating func headProbeAnswered(_ head: HTTPResponse, requestTime: WallInstant, responseTime: WallInstant) -> Action
    {
        headProbe = .wasted
        guard let entry = selected else { return forwardAgain() }
        if head.status == .notModified {
            let action = confirmed(head.headerFields, requestTime: requestTime, responseTime: responseTime)
            if case .freshen = action { headProbe = .saved }
            noteHeadProbe()
            return action
        }
        // RFC 9110 §9.3.2 wants the same fields as for a GET, but many an origin has HEAD forbidden or forgotten.
        guard head.status == .ok else { return askByGet() }
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
        // There is something else now. It stays selected for the case that the GET fails.
        noteHeadProbe()
        asked = []
        return forward(status.forward ?? .stale)
    }

    /// No answer to the HEAD came.
    ///
    /// - Returns: `nil` where a GET would fare no better.
    mutating func headProbeFailed(_ error: TransportError) -> Action? {
        // Some servers close the connection, or send content that HEAD does not have (RFC 9110 §9.3.2).
        guard error.code == .closedEarly || error.code == .malformedResponse else {
            headProbe = .none
            return nil
        }
        headProbe = .wasted
        return askByGet()
    }

    private mutating func askByGet() -> Action {
        noteHeadProbe()
        guard let selected else { return forwardAgain() }
        return forward(status.forward ?? .stale, conditions: ConditionalRequest.validators(of: selected.response))
    }

    private mutating func freshen(
        _ entry: StoredEntry, with response: StoredResponse, by head: HTTPResponse, at now: WallInstant
    ) -> Action {
        status.forwardStatus = head.status.code
        let updated = ruled(FreshnessInfo(of: response, in: kind), at: now)
        status.timeToLive = updated.timeToLive(at: now)
        var freshened = entry
        freshened.response = response
        retain(&freshened.response)
        return .freshen(
            Freshened(
                entry: freshened, isNewVariant: false, isKept: mayKeep(response, from: head.headerFields), others: []))
    }

    /// Names it in `Cache-Status`: the rule, and whether the HEAD was enough.
    mutating func noteHeadProbe() {
        guard headProbe != .none, let rule = policy.rule else { return }
        status.detail = rule + (headProbe == .wasted ? "/head-get" : "/head")
    }
}
