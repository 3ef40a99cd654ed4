/// One named step of the policy.
///
/// ``Rule`` is the one that can be written down in a rules file; an app may add types of its own.
public protocol CacheRule: Sendable {
    /// A short name in kebab case; it reaches `Cache-Status` as `detail`, reports and `larder explain`.
    var name: String { get }

    /// The verdict, or `nil` where the rule has no opinion, or none before a response is known.
    func verdict(for exchange: Exchange) -> Verdict?

    /// The verdict with what goes with it; from ``verdict(for:)`` alone unless a type knows more.
    func decision(for exchange: Exchange) -> PolicyDecision?

    /// Whether a response could change the verdict, so that it is worth asking again once one is known; `false` unless
    /// a type says otherwise.
    var looksAtResponse: Bool { get }
}

extension CacheRule {
    public func decision(for exchange: Exchange) -> PolicyDecision? {
        verdict(for: exchange).map { PolicyDecision(verdict: $0, rule: name) }
    }

    public var looksAtResponse: Bool { false }
}
