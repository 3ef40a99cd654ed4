/// The rules of a list, laid out so that most of them are rejected without being looked at.
///
/// A class, so that a list costs one reference to pass around; nothing in it changes.
final class CompiledRules: Sendable {
    let rules: [any CacheRule]
    let looksAtResponse: Bool
    let isEmpty: Bool
    // As many of each as there are rules, side by side: a rule that its gate rejects is not even copied.
    private let gates: [Gate]
    /// Where a rule's conditions are; `nil` for a rule of the app's own type, which is asked itself.
    private let spans: [Range<Int>?]
    private let decisions: [PolicyDecision?]
    /// Whether a rule holds only in some states of the network.
    private let areAboutNetwork: [Bool]
    /// Of all rules, in one array: an array for each would be one more reference to count.
    private let conditions: [When]

    /// What comes twice counts once, where it comes first: the second can't be reached.
    init(_ given: [any CacheRule]) {
        var known: Set<Rule> = []
        let rules = given.filter { rule in (rule as? Rule).map { known.insert($0).inserted } ?? true }
        self.rules = rules
        isEmpty = rules.isEmpty
        let written = rules.map { $0 as? Rule }
        gates = written.map { $0.map { Gate(all: $0.conditions) } ?? .open }
        decisions = written.map { $0?.decision }
        areAboutNetwork = written.map { $0?.conditions.contains { $0.looksAtNetwork } ?? false }
        looksAtResponse = rules.contains { $0.looksAtResponse }
        var conditions: [When] = []
        spans = written.map { rule in
            guard let rule else { return nil }
            conditions += rule.conditions
            return conditions.count - rule.conditions.count..<conditions.count
        }
        self.conditions = conditions
    }

    /// The first verdict. What is never stored is not stored, nor served, because of the state of the network either: where
    /// the winner is a rule about that, and but for such rules the first verdict were `never-store`, it is that.
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

    /// The first rule from a place on that has a verdict.
    private func decided(_ exchange: Exchange, from start: Int) -> (place: Int, decision: PolicyDecision)? {
        var start = start
        while let place = Subject.with(exchange, { candidate(from: start, $0) }) {
            if let decision = decisions[place] ?? rules[place].decision(for: exchange) { return (place, decision) }
            start = place + 1
        }
        return nil
    }

    /// The next rule that holds, or that has to be asked itself.
    private func candidate(from start: Int, _ subject: borrowing Subject) -> Int? {
        let there = subject.gate
        return gates.withUnsafeBufferPointer { gates in
            for place in start..<gates.count where gates[place].admits(there) {
                guard let span = spans[place] else { return place }
                if holds(span, subject) { return place }
            }
            return nil
        }
    }

    /// Whether all of these conditions hold. One that can't be told yet decides as one that does not.
    private func holds(_ span: Range<Int>, _ subject: borrowing Subject) -> Bool {
        var place = span.lowerBound
        while place < span.upperBound {
            if conditions[place].holds(subject) != .yes { return false }
            place += 1
        }
        return true
    }
}
