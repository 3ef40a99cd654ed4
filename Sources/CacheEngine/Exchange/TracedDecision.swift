import CacheRules
import HTTPCacheSemantics
import ResponseStore

/// A decision about a request and what it rests on, noted by the code that decided. `larder explain` puts it in words.
enum TracedDecision {
    /// The request goes to the origin and the store is not used.
    case passes(PassCause)
    /// The store may answer, and is asked.
    case looksUp
    /// The stored responses that concern the request.
    case found([StoredEntry])
    /// Those whose nominated fields fit, those of them that the request's origin may read, and the most recent one.
    case variants(fitting: [StoredEntry], readable: [StoredEntry], preferred: StoredEntry?, ignoresVary: Bool)
    /// The request accepts the entry's content coding in no way.
    case refusesCoding(StoredEntry)
    /// The entry that would answer.
    case selected(StoredEntry)
    /// The rules' decision once a response is known, and why another one does not hold.
    case policy(PolicyDecision, ExchangeMachine.Disbelief?)
    case judged(JudgedFreshness)
}

/// Why a request goes to the origin without the store.
enum PassCause {
    /// A rule keeps it out of the store.
    case rule
    /// The method is written through (RFC 9111 §4).
    case method
    /// The request carries content.
    case content
    /// `If-Match` or `If-Unmodified-Since` (RFC 9111 §4.3.2).
    case preconditions
    /// The cache mode, or a rule that asks for a reload, wants the origin's answer.
    case mode
}

/// A stored response's freshness, as it was judged.
struct JudgedFreshness {
    var response: StoredResponse
    /// As the response states it.
    var stated: FreshnessInfo
    /// As the policy has it.
    var effective: FreshnessInfo
    /// As the policy would have it without an expiry.
    var withoutExpiry: FreshnessInfo
    var basis: ReuseDecision.Basis
    var policy: PolicyDecision
    /// The request's own cache mode.
    var requestMode: CacheMode
    /// Whether any age is accepted, by the request or by a rule.
    var acceptsAnyAge: Bool
    var isProbedByHead: Bool
    var mayProbeByHead: Bool
    var time: WallInstant
}

extension ExchangeMachine {
    mutating func traceJudgement(of entry: StoredEntry, _ effective: FreshnessInfo, at now: WallInstant) {
        var endless = self
        endless.policy = PolicyDecision(verdict: policy.verdict, rule: policy.rule, ignoring: policy.ignoring)
        let stated = derivedData(of: entry).freshness
        let judged = JudgedFreshness(
            response: entry.response, stated: stated, effective: effective,
            withoutExpiry: endless.applyingPolicy(to: stated, at: now),
            basis: ReuseDecision.decide(effective, request: directives, at: now), policy: policy,
            requestMode: context.mode, acceptsAnyAge: mode.acceptsAnyAge, isProbedByHead: policy.validation == .head,
            mayProbeByHead: mayProbeByHead, time: now)
        trace?.append(.judged(judged))
    }
}
