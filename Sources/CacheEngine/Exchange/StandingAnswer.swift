import HTTPCacheSemantics
import HTTPTypes
import ResponseStore

/// How a request was answered from the store, for the next one that is the same in every field.
///
/// All that decided it is either the request's or compared again: the policy, the context, what is stored under the
/// key, and the time. It holds no content and keeps no file open, but it does hold the request.
public final class StandingAnswer: Sendable {
    fileprivate let exchange: RunningExchange
    fileprivate let key: CacheKey
    /// Of all that was found under the key, in its order.
    fileprivate let identities: [EntryAttachment.Identity]
    /// Which of them answered.
    fileprivate let place: Int
    fileprivate let template: AnswerTemplate
    fileprivate let contentRange: String?
    fileprivate let hasContent: Bool
    fileprivate let region: Range<Int64>

    init?(_ answer: ImmediateAnswer, from entry: StoredEntry, of found: [StoredEntry], by exchange: RunningExchange) {
        guard let key = exchange.key, let place = found.firstIndex(where: { $0.id == entry.id }) else { return nil }
        var exchange = exchange
        // They hold content.
        exchange.machine.candidates = []
        self.exchange = exchange
        self.key = key
        identities = found.map(\.attachment.identity)
        self.place = place
        template = answer.template
        contentRange = answer.contentRange
        hasContent = answer.content != nil
        region = answer.region
    }

    /// Whether it is of a response that may be meant by what was removed, as far as the key decides.
    public func isMeant(by selection: EntrySelection) -> Bool { selection.contains(key) }

    /// Whether exactly the same is stored as then, nothing more and nothing changed.
    fileprivate func rests(on found: [StoredEntry]) -> Bool {
        guard found.count == identities.count else { return false }
        for index in found.indices where found[index].attachment.identity !== identities[index] { return false }
        return true
    }

    /// Whether a context says the same about a request. Who asks, and how long the origin may take, decides nothing.
    fileprivate func isMeant(in context: ExchangeContext) -> Bool {
        let own = exchange.request.context
        return context.partition == own.partition && context.connectivity == own.connectivity
            && context.mode == own.mode && context.fieldsNotReused == own.fieldsNotReused
            && context.checksAllowedOrigin == own.checksAllowedOrigin
    }
}

extension ResponseCache {
    /// Answers a request again that is the same, field by field, as the one of an earlier answer; `nil` where it has to
    /// be begun like any other. Does what ``begin(_:remembers:)`` does, but for deciding it all once more.
    ///
    /// - Parameter context: The destination is taken from the earlier request.
    public func answer(_ context: ExchangeContext, again standing: StandingAnswer) -> ImmediateAnswer? {
        guard standing.exchange.policyGeneration == policy.generation, standing.isMeant(in: context),
            let found = entriesAtHand(for: standing.key), standing.rests(on: found),
            let derived = DerivedEntryData.known(found[standing.place].attachment, in: configuration.kind)
        else { return nil }
        let now = now
        let terms = standing.exchange.machine.ruled(derived.terms, at: now)
        guard case .serve(.fresh, _) = standing.exchange.machine.judge(terms, at: now) else { return nil }
        var content: StoredContent?
        if standing.hasContent {
            content = derived.contentAtHand(
                found[standing.place].inlineBody, of: found[standing.place].bodyLength)
            guard content != nil else { return nil }
            // Whoever gives it again sends it at once or not at all, and would have it reported twice otherwise.
            if case .file(let file)? = content, !file.isVerified(standing.region) { return nil }
        }
        var status = standing.exchange.machine.status
        status.timeToLive = terms.timeToLive(at: now)
        let answer = ImmediateAnswer(
            template: standing.template, age: standing.exchange.age(derived, at: now),
            contentRange: standing.contentRange, content: content, region: standing.region, cacheStatus: status)
        let start = startOfReport
        if start == nil, !standing.exchange.machine.policy.restsOnHashedName { return answer }
        var exchange = standing.exchange
        exchange.start = start
        exchange.request.context.client = context.client
        exchange.finish(answer, derived, at: now)
        return answer
    }
}
