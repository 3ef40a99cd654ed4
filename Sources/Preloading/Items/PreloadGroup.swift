/// How soon something is needed. The order is that of fetching.
public enum PreloadGroup: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Every page needs it.
    case boot
    /// Some pages need it.
    case page
    /// It may be needed.
    case lazy

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Groups in the order in which they are fetched.
    public static func < (one: Self, other: Self) -> Bool { one.rank < other.rank }

    /// The urgency in `Priority`, RFC 9218 §4.1, where a browser's own requests have 0 to 4: "The background urgency level
    /// (7) is used for delivery of resources that have no impact on page loading".
    var urgency: Int { rank + 5 }
}
