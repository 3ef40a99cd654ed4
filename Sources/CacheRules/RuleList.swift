/// Rules in order of precedence; the first one with a verdict wins. But `never-store` comes before rules about the network:
/// what is never stored is not answered from the store because of that either.
///
/// ```swift
/// RuleList {
///     Rule("news", .networkFirst(timeout: .seconds(3)), when: .path("/news/**"))
///     RuleList.webViewDefaults.removing("api-path")
/// }
/// ```
public struct RuleList: Sendable {
    /// The rules; setting them prepares all of them anew, which is no work for a hot path.
    public var rules: [any CacheRule] {
        get { compiled.rules }
        set { compiled = CompiledRules(newValue) }
    }

    /// Rules for cache keys, in order of precedence; a list that is put into another one leaves them behind.
    public var keyRules: [KeyRule] = []

    private var compiled: CompiledRules

    public init(_ rules: [any CacheRule]) {
        compiled = CompiledRules(rules)
    }

    /// Rules written as a list, with `if` and `for`.
    public init(@RuleBuilder _ rules: () throws -> [any CacheRule]) rethrows {
        self.init(try rules())
    }

    /// No rules: RFC 9111 alone. What `larder proxy` runs without `--rules`.
    public static let protocolOnly = RuleList([])

    /// Whether a response could change the policy's decision, so that it is worth asking again once one is known.
    public var looksAtResponse: Bool { compiled.looksAtResponse }

    /// The first verdict, or ``Verdict/followProtocol``.
    public func decision(for exchange: Exchange) -> PolicyDecision {
        if compiled.isEmpty { return PolicyDecision(verdict: .followProtocol) }
        return compiled.decision(for: exchange) ?? PolicyDecision(verdict: .followProtocol)
    }
}
