/// A small DEFLATE compressor (RFC 1951) in a zlib wrapper (RFC 1950): one dynamic Huffman block, greedy matching.
///
/// It favours brevity over ratio. The pictures of the sample site need nothing better.
enum Deflate {
    /// A zlib stream of the bytes.
    static func zlib(_ bytes: [UInt8]) -> [UInt8] {
        let tokens = Self.tokens(bytes)
        var literalCounts = [Int](repeating: 0, count: 286)
        var distanceCounts = [Int](repeating: 0, count: 30)
        literalCounts[256] = 1
        for token in tokens {
            if token.distance == 0 {
                literalCounts[Int(token.value)] += 1
            } else {
                literalCounts[257 + Self.slot(Int(token.value), in: lengthBases)] += 1
                distanceCounts[Self.slot(Int(token.distance), in: distanceBases)] += 1
            }
        }
        // Two codes at least, so that the code is complete, which decoders insist on.
        for index in 0..<2 where distanceCounts[index] == 0 { distanceCounts[index] = 1 }
        let literals = HuffmanCode(counts: literalCounts)
        let distances = HuffmanCode(counts: distanceCounts)
        var bits = BitWriter(bytes: [0x78, 0x9C])
        bits.write(1, 1)  // the last block
        bits.write(2, 2)  // with dynamic codes
        Self.writeHeader(literals, distances, to: &bits)
        for token in tokens {
            guard token.distance > 0 else {
                literals.write(Int(token.value), to: &bits)
                continue
            }
            let length = Self.slot(Int(token.value), in: lengthBases)
            literals.write(257 + length, to: &bits)
            bits.write(Int(token.value) - lengthBases[length], lengthExtras[length])
            let distance = Self.slot(Int(token.distance), in: distanceBases)
            distances.write(distance, to: &bits)
            bits.write(Int(token.distance) - distanceBases[distance], distanceExtras[distance])
        }
        literals.write(256, to: &bits)
        var output = bits.finish()
        let sum = Self.adler32(bytes)
        for shift in [24, 16, 8, 0] { output.append(UInt8(truncatingIfNeeded: sum >> UInt32(shift))) }
        return output
    }

    /// A literal byte (`distance` zero) or a match of `value` bytes from `distance` bytes back.
    private struct Token {
        var value: UInt16
        var distance: UInt16
    }

    private static func tokens(_ bytes: [UInt8]) -> [Token] {
        var tokens: [Token] = []
        tokens.reserveCapacity(bytes.count)
        var last = [Int32](repeating: -1, count: 1 << 15)
        bytes.withUnsafeBufferPointer { bytes in
            last.withUnsafeMutableBufferPointer { last in
                var index = 0
                while index < bytes.count {
                    var length = 0
                    var distance = 0
                    if index + 4 <= bytes.count {
                        let word =
                            UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
                            | UInt32(bytes[index + 3]) << 24
                        let bucket = Int((word &* 0x9E37_79B1) >> 17)
                        let candidate = Int(last[bucket])
                        last[bucket] = Int32(index)
                        if candidate >= 0, index - candidate <= 32_768 {
                            let limit = min(258, bytes.count - index)
                            while length < limit, bytes[candidate + length] == bytes[index + length] { length += 1 }
                            distance = index - candidate
                        }
                    }
                    if length >= 4 {
                        // 32,768 is stored as is: it fits sixteen bits.
                        tokens.append(Token(value: UInt16(length), distance: UInt16(distance)))
                        index += length
                    } else {
                        tokens.append(Token(value: UInt16(bytes[index]), distance: 0))
                        index += 1
                    }
                }
            }
        }
        return tokens
    }

    /// The code lengths, RFC 1951 §3.2.7, without its run symbols.
    private static func writeHeader(_ literals: HuffmanCode, _ distances: HuffmanCode, to bits: inout BitWriter) {
        let order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
        var counts = [Int](repeating: 0, count: 19)
        for length in literals.lengths + distances.lengths { counts[length] += 1 }
        let lengths = HuffmanCode(counts: counts, limit: 7)
        bits.write(286 - 257, 5)
        bits.write(30 - 1, 5)
        bits.write(19 - 4, 4)
        for symbol in order { bits.write(lengths.lengths[symbol], 3) }
        for length in literals.lengths + distances.lengths { lengths.write(length, to: &bits) }
    }

    private static func slot(_ value: Int, in bases: [Int]) -> Int {
        var (low, high) = (0, bases.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if bases[middle] <= value { low = middle } else { high = middle - 1 }
        }
        return low
    }

    private static func adler32(_ bytes: [UInt8]) -> UInt32 {
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    // The tables of RFC 1951 §3.2.5, computed from their rule.
    private static let lengthExtras: [Int] = (0..<29).map { $0 < 8 || $0 == 28 ? 0 : $0 / 4 - 1 }
    private static let lengthBases: [Int] = {
        var (bases, next) = ([Int](), 3)
        for slot in 0..<28 {
            bases.append(next)
            next += 1 << lengthExtras[slot]
        }
        return bases + [258]
    }()
    private static let distanceExtras: [Int] = (0..<30).map { $0 < 4 ? 0 : $0 / 2 - 1 }
    private static let distanceBases: [Int] = {
        var (bases, next) = ([Int](), 1)
        for slot in 0..<30 {
            bases.append(next)
            next += 1 << distanceExtras[slot]
        }
        return bases
    }()
}
