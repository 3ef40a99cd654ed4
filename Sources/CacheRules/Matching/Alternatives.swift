/// Patterns of which one has to match, and for each the names that an exchange must then have, so that rejecting a
/// pattern takes a comparison of numbers and retains no reference.
struct Alternatives<Pattern: Hashable & Sendable>: Hashable, Sendable {
    /// In one array, so that only one reference is retained.
    private let entries: [(names: NameSet, pattern: Pattern)]

    /// - Parameter names: The names that a pattern requires; empty if it requires none.
    init(_ patterns: [Pattern], names: (Pattern) -> NameSet) {
        entries = patterns.map { (names($0), $0) }
    }

    var patterns: [Pattern] { entries.map(\.pattern) }

    /// - Parameter there: The names of the exchange.
    func contains(among there: NameSet, where fits: (Pattern) -> Bool) -> Bool {
        var place = 0
        while place < entries.count {
            if entries[place].names.isSubset(of: there), fits(entries[place].pattern) { return true }
            place += 1
        }
        return false
    }

    /// The representatives of all patterns; every name if one of them requires none. Empty without patterns.
    var union: NameSet {
        var union = NameSet.empty
        for entry in entries { union.formUnion(entry.names.representative) }
        return union
    }

    static func == (one: Self, other: Self) -> Bool { one.patterns == other.patterns }
    func hash(into hasher: inout Hasher) { hasher.combine(patterns) }
}

/// Conditions of which one has to hold, each with its prefilter.
struct AnyOf: Hashable, Sendable {
    let conditions: [When]
    let prefilters: [Prefilter]

    init(_ conditions: [When]) {
        self.conditions = conditions
        prefilters = conditions.map { Prefilter(all: [$0]) }
    }

    /// Without a response, conditions on one are evaluated all the same, because their result is then unknown, not
    /// false.
    func holds(_ subject: borrowing Subject) -> When.Truth {
        var (truth, place) = (When.Truth.no, 0)
        while place < prefilters.count {
            if prefilters[place].admitsInTheEnd(subject.prefilter) {
                switch conditions[place].holds(subject) {
                case .yes: return .yes
                case .unknown: truth = .unknown
                case .no: break
                }
            }
            place += 1
        }
        return truth
    }

    static func == (one: Self, other: Self) -> Bool { one.conditions == other.conditions }
    func hash(into hasher: inout Hasher) { hasher.combine(conditions) }
}
