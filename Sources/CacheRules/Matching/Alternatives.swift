/// Patterns of which one has to fit, and beside each the bits that the gate of an exchange must then have, so that
/// those that can't fit cost a comparison of numbers and no counting of references.
struct Alternatives<Pattern: Hashable & Sendable>: Hashable, Sendable {
    let patterns: [Pattern]
    /// Zero where nothing is known.
    let bits: [UInt64]

    init(_ patterns: [Pattern], bits: (Pattern) -> UInt64) {
        self.patterns = patterns
        self.bits = patterns.map(bits)
    }

    /// - Parameter there: The bits of the exchange.
    func contains(among there: UInt64, where fits: (Pattern) -> Bool) -> Bool {
        var place = 0
        while place < bits.count {
            if bits[place] & there == bits[place], fits(patterns[place]) { return true }
            place += 1
        }
        return false
    }

    /// One bit of each; all where nothing is known about one of them. Empty where there are none.
    var union: UInt64 { bits.reduce(0) { $0 | ($1 == 0 ? .max : $1 & (~$1 + 1)) } }

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

    func holds(_ subject: borrowing Subject) -> When.Truth {
        var (truth, place) = (When.Truth.no, 0)
        while place < gates.count {
            if gates[place].admits(subject.gate) {
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
