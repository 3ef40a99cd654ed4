/// Outcomes as marks: always a name in words, the colour only repeats it.
enum HTMLOutcomes {
    private static func name(_ outcome: String) -> String {
        outcome.shortened(to: OutcomeKind.longestName).escapedForHTML
    }

    static func badge(_ outcome: String) -> String {
        "<span class=\"badge \(OutcomeKind.styleClass(of: outcome))\">\(name(outcome))</span>"
    }

    /// The proportions, for the eye only; ``list(_:)`` says them in words.
    static func bar(_ counts: [(outcome: String, count: Int)]) -> String {
        let parts = counts.map {
            "<i class=\"\(OutcomeKind.styleClass(of: $0.outcome))\" style=\"--n:\($0.count)\"></i>"
        }
        return "<span class=\"mix\" aria-hidden=\"true\">\(parts.joined())</span>"
    }

    static func list(_ counts: [(outcome: String, count: Int)]) -> String {
        let parts = counts.map { outcome, count in
            """
            <span class="badge \(OutcomeKind.styleClass(of: outcome))"><b>\(count)</b> \(name(outcome))</span>
            """
        }
        return "<span class=\"badges\">\(parts.joined(separator: " "))</span>"
    }
}
