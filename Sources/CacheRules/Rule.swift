/// A rule as a value: a name, a verdict, and the conditions under which it holds.
///
/// ```swift
/// Rule("payments", .neverStore) {
///     When.host("pay.example.com", "*.bank.example")
///     When.not(.pathPrefix("/public/"))
/// }
/// ```
///
/// All conditions must hold; the patterns in one condition are alternatives. The same rule in a rules file:
///
/// ```json
/// { "name": "payments", "verdict": "never-store",
///   "when": { "host": ["pay.example.com", "*.bank.example"], "not": { "path-prefix": "/public/" } } }
/// ```
public struct Rule: CacheRule, Hashable {
    /// A rules file accepts lower-case letters, digits and hyphens, at most 64.
    public var name: String
    /// The verdict on exchanges for which all conditions hold.
    public var verdict: Verdict
    /// The prohibitions of RFC 9111 that the rule ignores; empty by default.
    public var ignoring: Set<OverridableDirective>
    /// How long after it was stored or last validated a response may answer while there is a network; `nil`, the
    /// default, sets no limit. After that the engine validates it first, whatever the verdict; the response stays for
    /// use without a network until its space is needed.
    public var expiry: Duration?
    /// How a stored response is validated, if the verdict requires it; ``ValidationMethod/get`` by default.
    public var validation: ValidationMethod
    /// Names for responses stored under this rule, by which they can be removed; empty by default.
    public var tags: [String]
    /// A remark for readers of the rule, without effect.
    public var note: String?
    /// All must hold; a rule without conditions always applies. In the order of a printed rules file.
    package private(set) var conditions: [When]

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

    /// The same with the conditions as arguments.
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

    public var looksAtResponse: Bool { conditions.contains(where: \.looksAtResponse) }

    var decision: PolicyDecision {
        PolicyDecision(
            verdict: verdict, rule: name, ignoring: ignoring, expiry: expiry, validation: validation, tags: tags,
            restsOnHashedName: conditions.inputs.contains(.hashedName))
    }
}

/// One named step of the policy.
///
/// ``Rule`` is the type that a rules file can express; an app may add its own types.
public protocol CacheRule: Sendable {
    /// A short name in kebab case; it appears in `Cache-Status` as `detail`, in reports and in `larder explain`.
    var name: String { get }

    /// The verdict; `nil` if the rule has no opinion, or none until a response is known.
    func verdict(for exchange: Exchange) -> Verdict?

    /// The verdict with tags, expiry and the like; by default ``verdict(for:)`` alone.
    func decision(for exchange: Exchange) -> PolicyDecision?

    /// Whether a response could change the verdict, so that the engine asks again once one is known; `false` by
    /// default.
    var looksAtResponse: Bool { get }
}

extension CacheRule {
    public func decision(for exchange: Exchange) -> PolicyDecision? {
        verdict(for: exchange).map { PolicyDecision(verdict: $0, rule: name) }
    }

    public var looksAtResponse: Bool { false }
}

/// Writes the conditions of a ``Rule`` one per line, with `if` and `for`; all of them must hold.
@resultBuilder
public enum ConditionBuilder {
    public static func buildExpression(_ condition: When) -> [When] { [condition] }
    public static func buildBlock(_ parts: [When]...) -> [When] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [When]?) -> [When] { part ?? [] }
    public static func buildEither(first: [When]) -> [When] { first }
    public static func buildEither(second: [When]) -> [When] { second }
    public static func buildArray(_ parts: [[When]]) -> [When] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [When]) -> [When] { part }
}

/// Writes a ``RuleList`` as a list: rules, whole lists, `if` and `for`.
@resultBuilder
public enum RuleBuilder {
    public static func buildExpression(_ rule: some CacheRule) -> [any CacheRule] { [rule] }
    public static func buildExpression(_ list: RuleList) -> [any CacheRule] { list.rules }
    public static func buildBlock(_ parts: [any CacheRule]...) -> [any CacheRule] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [any CacheRule]?) -> [any CacheRule] { part ?? [] }
    public static func buildEither(first: [any CacheRule]) -> [any CacheRule] { first }
    public static func buildEither(second: [any CacheRule]) -> [any CacheRule] { second }
    public static func buildArray(_ parts: [[any CacheRule]]) -> [any CacheRule] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [any CacheRule]) -> [any CacheRule] { part }
}
