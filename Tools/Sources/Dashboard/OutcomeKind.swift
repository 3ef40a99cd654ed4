/// The outcomes that the report knows, in the order in which it lists them: the store's answers, then the origin's.
///
/// The names are those in ``VisitRecord/outcomes``. Any other name is shown as it is, after these.
package enum OutcomeKind: String, CaseIterable {
    case hit
    case staleHit = "stale-hit"
    case validated
    case collapsed
    case stored
    case forwarded
    case failed

    /// As everywhere where people read it.
    package var words: String {
        switch self {
        case .hit: "stored"
        case .staleHit: "stored, stale"
        case .validated: "stored, confirmed"
        case .collapsed: "shared"
        case .stored: "fetched, stored"
        case .forwarded: "fetched, not stored"
        case .failed: "failed"
        }
    }

    /// The text in the legend.
    var meaning: String {
        switch self {
        case .hit: "from the store, the origin was not asked"
        case .staleHit: "from the store, although stale"
        case .validated: "from the store, after the origin confirmed it with 304"
        case .collapsed: "from another request’s response, while it arrived"
        case .stored: "from the origin, and stored"
        case .forwarded: "from the origin, and not stored"
        case .failed: "answered with an error by Larder itself"
        }
    }

    /// Longer than any of ours, in characters; a foreign name must not widen a column.
    static let longestName = 24

    /// The style class of an outcome's name: one of ours, never text from outside.
    static func styleClass(of outcome: String) -> String {
        OutcomeKind(rawValue: outcome).map { "o-\($0.rawValue)" } ?? "o-other"
    }

    /// The outcomes that occurred, known ones first.
    static func ordered(_ counts: [String: Int]) -> [(outcome: String, count: Int)] {
        let known = allCases.map(\.rawValue)
        let others = counts.keys.filter { OutcomeKind(rawValue: $0) == nil }.sorted()
        return (known + others).compactMap { outcome in
            guard let count = counts[outcome], count > 0 else { return nil }
            return (outcome, count)
        }
    }

    /// `41 hit, 1 validated`; `nil` where nothing was counted.
    static func sentence(_ counts: [String: Int]) -> String? {
        let parts = ordered(counts).map { "\($0.count) \($0.outcome.shortened(to: longestName))" }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
