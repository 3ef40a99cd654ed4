import HTTPCacheSemantics

/// One scenario: a sentence of a standard as requests, what the origin would say, and what must hold.
struct Row: Sendable, CustomStringConvertible {
    /// In which kinds of cache the row holds.
    enum Kinds: Sendable {
        case both, privateOnly, sharedOnly

        func includes(_ kind: CacheKind) -> Bool {
            switch self {
            case .both: true
            case .privateOnly: kind == .private
            case .sharedOnly: kind == .shared
            }
        }
    }

    /// The standard and the section that decide.
    var citation: String
    /// What is guaranteed.
    var name: String
    var kinds: Kinds
    /// What the engine must be able to do before the row can hold.
    var needs: Feature?
    /// Whether the row changes what other rows see, so that it runs only beside copies of itself.
    var isAlone: Bool
    var steps: [Step]

    init(
        _ citation: String, _ name: String, in kinds: Kinds = .both, needs: Feature? = nil, alone: Bool = false,
        _ steps: Step...
    ) {
        self.init(citation, name, in: kinds, needs: needs, alone: alone, steps: steps)
    }

    init(
        _ citation: String, _ name: String, in kinds: Kinds = .both, needs: Feature? = nil, alone: Bool = false,
        steps: [Step]
    ) {
        self.citation = citation
        self.name = name
        self.kinds = kinds
        self.needs = needs
        isAlone = alone
        self.steps = steps
    }

    var description: String { "\(citation) · \(name)" }

    /// Whether time passes while the origin answers, which no other row may notice.
    var takesTime: Bool { steps.contains { $0.takes > 0 } }

    var isMissing: Bool { needs?.isMissing ?? false }
}
