/// Durations as text: `10m`, `7d`, `1h30m`, `1500ms`.
package enum DurationText {
    /// 2^31 seconds, the largest that "any practical freshness lifetime" needs (RFC 9111 §1.2.2).
    static let limit = Duration.seconds(2_147_483_648)
    /// Advice for error messages.
    package static let help = "write it like \"90s\", \"10m\", \"1h30m\" or \"7d\", at most 2147483648 seconds"

    /// From the largest to the smallest, in milliseconds.
    private static let units: [(name: String, length: Int64)] = [
        ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000), ("ms", 1),
    ]

    /// - Returns: `nil` unless every number is followed by a unit, the units get smaller, and the sum is within the
    ///   limit.
    package static func parse(_ text: String) -> Duration? {
        var rest = Substring(text).utf8[...]
        var (sum, nextUnit) = (Int64(0), 0)
        guard !rest.isEmpty else { return nil }
        while !rest.isEmpty {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            let letters = rest.dropFirst(digits.count).prefix { (0x61...0x7A).contains($0) }
            guard (1...13).contains(digits.count), let number = Int64(Substring(digits)),
                let unit = units[nextUnit...].firstIndex(where: { $0.name.utf8.elementsEqual(letters) })
            else { return nil }
            let (length, isTooLong) = number.multipliedReportingOverflow(by: units[unit].length)
            let (total, isTooMuch) = sum.addingReportingOverflow(length)
            if isTooLong || isTooMuch { return nil }
            sum = total
            nextUnit = unit + 1
            rest = rest.dropFirst(digits.count + letters.count)
        }
        return duration(milliseconds: sum)
    }

    /// - Parameter number: A JSON number; whole seconds.
    static func parse(number: String) -> Duration? {
        guard number.utf8.count <= 10, number.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let seconds = Int64(number)
        else { return nil }
        return duration(milliseconds: seconds * 1_000)
    }

    private static func duration(milliseconds: Int64) -> Duration? {
        let duration = Duration.milliseconds(milliseconds)
        return duration <= limit ? duration : nil
    }

    /// The canonical text, in days and smaller units.
    ///
    /// - Returns: `nil` if ``parse(_:)`` could not read it back: below zero, beyond the limit, or finer than a
    ///   millisecond.
    package static func print(_ duration: Duration) -> String? {
        guard duration >= .zero, duration <= limit else { return nil }
        let (seconds, attoseconds) = duration.components
        guard attoseconds % 1_000_000_000_000_000 == 0 else { return nil }
        var rest = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        if rest == 0 { return "0s" }
        var text = ""
        for (name, length) in units.dropFirst() where rest >= length {
            text += "\(rest / length)\(name)"
            rest %= length
        }
        return text
    }
}
