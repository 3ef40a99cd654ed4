import HTTPTypes

/// Rules in order of precedence; the first one with a verdict wins. But `never-store` comes before rules about the
/// network: the store does not answer such an exchange without a network either.
///
/// ```swift
/// RuleList {
///     Rule("news", .networkFirst(timeout: .seconds(3)), when: .path("/news/**"))
///     RuleList.webViewDefaults.removing("api-path")
/// }
/// ```
public struct RuleList: Sendable {
    /// The rules. Setting them compiles all of them again, which is too slow for a hot path.
    public var rules: [any CacheRule] {
        get { compiled.rules }
        set { compiled = CompiledRules(newValue) }
    }

    /// Rules for cache keys, in order of precedence. A list that is included in another one does not bring them along.
    package var keyRules: [KeyRule] = []

    private var compiled: CompiledRules

    /// A list from rules, in the order in which they are asked.
    public init(_ rules: [any CacheRule]) {
        compiled = CompiledRules(rules)
    }

    /// Rules written as a list, with `if` and `for`.
    public init(@RuleBuilder _ rules: () throws -> [any CacheRule]) rethrows {
        self.init(try rules())
    }

    /// No rules: RFC 9111 alone, as `larder proxy` without `--rules`.
    package static let protocolOnly = RuleList([])

    /// Whether a response could change the policy's decision, so that the engine asks again once one is known.
    package var looksAtResponse: Bool { compiled.looksAtResponse }

    /// The first verdict, or ``Verdict/followProtocol``.
    package func decision(for exchange: Exchange) -> PolicyDecision {
        if compiled.isEmpty { return PolicyDecision(verdict: .followProtocol) }
        return compiled.decision(for: exchange) ?? PolicyDecision(verdict: .followProtocol)
    }
}

/// Serves the removal of stored responses that the rules forbid.
extension RuleList {
    /// The rules that may have the verdict `never-store`: every ``Rule`` with it, and all rules of the app's own types.
    /// `nil` if there are none.
    package var forbidding: RuleList? {
        let rules = rules.filter { ($0 as? Rule).map { $0.verdict == .neverStore } ?? true }
        return rules.isEmpty ? nil : RuleList(rules)
    }

    /// Whether fields of a response other than `Content-Type` may change the policy's decision.
    package var looksAtResponseFields: Bool {
        rules.contains { rule in
            (rule as? Rule).map { $0.conditions.inputs.contains(.responseFields) } ?? rule.looksAtResponse
        }
    }
}

extension RuleList {
    /// Whether a field of the request may change a verdict or a cache key. Rules of the app's own types may look at
    /// any.
    package func mayLookAt(_ field: HTTPField.Name) -> Bool {
        compiled.hasOwnTypes || compiled.inputs.contains(.requestField(field))
            || keyRules.contains { $0.conditions.inputs.contains(.requestField(field)) }
    }
}

extension RuleList {
    /// The names of the rules, in order.
    package var names: [String] { rules.map(\.name) }

    /// The first rule of this name.
    package subscript(name: String) -> (any CacheRule)? { rules.first { $0.name == name } }

    /// The list with another rule in place of those of this name; unchanged if there is none.
    package func replacing(_ name: String, with replacement: some CacheRule) -> RuleList {
        with(rules.map { $0.name == name ? replacement : $0 })
    }

    /// The list with a rule before all others.
    package func preceded(by rule: some CacheRule) -> RuleList { with([rule] + rules) }

    /// The list without the rules of these names.
    package func removing(_ names: String...) -> RuleList {
        var list = with(rules.filter { !names.contains($0.name) })
        list.keyRules.removeAll { names.contains($0.name) }
        return list
    }

    private func with(_ rules: [any CacheRule]) -> RuleList {
        var list = self
        list.rules = rules
        return list
    }
}

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

extension RuleList {
    /// A target for the cache key, and the rule that gave it.
    package struct Keying: Hashable, Sendable {
        /// Path and query.
        package var target: String
        /// The name of the rule.
        package var rule: String
    }

    /// The list with these rules for keys, which come before those that it has.
    package func keyed(by rules: KeyRule...) -> RuleList {
        var list = self
        list.keyRules = rules + list.keyRules
        return list
    }

    /// The path and query for the cache key, by the first key rule that applies; `nil` if the request's own stay.
    package func keying(for exchange: Exchange) -> Keying? {
        for rule in keyRules {
            if let target = rule.target(for: exchange) {
                return target == exchange.request.path ? nil : Keying(target: target, rule: rule.name)
            }
        }
        return nil
    }
}
