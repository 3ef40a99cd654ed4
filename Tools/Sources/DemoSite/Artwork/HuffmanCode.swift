/// A canonical Huffman code, as DEFLATE numbers it. RFC 1951 §3.2.2.
struct HuffmanCode {
    /// Bits of each symbol's code; zero for a symbol that does not occur.
    let lengths: [Int]
    /// The codes, first bit lowest, as they are written.
    private let codes: [Int]

    /// Builds the code for symbols that occur this often.
    ///
    /// - Parameters:
    ///   - counts: Occurrences by symbol; at least one is above zero.
    ///   - limit: The longest code allowed. Counts are flattened until it holds.
    init(counts: [Int], limit: Int = 15) {
        var counts = counts
        var lengths = Self.lengths(counts)
        while let longest = lengths.max(), longest > limit {
            for symbol in counts.indices where counts[symbol] > 0 { counts[symbol] = counts[symbol] / 2 + 1 }
            lengths = Self.lengths(counts)
        }
        var codes = [Int](repeating: 0, count: lengths.count)
        var starts = Self.starts(lengths, limit: limit)
        for symbol in lengths.indices where lengths[symbol] > 0 {
            codes[symbol] = Self.reversed(starts[lengths[symbol]], bits: lengths[symbol])
            starts[lengths[symbol]] += 1
        }
        self.lengths = lengths
        self.codes = codes
    }

    /// Writes a symbol's code.
    func write(_ symbol: Int, to bits: inout BitWriter) {
        bits.write(codes[symbol], lengths[symbol])
    }

    /// The first code of each length, RFC 1951 §3.2.2 step 2.
    private static func starts(_ lengths: [Int], limit: Int) -> [Int] {
        var starts = [Int](repeating: 0, count: limit + 1)
        var code = 0
        for length in 1...limit {
            let shorter = lengths.count { $0 == length - 1 && $0 > 0 }
            code = (code + shorter) << 1
            starts[length] = code
        }
        return starts
    }

    /// Optimal lengths by repeatedly joining the two rarest trees.
    private static func lengths(_ counts: [Int]) -> [Int] {
        var trees = counts.indices.filter { counts[$0] > 0 }.map { (count: counts[$0], symbols: [$0]) }
        var lengths = [Int](repeating: 0, count: counts.count)
        if trees.count == 1 { lengths[trees[0].symbols[0]] = 1 }
        trees.sort { $0.count > $1.count }
        while trees.count > 1 {
            let (rarest, second) = (trees.removeLast(), trees.removeLast())
            let joined = (count: rarest.count + second.count, symbols: rarest.symbols + second.symbols)
            for symbol in joined.symbols { lengths[symbol] += 1 }
            var place = trees.count
            while place > 0, trees[place - 1].count < joined.count { place -= 1 }
            trees.insert(joined, at: place)
        }
        return lengths
    }

    private static func reversed(_ code: Int, bits: Int) -> Int {
        var (rest, result) = (code, 0)
        for _ in 0..<bits {
            result = result << 1 | rest & 1
            rest >>= 1
        }
        return result
    }
}
