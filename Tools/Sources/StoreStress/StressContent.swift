import CacheTesting

/// A body that can be told from every other, byte for byte, by its number alone.
///
/// Blocks of 4 KiB that differ from one content to the next, each with its own number in its first eight bytes: a body
/// of which one block is missing, doubled or another's is not equal to the one that its number demands.
package struct StressContent: Hashable, Sendable {
    package static let blockLength = 4_096
    /// Contents below this number are drawn by many keys, so that equal bodies are shared.
    package static let sharedNumbers: UInt64 = 16

    package var number: UInt64
    package var limit: Int

    /// - Parameter limit: No content is longer; lengths around it come up more often than chance has it.
    package init(_ number: UInt64, limit: Int) {
        self.number = number
        self.limit = limit
    }

    /// Log-normal around 6 KiB; every hundredth is empty or as long as the limit allows.
    package var length: Int {
        if let parts = StressParts(number) {
            guard case .partial(let ranges, _) = parts.extent else { return parts.length }
            return ranges.reduce(0) { $0 + $1.count }
        }
        var random = SplitMix64(seed: number &* 0x2545_F491_4F6C_DD1D)
        switch random.next() % 200 {
        case 0, 1: return 0
        case 2: return limit
        default: break
        }
        // The sum of twelve is as good as normal here.
        let normal = (0..<12).reduce(0.0) { sum, _ in sum + Double(random.next() >> 11) / 9_007_199_254_740_992 } - 6
        return min(limit, Int(6_144 * power(normal * 1.8)))
    }

    /// e to the power of a number, without a library: the lengths have to be the same everywhere.
    private func power(_ exponent: Double) -> Double {
        var base = 1 + exponent / 1_024
        for _ in 0..<10 { base *= base }
        return base
    }

    package var bytes: [UInt8] {
        StressParts(number).map { $0.stored(of: Self.bytes($0.base, $0.length)) } ?? Self.bytes(number, length)
    }

    /// All bytes of a content, however many of them are stored.
    static func bytes(_ number: UInt64, _ length: Int) -> [UInt8] {
        var random = SplitMix64(seed: number)
        let block = (0..<Self.blockLength / 8).map { _ in random.next() }
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
            block.withUnsafeBytes { block in
                for start in stride(from: 0, to: length, by: Self.blockLength) {
                    let count = min(Self.blockLength, length - start)
                    let part = UnsafeMutableRawBufferPointer(
                        rebasing: UnsafeMutableRawBufferPointer(buffer)[start..<start + count])
                    part.copyMemory(from: UnsafeRawBufferPointer(rebasing: block[..<count]))
                    if count >= 8 { part.storeBytes(of: UInt64(start / Self.blockLength), as: UInt64.self) }
                }
            }
            filled = length
        }
    }
}
