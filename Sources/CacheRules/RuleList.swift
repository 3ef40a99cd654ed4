/// Rules in order of precedence; the first one with a verdict wins.
public struct RuleList: Sendable {
    /// A verdict together with the rule that gave it.
    public struct Ruling: Hashable, Sendable {
        public var verdict: Verdict
        /// The winning rule; `nil` when none had a verdict and the protocol decides.
        public var rule: String?

        public init(verdict: Verdict, rule: String?) {
            self.verdict = verdict
            self.rule = rule
        }
    }

    public var rules: [any CacheRule]

    public init(_ rules: [any CacheRule]) {
        self.rules = rules
    }

    /// No rules: RFC 9111 alone. What `larder proxy` runs without `--rules`.
    public static let protocolOnly = RuleList([])

    /// The first verdict, or ``Verdict/followProtocol``.
    public func ruling(for exchange: Exchange) -> Ruling {
        for rule in rules {
            if let verdict = rule.verdict(for: exchange) { return Ruling(verdict: verdict, rule: rule.name) }
        }
        return Ruling(verdict: .followProtocol, rule: nil)
    }
}
