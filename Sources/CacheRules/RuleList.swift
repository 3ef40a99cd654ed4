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
    /// A verdict together with the rule that gave it.
    public struct Ruling: Hashable, Sendable {
        public var verdict: Verdict
        /// The winning rule; `nil` when none had a verdict and the protocol decides.
        public var rule: String?
        /// What goes with the verdict; `nil` where nothing does, so that most rulings count no reference.
        private var details: Details?
        /// Whether the verdict trusts a name to say what content it stands for, so that the content is to be compared.
        public var restsOnHashedName = false

        public init(
            verdict: Verdict, rule: String?, despite: Set<Restriction> = [], expiry: Duration? = nil,
            validation: ValidationMethod = .get, tags: [String] = [], restsOnHashedName: Bool = false
        ) {
            self.restsOnHashedName = restsOnHashedName
            self.verdict = verdict
            self.rule = rule
            let isPlain = despite.isEmpty && expiry == nil && validation == .get && tags.isEmpty
            details =
                isPlain ? nil : Details(despite: despite, expiry: expiry, validation: validation, tags: tags)
        }

        /// What the verdict passes over; see ``Rule/despite``.
        public var despite: Set<Restriction> { details?.despite ?? [] }
        /// See ``Rule/expiry``.
        public var expiry: Duration? { details?.expiry }
        /// See ``Rule/validation``.
        public var validation: ValidationMethod { details?.validation ?? .get }
        /// See ``Rule/tags``.
        public var tags: [String] { details?.tags ?? [] }

        fileprivate init(verdict: Verdict) {
            self.verdict = verdict
        }

        private final class Details: Hashable, Sendable {
            let despite: Set<Restriction>
            let expiry: Duration?
            let validation: ValidationMethod
            let tags: [String]

            init(despite: Set<Restriction>, expiry: Duration?, validation: ValidationMethod, tags: [String]) {
                self.despite = despite
                self.expiry = expiry
                self.validation = validation
                self.tags = tags
            }

            static func == (one: Details, other: Details) -> Bool {
                one.despite == other.despite && one.expiry == other.expiry && one.validation == other.validation
                    && one.tags == other.tags
            }

            func hash(into hasher: inout Hasher) {
                hasher.combine(despite)
                hasher.combine(expiry)
                hasher.combine(validation)
                hasher.combine(tags)
            }
        }
    }

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

    /// Whether a response could change the ruling, so that it is worth asking again once one is known.
    public var looksAtResponse: Bool { compiled.looksAtResponse }

    /// The first verdict, or ``Verdict/followProtocol``.
    public func ruling(for exchange: Exchange) -> Ruling {
        if compiled.isEmpty { return Ruling(verdict: .followProtocol) }
        return compiled.ruling(for: exchange) ?? Ruling(verdict: .followProtocol)
    }
}
