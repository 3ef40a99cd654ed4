/// A rule as a value: a name, a verdict, and the conditions under which it holds.
///
/// ```swift
/// Rule("payments", .neverStore) {
///     When.host("pay.example.com", "*.bank.example")
///     When.not(.pathPrefix("/public/"))
/// }
/// ```
///
/// Conditions are joined by "and", the patterns inside one by "or". The same rule in a rules file:
///
/// ```json
/// { "name": "payments", "verdict": "never-store",
///   "when": { "host": ["pay.example.com", "*.bank.example"], "not": { "path-prefix": "/public/" } } }
/// ```
public struct Rule: CacheRule, Hashable {
    /// Lower-case letters, digits and hyphens, at most 64: what a rules file takes.
    public var name: String
    /// What happens to an exchange for which all conditions hold.
    public var verdict: Verdict
    /// What the verdict passes over, although RFC 9111 forbids it; empty unless set.
    public var ignoring: Set<OverridableDirective>
    /// How long after it was stored or last confirmed a response may answer while there is a network; `nil` sets no
    /// limit. Past it the engine validates first, whatever the verdict; the response stays for use without a network
    /// until its space is needed.
    public var expiry: Duration?
    /// How a stored response is validated, where the verdict has it validated; ``ValidationMethod/get`` unless set.
    public var validation: ValidationMethod
    /// Names put on what is stored under this rule, by which it can be removed; none unless set.
    public var tags: [String]
    /// Why the rule is there, for whoever reads it next; no effect.
    public var note: String?
    /// All must hold; a rule without any always applies. Kept in the order in which a rules file prints them.
    public private(set) var conditions: [When]

    /// - Parameters:
    ///   - expiry: `nil` for no limit.
    ///   - conditions: All must hold.
    public init(
        _ name: String, _ verdict: Verdict, ignoring: Set<OverridableDirective> = [], expiry: Duration? = nil,
        validation: ValidationMethod = .get, tags: [String] = [], note: String? = nil,
        @ConditionBuilder when conditions: () throws -> [When]
    ) rethrows {
        self.init(
            name: name, verdict: verdict, ignoring: ignoring, expiry: expiry, validation: validation, tags: tags,
            note: note, conditions: try conditions())
    }

    /// The same for conditions that stand on one line.
    public init(
        _ name: String, _ verdict: Verdict, ignoring: Set<OverridableDirective> = [], expiry: Duration? = nil,
        validation: ValidationMethod = .get, tags: [String] = [], note: String? = nil, when conditions: When...
    ) {
        self.init(
            name: name, verdict: verdict, ignoring: ignoring, expiry: expiry, validation: validation, tags: tags,
            note: note, conditions: conditions)
    }

    init(
        name: String, verdict: Verdict, ignoring: Set<OverridableDirective>, expiry: Duration?,
        validation: ValidationMethod,
        tags: [String], note: String?, conditions: [When]
    ) {
        self.name = name
        self.verdict = verdict
        self.ignoring = ignoring
        self.expiry = expiry
        self.validation = validation
        self.tags = tags
        self.note = note
        self.conditions = When.conjunction(conditions)
    }

    public func verdict(for exchange: Exchange) -> Verdict? {
        Subject.with(exchange) { When.all(conditions, $0) == .yes } ? verdict : nil
    }

    public func decision(for exchange: Exchange) -> PolicyDecision? {
        Subject.with(exchange) { When.all(conditions, $0) == .yes } ? decision : nil
    }

    public var looksAtResponse: Bool { conditions.contains { $0.looksAtResponse } }

    var decision: PolicyDecision {
        PolicyDecision(
            verdict: verdict, rule: name, ignoring: ignoring, expiry: expiry, validation: validation, tags: tags,
            restsOnHashedName: conditions.contains { $0.restsOnHashedName })
    }
}
