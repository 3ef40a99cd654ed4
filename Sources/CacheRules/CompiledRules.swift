/// The rules of a list, and what is asked of them often.
///
/// A class, so that passing a list retains one reference; it is immutable.
final class CompiledRules: Sendable {
    let rules: [any CacheRule]
    let looksAtResponse: Bool
    /// The inputs of all conditions; rules of the app's own types do not name theirs.
    let inputs: Set<When.Input>
    let hasOwnTypes: Bool
    let isEmpty: Bool
    /// The conditions of each rule; `nil` for one of the app's own type, which gives its own verdict.
    private let conditions: [[When]?]
    private let decisions: [PolicyDecision?]
    /// Whether a rule has a condition on the network.
    private let areAboutNetwork: [Bool]

    /// A rule that occurs twice counts once, at its first place: the second can't be reached.
    init(_ given: [any CacheRule]) {
        var known: Set<Rule> = []
        let rules = given.filter { rule in (rule as? Rule).map { known.insert($0).inserted } ?? true }
        self.rules = rules
        isEmpty = rules.isEmpty
        let written = rules.map { $0 as? Rule }
        conditions = written.map { $0?.conditions }
        decisions = written.map { $0?.decision }
        areAboutNetwork = written.map { $0?.conditions.inputs.contains(.network) ?? false }
        looksAtResponse = rules.contains { $0.looksAtResponse }
        inputs = written.reduce(into: []) { $0.formUnion($1?.conditions.inputs ?? []) }
        hasOwnTypes = written.contains { $0 == nil }
    }

    /// The first verdict. The state of the network does not override `never-store`: where the first rules with a
    /// verdict are about the network, and one of them or the rule behind them says `never-store`, that one wins.
    func decision(for exchange: Exchange) -> PolicyDecision? {
        guard let first = decided(exchange, from: 0) else { return nil }
        guard areAboutNetwork[first.place], first.decision.verdict != .neverStore else { return first.decision }
        var place = first.place
        while let next = decided(exchange, from: place + 1) {
            if next.decision.verdict == .neverStore { return next.decision }
            if !areAboutNetwork[next.place] { break }
            place = next.place
        }
        return first.decision
    }

    /// The first rule with a verdict, from an index on.
    private func decided(_ exchange: Exchange, from start: Int) -> (place: Int, decision: PolicyDecision)? {
        var start = start
        while let place = Subject.with(exchange, { candidate(from: start, $0) }) {
            if let decision = decisions[place] ?? rules[place].decision(for: exchange) { return (place, decision) }
            start = place + 1
        }
        return nil
    }

    /// The next rule that holds, or that gives its own verdict.
    private func candidate(from start: Int, _ subject: borrowing Subject) -> Int? {
        for place in start..<rules.count {
            guard let conditions = conditions[place] else { return place }
            if When.all(conditions, subject) == .yes { return place }
        }
        return nil
    }
}
