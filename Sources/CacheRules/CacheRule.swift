/// One named step of the policy.
///
/// ``Rule`` is the type that a rules file can express; an app may add its own types.
public protocol CacheRule: Sendable {
    /// A short name in kebab case; it appears in `Cache-Status` as `detail`, in reports and in `larder explain`.
    var name: String { get }

    /// The verdict; `nil` if the rule has no opinion, or none until a response is known.
    func verdict(for exchange: Exchange) -> Verdict?

    /// The verdict with tags, expiry and the like; by default ``verdict(for:)`` alone.
    func decision(for exchange: Exchange) -> PolicyDecision?

    /// Whether a response could change the verdict, so that the engine asks again once one is known; `false` by
    /// default.
    var looksAtResponse: Bool { get }
}

extension CacheRule {
    public func decision(for exchange: Exchange) -> PolicyDecision? {
        verdict(for: exchange).map { PolicyDecision(verdict: $0, rule: name) }
    }

    public var looksAtResponse: Bool { false }
}
