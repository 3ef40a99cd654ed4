/// Outcomes as marks: always a name in words, the colour only repeats it.
enum HTMLOutcomes {
    /// Any name that is not ours is shown as it is.
    static func words(_ outcome: String) -> String {
        OutcomeKind(rawValue: outcome)?.words ?? outcome.shortened(to: OutcomeKind.longestName).escapedForHTML
    }

    static func badge(_ outcome: String) -> String {
        "<span class=\"badge \(OutcomeKind.styleClass(of: outcome))\">\(words(outcome))</span>"
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
            <span class="badge \(OutcomeKind.styleClass(of: outcome))"><b>\(count)</b> \(words(outcome))</span>
            """
        }
        return "<span class=\"badges\">\(parts.joined(separator: " "))</span>"
    }
}
