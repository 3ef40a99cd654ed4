import CacheRules
import HTTPCacheSemantics
import ResponseStore

/// A decision about a request and its grounds, noted by the code that decides. `larder explain` puts it into words.
enum TracedDecision {
    /// The request goes to the origin and the store is not used.
    case passes(PassCause)
    /// The store may answer, and is asked.
    case looksUp
    /// The stored responses that concern the request.
    case found([StoredEntry])
    /// The entries whose nominated fields match; among them those that the request's origin may read; and the most
    /// recent of these.
    case variants(fitting: [StoredEntry], readable: [StoredEntry], preferred: StoredEntry?, ignoresVary: Bool)
    /// The request does not accept the entry's content coding.
    case refusesCoding(StoredEntry)
    /// The entry that would answer.
    case selected(StoredEntry)
    /// The rules' decision once a response is known, and why it replaces the applicable rule's.
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
    /// The cache mode, or a rule that asks for a reload, demands the origin's answer.
    case mode
}

/// A stored response's freshness and how it was judged.
struct JudgedFreshness {
    var response: StoredResponse
    /// As the response states it.
    var stated: FreshnessInfo
    /// Under the policy.
    var effective: FreshnessInfo
    /// Under the policy without its expiry.
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
