/// A number of bytes, so that no bare integer ever means a size.
public struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count; never negative for sizes, may be for differences.
    public var bytes: Int64

    /// A number of bytes.
    public init(_ bytes: Int64) {
        self.bytes = bytes
    }

    /// A number of bytes.
    package init(_ bytes: Int) {
        self.bytes = Int64(bytes)
    }

    /// No bytes.
    public static let zero = ByteCount(Int64(0))

    /// 1,024 bytes each.
    package static func kibibytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_024) }

    /// 1,048,576 bytes each.
    public static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_048_576) }

    /// Whether the left count is smaller.
    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    /// The sum, clamped to the range of 64 bits, like the difference.
    package static func + (left: ByteCount, right: ByteCount) -> ByteCount {
        let (sum, overflow) = left.bytes.addingReportingOverflow(right.bytes)
        return ByteCount(overflow ? (right.bytes < 0 ? Int64.min : .max) : sum)
    }

    package static func - (left: ByteCount, right: ByteCount) -> ByteCount {
        let (difference, overflow) = left.bytes.subtractingReportingOverflow(right.bytes)
        return ByteCount(overflow ? (right.bytes < 0 ? Int64.max : .min) : difference)
    }

    package static func += (left: inout ByteCount, right: ByteCount) { left = left + right }
    package static func -= (left: inout ByteCount, right: ByteCount) { left = left - right }

    /// In decimal units with one digit, for people: `982 B`, `12.3 kB`, `4.0 MB`. A sum that was too large for its
    /// number has a `>` before it.
    public var description: String {
        let size = bytes.magnitude
        // A count that has overflowed is the largest that there is, and really more.
        let sign = bytes < 0 ? "-" : bytes == .max ? "> " : ""
        guard size >= 1_000 else { return "\(sign)\(size) B" }
        for (unit, name) in [(1_000, "kB"), (1_000_000, "MB")] as [(UInt64, String)] {
            // A size that rounds up to 1,000 of one unit is 1 of the next.
            if Self.tenths(size, of: unit) < 10_000 { return sign + Self.text(Self.tenths(size, of: unit), name) }
        }
        return sign + Self.text(Self.tenths(size, of: 1_000_000_000), "GB")
    }

    private static func tenths(_ size: UInt64, of unit: UInt64) -> UInt64 {
        (size + unit / 20) / (unit / 10)
    }

    private static func text(_ tenths: UInt64, _ unit: String) -> String {
        "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
