/// One named step of the policy.
public protocol CacheRule: Sendable {
    /// A short name in kebab case; it reaches `Cache-Status` as `detail`, reports and `larder explain`.
    var name: String { get }

    /// The verdict, or `nil` where the rule has no opinion.
    func verdict(for exchange: Exchange) -> Verdict?
}
