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

/// A set of names in 128 bits, as a Bloom filter (B. H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable
/// Errors", 1970): it may seem to contain a name that it lacks, never the other way round.
///
/// A name sets one bit in each of two words, so two sets meet by chance only if they do so in both words.
struct NameSet: Hashable, Sendable {
    private var first: UInt64
    private var second: UInt64

    static var empty: NameSet { NameSet(first: 0, second: 0) }
    /// Every name.
    static var all: NameSet { NameSet(first: .max, second: .max) }

    private init(first: UInt64, second: UInt64) {
        (self.first, self.second) = (first, second)
    }

    /// One name.
    init(_ name: some Sequence<UInt8>) {
        var hash = Hash()
        for byte in name { hash.add(byte) }
        self = hash.name
    }

    mutating func formUnion(_ other: NameSet) {
        first |= other.first
        second |= other.second
    }

    func isSubset(of other: NameSet) -> Bool { first & ~other.first == 0 && second & ~other.second == 0 }

    /// Whether another set may contain one of these names. Every name meets every set, even the empty one.
    func meets(_ there: NameSet) -> Bool {
        first == .max || first & there.first != 0 && second & there.second != 0
    }

    /// One of the names that must all be present: one bit in each word. Every name if the set is empty.
    var representative: NameSet {
        self == .empty ? .all : NameSet(first: first & (~first + 1), second: second & (~second + 1))
    }

    /// FNV-1a of one name.
    struct Hash {
        private var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

        var name: NameSet {
            let mixed = (value ^ (value >> 32)) &* 0x9E37_79B9_7F4A_7C15
            return NameSet(first: 1 << (mixed >> 58), second: 1 << (mixed >> 52 & 63))
        }
    }
}
