/// A verdict and the rule that gave it.
public struct PolicyDecision: Hashable, Sendable {
    public var verdict: Verdict
    /// The name of the winning rule; `nil` if no rule had a verdict and the protocol decides.
    public var rule: String?
    /// Further settings of the rule; `nil` if there are none, so that most decisions retain no reference.
    private var details: Details?
    /// Whether the verdict relies on a content hash in the name, so that the engine compares the content.
    package var restsOnHashedName = false

    public init(
        verdict: Verdict, rule: String?, ignoring: Set<OverridableDirective> = [], expiry: Duration? = nil,
        validation: ValidationMethod = .get, tags: [String] = [], restsOnHashedName: Bool = false
    ) {
        self.restsOnHashedName = restsOnHashedName
        self.verdict = verdict
        self.rule = rule
        let isPlain = ignoring.isEmpty && expiry == nil && validation == .get && tags.isEmpty
        details =
            isPlain ? nil : Details(ignoring: ignoring, expiry: expiry, validation: validation, tags: tags)
    }

    /// See ``Rule/ignoring``.
    public var ignoring: Set<OverridableDirective> { details?.ignoring ?? [] }
    /// See ``Rule/expiry``.
    public var expiry: Duration? { details?.expiry }
    /// See ``Rule/validation``.
    public var validation: ValidationMethod { details?.validation ?? .get }
    /// See ``Rule/tags``.
    public var tags: [String] { details?.tags ?? [] }

    init(verdict: Verdict) {
        self.verdict = verdict
    }

    private final class Details: Hashable, Sendable {
        let ignoring: Set<OverridableDirective>
        let expiry: Duration?
        let validation: ValidationMethod
        let tags: [String]

        init(ignoring: Set<OverridableDirective>, expiry: Duration?, validation: ValidationMethod, tags: [String]) {
            self.ignoring = ignoring
            self.expiry = expiry
            self.validation = validation
            self.tags = tags
        }

        static func == (one: Details, other: Details) -> Bool {
            one.ignoring == other.ignoring && one.expiry == other.expiry && one.validation == other.validation
                && one.tags == other.tags
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ignoring)
            hasher.combine(expiry)
            hasher.combine(validation)
            hasher.combine(tags)
        }
    }
}
