/// A duration for people: its two largest units, such as `3 d 4 h` or `12 min 5 s`.
package enum ReadableDuration {
    private static let units: [(name: String, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1),
    ]

    /// Fifty years: a longer duration stands for no end.
    private static let ever = Duration.seconds(50 * 365 * 86_400)

    /// Whether it is longer than 50 years in either direction, and so stands for no end.
    package static func isForEver(_ duration: Duration) -> Bool { duration > ever || duration < .zero - ever }

    /// How long something lasts: `for 10 min`, or `for ever` beyond 50 years.
    ///
    /// - Parameter preposition: The word before a duration that ends.
    package static func lasting(_ duration: Duration, _ preposition: String = "for") -> String {
        duration > ever ? "for ever" : preposition + " " + text(duration)
    }

    /// An age or a length of time; `more than 50 years` beyond that.
    package static func text(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let total = seconds.magnitude
        guard total > 0 else { return attoseconds == 0 ? "0 s" : "less than a second" }
        if isForEver(duration) { return (seconds < 0 ? "-" : "") + "more than 50 years" }
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
