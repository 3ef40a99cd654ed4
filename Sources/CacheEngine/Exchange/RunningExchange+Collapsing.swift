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
                    guard machine.mayShare(response, at: cache.now) else { return .goOn }
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

    /// The answer from a response that is still arriving.
    private func share(_ response: StoredResponse, _ reader: SpooledReader) -> EngineResponse {
        var head = HTTPResponse(status: response.status, headerFields: response.fields)
        let age = response.currentAge(at: cache.now).components.seconds
        AnswerFields(machine, age: age).apply(to: &head.headerFields)
        head.headerFields[.age] = String(age)
        var status = machine.status
        status.isCollapsed = true
        let length = response.fields[.contentLength].flatMap { Int64($0) }
        return EngineResponse(
            head: head,
            body: .stream(
                reporting(reader, .collapsed, head.status.code, response.fields, status: status, length: length),
                length: length),
            cacheStatus: status)
    }

    /// Tells the requests that wait that the stored response was confirmed, so that they can use it.
    mutating func confirmed(_ response: StoredResponse) {
        noteShareable(response)
        endFlight(.confirmed)
    }

    func noteShareable(_ response: StoredResponse?) {
        guard let key, mayShare else { return }
        let isShareable = response.map { machine.isReusable($0, by: RequestDirectives([:]), at: cache.now) }
        cache.flights.note(key, isShareable: isShareable ?? false)
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
