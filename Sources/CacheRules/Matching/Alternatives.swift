/// Patterns of which one has to fit, and beside each the names that an exchange must then have, so that those that can't
/// fit cost a comparison of numbers and no counting of references.
struct Alternatives<Pattern: Hashable & Sendable>: Hashable, Sendable {
    /// In one array, which is one reference to count.
    private let entries: [(names: NameSet, pattern: Pattern)]

    /// - Parameter names: Of a pattern; empty where nothing is known.
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

    /// What stands for each; every name where nothing is known about one of them. Empty where there are none.
    var union: NameSet {
        var union = NameSet.empty
        for entry in entries { union.formUnion(entry.names.representative) }
        return union
    }

    static func == (one: Self, other: Self) -> Bool { one.patterns == other.patterns }
    func hash(into hasher: inout Hasher) { hasher.combine(patterns) }
}

/// Conditions of which one has to hold, each behind its gate.
struct AnyOf: Hashable, Sendable {
    let conditions: [When]
    let gates: [Gate]

    init(_ conditions: [When]) {
        self.conditions = conditions
        gates = conditions.map { Gate(all: [$0]) }
    }

    /// Without a response, conditions on one are asked all the same: that they are not decided is an answer too.
    func holds(_ subject: borrowing Subject) -> When.Truth {
        var (truth, place) = (When.Truth.no, 0)
        while place < gates.count {
            if gates[place].admitsInTheEnd(subject.gate) {
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
