import CacheRules
import HTTPTypes

/// Each rule's part in one exchange: which decides, why others do not, and the response's key.
package struct RulesExplanation: Encodable, Sendable {
    package var method: String
    package var url: String
    /// As a rules file names it.
    package var destination: String
    package var connectivity: String
    /// Whether a response was known to the rules.
    package var hasResponse: Bool
    package var decision: Decision
    /// The rules that stand before the one that decides and could take its place, once a response is known.
    package var mayStillDecide: [String]
    /// The outcome of each rule, in order.
    package var rules: [Step]
    /// `nil` where the response lies under its own address.
    package var key: Key?

    package struct Decision: Encodable, Sendable {
        /// `nil` where no rule decides, and the protocol does.
        package var rule: String?
        package var verdict: String
        /// The verdict's meaning, in a sentence.
        package var meaning: String
        /// The conditions that hold, as in a rules file; `nil` for a rule without any, and for none.
        package var when: String?
        package var note: String?
        package var ignoring: [String]
        package var expirySeconds: Double?
        /// `head` where a stored response is asked for by HEAD first, else `nil`.
        package var validateWith: String?
        package var tags: [String]
        var expiry: Duration?

        private enum CodingKeys: CodingKey {
            case rule, verdict, meaning, when, note, ignoring, expirySeconds, validateWith, tags
        }
    }

    package struct Step: Encodable, Sendable {
        package var rule: String
        package var outcome: Outcome
        /// The verdict of a rule that decides, or would behind the one that does.
        package var verdict: String?
        /// The condition that does not hold, or that waits, as in a rules file.
        package var because: String?
    }

    package enum Outcome: String, Encodable, Sendable {
        case decides
        case comesTooLate = "comes-too-late"
        /// A rule about the network; a `never-store` rule below it takes precedence.
        case givesWay = "gives-way"
        case doesNotApply = "does-not-apply"
        case waitsForResponse = "waits-for-response"
        case hasNoOpinion = "has-no-opinion"
    }

    package struct Key: Encodable, Sendable {
        /// The address in whose place the response lies.
        package var url: String
        /// The key rule that gave it.
        package var rule: String
    }

    package init(_ list: RuleList, _ exchange: Exchange) {
        let request = exchange.request
        func url(_ target: String?) -> String {
            (request.scheme ?? "http") + "://" + (request.authority ?? "") + (target ?? "/")
        }
        method = request.method.rawValue
        self.url = url(request.path)
        destination = exchange.destination.description
        connectivity = exchange.connectivity.description
        hasResponse = exchange.response != nil
        decision = Decision(list, exchange)
        var steps: [Step] = []
        for finding in list.findings(for: exchange) {
            let isLate = steps.contains { $0.outcome == .decides }
            steps.append(Step(finding, otherwise: isLate ? .comesTooLate : .givesWay, decisive: decision.rule))
        }
        rules = steps
        mayStillDecide = steps.prefix { $0.outcome != .decides }.filter { $0.outcome == .waitsForResponse }.map(\.rule)
        key = list.keying(for: exchange).map { Key(url: url($0.target), rule: $0.rule) }
    }
}

extension RulesExplanation.Decision {
    fileprivate init(_ list: RuleList, _ exchange: Exchange) {
        let decision = list.decision(for: exchange)
        rule = decision.rule
        verdict = "\(decision.verdict)"
        meaning = decision.verdict.meaning
        ignoring = decision.ignoring.sorted().map(\.rawValue)
        expiry = decision.expiry
        expirySeconds = decision.expiry.map { $0 / .seconds(1) }
        validateWith = decision.validation == .get ? nil : decision.validation.rawValue
        tags = decision.tags
        let written = decision.rule.flatMap { list[$0] } as? Rule
        note = written?.note
        when = written.flatMap { Self.conditions(of: $0) }
    }

    /// Cut from the rule as a file has it, without the texts in which the key could stand as well.
    private static func conditions(of rule: Rule) -> String? {
        var rule = rule
        (rule.note, rule.tags) = (nil, [])
        guard let file = try? RuleList([rule]).json() else { return nil }
        let lines = file.split(separator: "\n").dropFirst(2).dropLast(2).map { $0.drop { $0 == " " } }
        let text = lines.reduce(into: "") { text, line in
            let isInList = text.isEmpty || text.hasSuffix("[") || line.hasPrefix("]")
            text += (isInList ? "" : " ") + line
        }
        return text.firstRange(of: "\"when\": ").map { String(text[$0.upperBound...].dropLast(2)) }
    }
}

extension RulesExplanation.Step {
    /// - Parameter otherwise: The outcome where the verdict is not that of the decisive rule.
    fileprivate init(
        _ finding: RuleList.Finding, otherwise: RulesExplanation.Outcome, decisive: String?
    ) {
        rule = finding.rule
        switch finding.outcome {
        case .decides(let verdict):
            let decides = finding.rule == decisive && otherwise != .comesTooLate
            (outcome, self.verdict) = (decides ? .decides : otherwise, "\(verdict)")
        case .doesNotApply(let condition): (outcome, because) = (.doesNotApply, condition)
        case .waitsForResponse(let condition): (outcome, because) = (.waitsForResponse, condition)
        case .hasNoOpinion: outcome = .hasNoOpinion
        }
    }
}
