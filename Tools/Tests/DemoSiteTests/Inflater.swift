/// Undoes DEFLATE with one dynamic block, bit by bit from RFC 1951 §3.2; slow and plain, as an oracle should be.
struct Inflater {
    struct Malformed: Error {}

    private let bytes: [UInt8]
    private var place: Int

    static func zlib(_ bytes: [UInt8]) throws -> [UInt8] {
        guard bytes.count > 6, (Int(bytes[0]) << 8 | Int(bytes[1])).isMultiple(of: 31) else { throw Malformed() }
        var inflater = Inflater(bytes: bytes, place: 16)
        let output = try inflater.block()
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in output {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        let sum = bytes.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard sum == high << 16 | low else { throw Malformed() }
        return output
    }

    private mutating func bits(_ count: Int) throws -> Int {
        var value = 0
        for shift in 0..<count {
            guard place / 8 < bytes.count else { throw Malformed() }
            value |= Int(bytes[place / 8] >> UInt8(place % 8) & 1) << shift
            place += 1
        }
        return value
    }

    private mutating func symbol(_ lengths: [Int]) throws -> Int {
        var (code, first, skipped) = (0, 0, 0)
        let order = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
        for length in 1...15 {
            code = code << 1 | (try bits(1))
            let count = lengths.count { $0 == length }
            if code - first < count { return order[skipped + code - first] }
            skipped += count
            first = (first + count) << 1
        }
        throw Malformed()
    }

    private mutating func block() throws -> [UInt8] {
        guard try bits(3) == 0b101 else { throw Malformed() }
        let (literals, distances, count) = (try bits(5) + 257, try bits(5) + 1, try bits(4) + 4)
        var lengths = [Int](repeating: 0, count: 19)
        for slot in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
            lengths[slot] = try bits(3)
        }
        let all = try (0..<literals + distances).map { _ in try symbol(lengths) }
        var output: [UInt8] = []
        while true {
            let value = try symbol(Array(all[..<literals]))
            if value == 256 { return output }
            if value < 256 {
                output.append(UInt8(value))
                continue
            }
            let slot = value - 257
            let extra = slot < 8 || slot == 28 ? 0 : slot / 4 - 1
            let base = slot < 8 ? slot + 3 : slot == 28 ? 258 : (4 + slot % 4) << extra + 3
            let length = base + (try bits(extra))
            let back = try symbol(Array(all[literals...]))
            let wide = back < 4 ? 0 : back / 2 - 1
            let distance = (back < 4 ? back + 1 : (2 + back % 2) << wide + 1) + (try bits(wide))
            guard distance <= output.count else { throw Malformed() }
            for _ in 0..<length { output.append(output[output.count - distance]) }
        }
    }
}
