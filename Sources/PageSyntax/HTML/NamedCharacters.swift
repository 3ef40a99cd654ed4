/// The named character references, sorted by the bytes of their names.
struct NamedCharacters: Sendable {
    static let shared = NamedCharacters()

    /// All names, one behind the other; most with their semicolon.
    private var names: [UInt8] = []
    /// Where each name begins, and where the last one ends.
    private var starts: [Int32] = [0]
    /// What each stands for, as UTF-8.
    private var characters: [[UInt8]] = []

    private init() {
        let source = UnsafeBufferPointer(start: Self.source.utf8Start, count: Self.source.utf8CodeUnitCount)
        var rows: [(name: [UInt8], characters: [UInt8])] = []
        for row in source.split(whereSeparator: \.isSpace) {
            let parts = row.split(separator: 0x3D)
            guard parts.count == 2 else { continue }
            let scalars = parts[1].split(separator: 0x2B).compactMap { digits in
                Unicode.Scalar(digits.reduce(0) { $0 << 4 | $1.hexValue })
            }
            let utf8 = scalars.flatMap { Array(Unicode.UTF8.encode($0) ?? .init()) }
            let isLegacy = parts[0].first == 0x2E
            let name = Array(parts[0].dropFirst(isLegacy ? 1 : 0))
            if isLegacy { rows.append((name, utf8)) }
            rows.append((name + [0x3B], utf8))
        }
        rows.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for row in rows {
            names += row.name
            starts.append(Int32(names.count))
            characters.append(row.characters)
        }
    }

    /// The longest name that the bytes from `start` on begin with.
    ///
    /// - Parameter start: Behind the ampersand.
    func longestMatch(
        in bytes: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> (length: Int, characters: [UInt8])? {
        var candidates = 0..<characters.count
        var best: (Int, Int)?
        var depth = 0
        while start + depth < bytes.count {
            let byte = bytes[start + depth]
            candidates = narrowed(candidates, at: depth, to: byte)
            guard let first = candidates.first else { break }
            depth += 1
            if length(first) == depth { best = (depth, first) }
        }
        return best.map { ($0.0, characters[$0.1]) }
    }

    private func length(_ index: Int) -> Int { Int(starts[index + 1] - starts[index]) }

    private func byte(_ index: Int, _ depth: Int) -> Int {
        depth < length(index) ? Int(names[Int(starts[index]) + depth]) : -1
    }

    /// The names among the candidates, which share all bytes before, with this byte.
    private func narrowed(_ candidates: Range<Int>, at depth: Int, to wanted: UInt8) -> Range<Int> {
        func firstIndex(atLeast wanted: Int) -> Int {
            var (low, high) = (candidates.lowerBound, candidates.upperBound)
            while low < high {
                let middle = (low + high) / 2
                if byte(middle, depth) < wanted { low = middle + 1 } else { high = middle }
            }
            return low
        }
        return firstIndex(atLeast: Int(wanted))..<firstIndex(atLeast: Int(wanted) + 1)
    }
}
