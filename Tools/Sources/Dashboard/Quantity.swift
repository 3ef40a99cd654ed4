import HTTPCacheSemantics

/// Figures as text, rounded the same way in the page and in the terminal, whatever the locale.
enum Quantity {
    /// Stands where there is no figure.
    static let missing = "–"
    /// Eleven days in milliseconds: no visit takes so long, so a larger figure is none.
    private static let longest = 1e9

    /// Milliseconds below one second, else seconds with two decimals; below ten milliseconds with one decimal.
    static func milliseconds(_ value: Double?) -> String {
        guard let value, (0..<longest).contains(value) else { return missing }
        if value < 0.05 { return "0 ms" }
        if value < 9.95 { return fixed(value, decimals: 1) + " ms" }
        if value < 999.5 { return fixed(value, decimals: 0) + " ms" }
        return fixed(value / 1000, decimals: 2) + " s"
    }

    /// Milliseconds, and what runs differed by.
    static func milliseconds(_ value: Double?, spread: Double?) -> String {
        guard let spread, value != nil else { return milliseconds(value) }
        return "\(milliseconds(value)) ±\(fixed(spread, decimals: 0))"
    }

    /// As everywhere else: one decimal in decimal units, 1 kB is 1000 bytes.
    static func bytes(_ value: Int64) -> String {
        value >= 0 ? ByteCount(value).description : missing
    }

    static func count(_ value: Int?) -> String {
        value.map(String.init) ?? missing
    }

    /// A number with a fixed count of decimals and a point.
    static func fixed(_ value: Double, decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        guard let scaled = Int64(exactly: (value * scale).rounded()) else { return missing }
        guard decimals > 0 else { return String(scaled) }
        let divisor = Int64(scale)
        let fraction = String(scaled.magnitude % divisor.magnitude)
        let sign = scaled < 0 ? "-" : ""
        let zeros = String(repeating: "0", count: decimals - fraction.count)
        return "\(sign)\(scaled.magnitude / divisor.magnitude).\(zeros)\(fraction)"
    }
}
