import HTTPCacheSemantics

/// The stored extent as bytes.
///
/// Numbers of 8 bytes, little-endian: the complete length, or -1 if it is unknown; then for each part, in the order of
/// the stored content, the offset of its first byte and of the byte after its last. A complete response has no block.
enum ExtentBlock {
    static func write(_ extent: ContentExtent) -> [UInt8]? {
        guard case .partial(let parts, let length) = extent else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 + parts.count * 16)
        bytes.append(number: length ?? -1)
        for part in parts {
            bytes.append(number: part.lowerBound)
            bytes.append(number: part.upperBound)
        }
        return bytes
    }

    /// - Parameter storedLength: The sum of the lengths of the parts.
    /// - Returns: `nil` if the bytes are invalid.
    static func read(_ bytes: [UInt8], storedLength: Int64) -> ContentExtent? {
        guard bytes.count >= 24, bytes.count % 16 == 8 else { return nil }
        var numbers: [Int64] = []
        numbers.reserveCapacity(bytes.count / 8)
        bytes.withUnsafeBytes { block in
            var reader = BlockReader(block)
            while let number = reader.number(Int64.self) { numbers.append(number) }
        }
        var parts: [Range<Int64>] = []
        var left = storedLength
        for index in stride(from: 1, to: numbers.count, by: 2) {
            let (lower, upper) = (numbers[index], numbers[index + 1])
            guard lower >= 0, lower < upper, upper - lower <= left else { return nil }
            parts.append(lower..<upper)
            left -= upper - lower
        }
        let length = numbers[0] < 0 ? nil : numbers[0]
        let inOrder = parts.sorted { $0.lowerBound < $1.lowerBound }
        let areApart = zip(inOrder, inOrder.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
        guard left == 0, areApart, let last = inOrder.last, last.upperBound <= length ?? .max else { return nil }
        return .partial(parts, completeLength: length)
    }
}
