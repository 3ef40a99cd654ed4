/// A duration for people: its two largest units, such as `3 d 4 h` or `12 min 5 s`.
public enum ReadableDuration {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
    ]

    public static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = seconds.magnitude
        guard total > 0 else { return attoseconds == 0 ? "0 s" : "less than a second" }
        // Years of seconds say less than what they stand for.
        if total >= 2_147_483_648 { return "68 years or more" }
        var rest = Int64(total)
        var parts: [String] = []
        for unit in units where parts.count < 2 {
            let count = rest / unit.seconds
            if count > 0 { parts.append("\(count) \(unit.name)") } else if !parts.isEmpty { break }
            rest -= count * unit.seconds
        }
        return (seconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}
