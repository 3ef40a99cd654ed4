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

/// For the removal of stored responses that the rules forbid.
extension RuleList {
    /// The rules that may have the verdict `never-store`: every ``Rule`` with it, and all rules of the app's own types.
    /// `nil` if there are none.
    package var forbidding: RuleList? {
        let rules = rules.filter { ($0 as? Rule).map { $0.verdict == .neverStore } ?? true }
        return rules.isEmpty ? nil : RuleList(rules)
    }

    /// Whether fields of a response other than `Content-Type` may change the policy's decision.
    package var looksAtFields: Bool {
        rules.contains { rule in
            (rule as? Rule).map { $0.conditions.contains { $0.looksAtFields } } ?? rule.looksAtResponse
        }
    }
}

extension RuleList {
    /// Whether a field of the request may change a verdict or a cache key. Rules of the app's own types may look at any.
    package func mayLookAt(_ field: HTTPField.Name) -> Bool {
        rules.contains { rule in
            (rule as? Rule).map { $0.conditions.contains { $0.looksAt(field) } } ?? true
        } || keyRules.contains { $0.conditions.contains { $0.looksAt(field) } }
    }
}
