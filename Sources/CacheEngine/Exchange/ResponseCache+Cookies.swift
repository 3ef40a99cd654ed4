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
    package func answerWithoutCookies(
        to request: EngineRequest, where accepts: (StoredResponse) -> Bool
    ) -> EngineResponse? {
        var exchange = RunningExchange(request, cache: self)
        guard let key = exchange.keyWithoutCookies(), let found = entriesAtHand(for: key),
            let entry = exchange.entryWithoutCookies(found, accepts),
            case .atOnce(let answer)? = exchange.answer(with: entry, .fresh, at: now)
        else { return nil }
        return answer.response
    }

    /// Answers a request whose `Cookie` is not known yet as ``answerWithoutCookies(to:where:)`` does, and reads the store
    /// for it where that takes a while.
    package func readAnswerWithoutCookies(
        to request: EngineRequest, where accepts: @Sendable (StoredResponse) -> Bool
    ) async -> EngineResponse? {
        var exchange = RunningExchange(request, cache: self)
        guard let key = exchange.keyWithoutCookies() else { return nil }
        await arrivals.waitForCommits(key)
        exchange.willLookUp(key)
        let found = await lookUp(key)
        guard let entry = exchange.entryWithoutCookies(found, accepts) else { return nil }
        return await exchange.openedAnswer(with: entry, .fresh)
    }
}

extension RunningExchange {
    /// The key to look up, unless the policy has to know the cookies.
    fileprivate mutating func keyWithoutCookies() -> CacheKey? {
        lacksCookies = true
        guard !machine.rules.mayLookAt(.cookie), case .lookUp(let key) = machine.start() else { return nil }
        return key
    }

    /// The fresh response that answers whatever the cookies are.
    fileprivate mutating func entryWithoutCookies(
        _ found: [StoredEntry], _ accepts: (StoredResponse) -> Bool
    ) -> StoredEntry? {
        guard !found.isEmpty,
            !found.contains(where: { $0.response.nominatedFields.values.keys.contains("cookie") })
        else { return nil }
        let now = cache.now
        guard case .serve(let entry, .fresh) = machine.lookedUp(found, at: now), accepts(entry.response),
            !isNextSampled(entry, at: now)
        else { return nil }
        return entry
    }
}
