import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

extension ResponseCache {
    /// Answers a request whose `Cookie` is not known yet, if the answer is the same whatever that is. For web views,
    /// whose cookies are known only after waiting. Never waits; asks the origin nothing, not in the background either.
    ///
    /// Decided as in ``begin(_:)-(EngineRequest)``. The answer depends on cookies if any response stored under the key
    /// nominates `Cookie` in `Vary` (RFC 9111 §4.1), or if a rule looks at that field.
    ///
    /// - Parameters:
    ///   - request: Without `Cookie`.
    ///   - accepts: Whether the chosen response may answer. Called at most once.
    /// - Returns: `nil` if there is no such answer; then nothing has happened, and the request with its cookies is to be
    ///   answered by ``respond(to:)``.
    public func answerWithoutCookies(
        to request: EngineRequest, where accepts: (StoredResponse) -> Bool
    ) -> EngineResponse? {
        var exchange = RunningExchange(request, cache: self)
        exchange.lacksCookies = true
        guard !exchange.machine.rules.mayLookAt(.cookie), case .lookUp(let key) = exchange.machine.start(),
            let found = entriesAtHand(for: key), !found.isEmpty,
            !found.contains(where: { $0.response.nominatedFields.values.keys.contains("cookie") })
        else { return nil }
        let now = now
        guard case .serve(let entry, let use) = exchange.machine.lookedUp(found, at: now), use == .fresh,
            accepts(entry.response), !exchange.isNextSampled(entry, at: now),
            case .atOnce(let answer)? = exchange.answer(with: entry, use, at: now)
        else { return nil }
        return answer.response
    }
}
