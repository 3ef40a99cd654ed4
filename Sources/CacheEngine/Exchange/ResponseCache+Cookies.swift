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
    /// - Returns: `nil` if there is no such answer; then nothing has happened, and the request with its cookies is to
    ///   be answered by ``respond(to:)``.
    package func answerWithoutCookies(
        to request: EngineRequest, where accepts: (StoredResponse) -> Bool
    ) -> EngineResponse? {
        guard var exchange = cookieless(request), let decided = exchange.decideAtHand(),
            let entry = exchange.entryWithoutCookies(decided, accepts),
            case .atOnce(let answer)? = exchange.answer(with: entry, .fresh, at: now)
        else { return nil }
        return answer.response
    }

    /// Answers a request whose `Cookie` is not known yet as ``answerWithoutCookies(to:where:)`` does, and reads the
    /// store for it where that takes a while. Notes in the request what the store has, which then is not asked again.
    package func readAnswerWithoutCookies(
        to request: inout EngineRequest, where accepts: @Sendable (StoredResponse) -> Bool
    ) async -> EngineResponse? {
        guard var exchange = cookieless(request) else { return nil }
        let decided = await exchange.decide()
        request.lookedUp = exchange.lookedUp
        guard let entry = exchange.entryWithoutCookies(decided, accepts) else { return nil }
        return await exchange.openedAnswer(with: entry, .fresh)
    }

    /// `nil` where the policy has to know the cookies.
    private func cookieless(_ request: EngineRequest) -> RunningExchange? {
        var exchange = RunningExchange(request, cache: self)
        exchange.lacksCookies = true
        return exchange.machine.rules.mayLookAt(.cookie) ? nil : exchange
    }
}

extension RunningExchange {
    /// The fresh response that answers whatever the cookies are.
    fileprivate func entryWithoutCookies(
        _ decided: ExchangeMachine.Action, _ accepts: (StoredResponse) -> Bool
    ) -> StoredEntry? {
        guard case .serve(let entry, .fresh) = decided,
            !machine.candidates.entries.contains(where: { $0.response.nominatedFields.values.keys.contains("cookie") }),
            accepts(entry.response), !isNextSampled(entry, at: cache.now)
        else { return nil }
        return entry
    }
}
