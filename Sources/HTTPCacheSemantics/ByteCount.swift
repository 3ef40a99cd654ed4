/// A number of bytes, so that no bare integer ever means a size.
public struct ByteCount: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The count; never negative for sizes, may be for differences.
    public var bytes: Int64

    public init(_ bytes: Int64) {
        self.bytes = bytes
    }

    public init(_ bytes: Int) {
        self.bytes = Int64(bytes)
    }

    public static let zero = ByteCount(Int64(0))

    /// 1,024 bytes each.
    public static func kibibytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_024) }

    /// 1,048,576 bytes each.
    public static func mebibytes(_ count: Int64) -> ByteCount { ByteCount(count * 1_048_576) }

    public static func < (left: ByteCount, right: ByteCount) -> Bool { left.bytes < right.bytes }
    public static func + (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes + right.bytes) }
    public static func - (left: ByteCount, right: ByteCount) -> ByteCount { ByteCount(left.bytes - right.bytes) }
    public static func += (left: inout ByteCount, right: ByteCount) { left.bytes += right.bytes }
    public static func -= (left: inout ByteCount, right: ByteCount) { left.bytes -= right.bytes }

    /// In decimal units with one digit, for people: `982 B`, `12.3 kB`, `4.0 MB`.
    public var description: String {
        func scaled(_ unit: Int64, _ name: String) -> String {
            let tenths = (bytes * 10 + unit / 2) / unit
            return "\(tenths / 10).\(abs(tenths % 10)) \(name)"
        }
        switch abs(bytes) {
        case ..<1_000: return "\(bytes) B"
        case ..<1_000_000: return scaled(1_000, "kB")
        case ..<1_000_000_000: return scaled(1_000_000, "MB")
        default: return scaled(1_000_000_000, "GB")
        }
    }
}
