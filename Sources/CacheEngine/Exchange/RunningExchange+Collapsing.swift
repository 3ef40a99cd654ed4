import HTTPCacheSemantics
import HTTPTypes

/// Collapsed forwarding, RFC 9111 §4: one request to the origin for several that are presented meanwhile.
extension RunningExchange {
    enum Joined {
        case answer(EngineResponse)
        case lookAgain(CacheKey)
        case goOn
    }

    /// Joins a request in flight for the same key, or becomes the one that others join.
    mutating func joinOthers() async -> Joined {
        guard let key, flight == nil else { return .goOn }
        mayShare = true
        while true {
            switch cache.flights.join(key, lookedUpAt: completions, makeFlight) {
            case .alone: return .goOn
            case .lookAgain: return .lookAgain(key)
            case .first(let flight):
                self.flight = flight
                return .goOn
            case .follower(let other):
                // Another request is asking already.
                if context.isBackground { return .answer(.unneeded) }
                if context.preload?.isPromoted ?? true { other.noteJoining() }
                switch await other.outcome() {
                case .arriving(let response, let body, let mark):
                    // Another process may have invalidated it meanwhile; this process would have detached it.
                    if let mark, cache.store.isInvalidated(key, since: mark) { return .goOn }
                    guard isUsable(response) else { return .goOn }
                    if let reader = body.makeReader() { return .answer(share(response, reader)) }
                    // The transfer broke off, or all its readers left, and its flight has not ended yet.
                    cache.flights.land(key, other)
                case .confirmed: return .lookAgain(key)
                case .notShareable: return .goOn
                case .abandoned: cache.flights.land(key, other)
                case nil: return .answer(failure(Self.cancelled(nil)))
                }
            }
        }
    }

    /// A page that joins what is fetched ahead of need makes that hurry.
    private func makeFlight() -> InFlight {
        guard let terms = context.preload else { return InFlight() }
        let traffic = cache.traffic
        return InFlight { terms.promote(in: traffic) }
    }

    /// Whether a response that is still arriving may be reused for this request.
    private func isUsable(_ response: StoredResponse) -> Bool {
        let fields = head.headerFields
        guard machine.mayAnswer(response), ContentCoding.isAcceptable(response.fields, to: fields) else {
            return false
        }
        // So far the rules have seen the request alone. The response may be a page in place of the file with the hashed
        // name.
        var judged = machine
        let length = response.fields[.contentLength].flatMap { Int64($0) }
        judged.applyRules(
            to: response.status, length: length, HTTPResponse(status: response.status, headerFields: response.fields))
        return !judged.isBypassed && isReusable(response, by: machine.directives, judged)
    }

    private func isReusable(
        _ response: StoredResponse, by request: RequestDirectives, _ machine: ExchangeMachine
    ) -> Bool {
        let now = cache.now
        let freshness = machine.applyingPolicy(to: FreshnessInfo(of: response, in: machine.kind), at: now)
        return ReuseDecision.decide(freshness, request: request, at: now).decision == .reuse
    }

    /// The answer from a response that is still arriving.
    private func share(_ response: StoredResponse, _ reader: SpooledReader) -> EngineResponse {
        var head = HTTPResponse(status: response.status, headerFields: response.fields)
        for name in context.fieldsNotReused { head.headerFields[name] = nil }
        head.headerFields[.age] = String(response.currentAge(at: cache.now).components.seconds)
        var status = machine.status
        status.isCollapsed = true
        let length = response.fields[.contentLength].flatMap { Int64($0) }
        return EngineResponse(
            head: head,
            body: .stream(
                reporting(reader, .collapsed, head.status.code, status: status, length: length), length: length),
            cacheStatus: status)
    }

    /// Tells the requests that wait that the stored response was confirmed, so that they can use it.
    mutating func confirmed(_ response: StoredResponse) {
        noteShareable(response)
        endFlight(.confirmed)
    }

    func noteShareable(_ response: StoredResponse?) {
        guard let key, mayShare else { return }
        var isShareable = false
        if let response {
            isShareable = isReusable(response, by: RequestDirectives([:]), machine)
        }
        cache.flights.note(key, isShareable: isShareable)
    }

    /// Gives the outcome of this exchange's request to those that wait, and lets later ones start their own. Does
    /// nothing without a flight.
    mutating func endFlight(_ outcome: InFlight.Outcome) {
        guard let key, let flight else { return }
        // In this order: a request that looks up again must not join the same flight.
        cache.flights.land(key, flight)
        flight.publish(outcome)
        self.flight = nil
    }
}
