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
    /// A file of the release in force answers, though a newer one is stored.
    case keptForRelease
    /// The entry that would answer.
    case selected(StoredEntry)
    /// The rules' decision once a response is known, and why it replaces the applicable rule's. Noted where they were
    /// asked again, or the verdict was rejected.
    case policy(PolicyDecision, ExchangeMachine.RuleRejection?)
    case judged(JudgedFreshness)
    /// The rule wants a HEAD first, but at this host too many saved no GET.
    case skipsHeadProbe
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
    /// The cache mode demands the origin's answer.
    case mode
    /// A rule demands a reload.
    case reload
    /// The rules' verdict on the stored response lets none answer.
    case storedResponse
}

/// A stored response's freshness and how it was judged.
struct JudgedFreshness {
    var response: StoredResponse
    /// As the response states it.
    var stated: FreshnessInfo
    /// Under the policy.
    var effective: FreshnessInfo
    /// Whether the verdict alone, without its expiry, has the response validated before every use.
    var verdictValidates: Bool
    /// Whether the rule's expiry is over.
    var isExpired: Bool
    var basis: ReuseDecision.Basis
    var ground: ExchangeMachine.Judgement.Ground
    var policy: PolicyDecision
    /// The request's own cache mode.
    var requestMode: CacheMode
    /// Whether the mode in force, the request's or a rule's, accepts any age.
    var acceptsAnyAge: Bool
    var time: WallInstant
}
