extension RuleList {
    /// The outcome of one rule for an exchange.
    package struct Finding: Hashable, Sendable {
        /// The rule's name.
        package var rule: String
        /// The rule's outcome.
        package var outcome: Outcome
    }

    /// Whether a rule decided, and why not.
    package enum Outcome: Hashable, Sendable {
        /// The rule has a verdict. The first rule with a verdict wins; but if it is about the network, and the first
        /// other one says `never-store`, the latter wins.
        case decides(Verdict)
        /// A condition does not hold; its text as in a rules file, such as `{ "host": "example.com" }`.
        case doesNotApply(because: String)
        /// The other conditions hold, but one is about the response, and none is known yet.
        case waitsForResponse(because: String)
        /// A rule of the app's own type has no opinion.
        case hasNoOpinion
    }

    /// The outcomes of all rules for an exchange, in order, also after the winning one. For explanations, not for a hot
    /// path.
    package func findings(for exchange: Exchange) -> [Finding] {
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
