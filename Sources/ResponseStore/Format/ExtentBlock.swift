import HTTPCacheSemantics

/// Which part of a representation is stored, as bytes, the form in which the index keeps it.
///
/// Numbers of 8 bytes, little-endian: the complete length, or -1 where it is not known; then for each part its first
/// byte and the one after its last. A complete response has no block.
enum ExtentBlock {
    static func write(_ extent: ContentExtent) -> [UInt8]? {
        guard case .partial(let parts, let length) = extent else { return nil }
        let numbers = [length ?? -1] + parts.flatMap { [$0.lowerBound, $0.upperBound] }
        return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
    }

    /// - Parameter storedLength: How many bytes the parts must amount to.
    /// - Returns: `nil` when the bytes describe no such parts.
    static func read(_ bytes: [UInt8], storedLength: Int64) -> ContentExtent? {
        guard bytes.count >= 24, bytes.count % 16 == 8 else { return nil }
        let numbers = stride(from: 0, to: bytes.count, by: 8).map { start in
            (0..<8).reduce(Int64(0)) { $0 | Int64(bytes[start + $1]) << ($1 * 8) }
        }
        var parts: [Range<Int64>] = []
        var total: Int64 = 0
        for index in stride(from: 1, to: numbers.count, by: 2) {
            let (lower, upper) = (numbers[index], numbers[index + 1])
            guard lower >= 0, lower < upper, parts.last.map({ $0.upperBound < lower }) ?? true else { return nil }
            parts.append(lower..<upper)
            total += upper - lower
        }
        let length = numbers[0] < 0 ? nil : numbers[0]
        guard total == storedLength, let last = parts.last, last.upperBound <= length ?? .max else { return nil }
        return .partial(parts, completeLength: length)
    }
}
