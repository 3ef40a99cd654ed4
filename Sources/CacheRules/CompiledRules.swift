/// The rules of a list, laid out so that most of them are rejected without evaluating their conditions.
///
/// A class, so that passing a list retains one reference; it is immutable.
final class CompiledRules: Sendable {
    let rules: [any CacheRule]
    let looksAtResponse: Bool
    /// The inputs of all conditions; rules of the app's own types do not name theirs.
    let inputs: Set<When.Input>
    let hasOwnTypes: Bool
    let isEmpty: Bool
    // Parallel arrays with one element for each rule: a rule that its prefilter rejects is not even copied.
    private let prefilters: [Prefilter]
    /// The range of a rule's conditions; `nil` for a rule of the app's own type, which gives its own verdict.
    private let spans: [Range<Int>?]
    private let decisions: [PolicyDecision?]
    /// Whether a rule has a condition on the network.
    private let areAboutNetwork: [Bool]
    /// The conditions of all rules in one array: an array for each would retain one more reference.
    private let conditions: [When]

    /// A rule that occurs twice counts once, at its first place: the second can't be reached.
    init(_ given: [any CacheRule]) {
        var known: Set<Rule> = []
        let rules = given.filter { rule in (rule as? Rule).map { known.insert($0).inserted } ?? true }
        self.rules = rules
        isEmpty = rules.isEmpty
        let written = rules.map { $0 as? Rule }
        prefilters = written.map { $0.map { Prefilter(all: $0.conditions) } ?? .open }
        decisions = written.map { $0?.decision }
        areAboutNetwork = written.map { $0?.conditions.inputs.contains(.network) ?? false }
        looksAtResponse = rules.contains { $0.looksAtResponse }
        inputs = written.reduce(into: []) { $0.formUnion($1?.conditions.inputs ?? []) }
        hasOwnTypes = written.contains { $0 == nil }
        var conditions: [When] = []
        spans = written.map { rule in
            guard let rule else { return nil }
            conditions += rule.conditions
            return conditions.count - rule.conditions.count..<conditions.count
        }
        self.conditions = conditions
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
        let there = subject.prefilter
        return prefilters.withUnsafeBufferPointer { prefilters in
            for place in start..<prefilters.count where prefilters[place].admits(there) {
                guard let span = spans[place] else { return place }
                if holds(span, subject) { return place }
            }
            return nil
        }
    }

    /// Whether all of these conditions hold. An unknown one counts as false.
    private func holds(_ span: Range<Int>, _ subject: borrowing Subject) -> Bool {
        var place = span.lowerBound
        while place < span.upperBound {
            if conditions[place].holds(subject) != .yes { return false }
            place += 1
        }
        return true
    }
}
