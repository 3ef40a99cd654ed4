extension RuleList {
    /// What one rule made of an exchange.
    public struct Finding: Hashable, Sendable {
        /// The rule's name.
        public var rule: String
        /// What it decided.
        public var outcome: Outcome
    }

    /// Whether a rule decided, and why not.
    public enum Outcome: Hashable, Sendable {
        /// It has a verdict. The first rule of a list that has one wins; where that is about the network, and the first one
        /// behind it that is not says `never-store`, that one does.
        case decides(Verdict)
        /// A condition does not hold; its text is that of a rules file, as in `{ "host": "example.com" }`.
        case doesNotApply(because: String)
        /// All that is known so far holds, but a condition looks at the response, and there is none.
        case waitsForResponse(because: String)
        /// A rule of the app's own type has no opinion.
        case hasNoOpinion
    }

    /// What each rule makes of an exchange, in order, also behind the one that wins: for people, not for a hot path.
    public func findings(for exchange: Exchange) -> [Finding] {
        rules.map { rule in
            guard let written = rule as? Rule else {
                let verdict = rule.decision(for: exchange)?.verdict
                return Finding(rule: rule.name, outcome: verdict.map { .decides($0) } ?? .hasNoOpinion)
            }
            return Finding(rule: rule.name, outcome: Subject.with(exchange) { Self.outcome(of: written, $0) })
        }
    }

    private static func outcome(of rule: Rule, _ subject: borrowing Subject) -> Outcome {
        var waiting: When?
        for condition in rule.conditions {
            switch condition.holds(subject) {
            case .yes: break
            case .no: return .doesNotApply(because: RulesWriter.text(condition))
            case .unknown: waiting = waiting ?? condition
            }
        }
        return waiting.map { .waitsForResponse(because: RulesWriter.text($0)) } ?? .decides(rule.verdict)
    }
}
