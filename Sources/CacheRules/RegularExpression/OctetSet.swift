/// A set of octets.
struct OctetSet: Hashable, Sendable {
    private var low: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var high: UInt64 = 0

    init() {}

    init(_ byte: UInt8) { insert(byte) }

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    static let all = OctetSet().inverted
    static let allButSlash = OctetSet(0x2F).inverted
    static let digits = OctetSet(0x30...0x39)
    static let wordOctets = OctetSet(Array(0x30...0x39) + Array(0x41...0x5A) + Array(0x61...0x7A) + [0x5F])
    static let whiteSpace = OctetSet([0x20, 0x09, 0x0A, 0x0B, 0x0C, 0x0D])

    mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: low |= bit
        case 1: second |= bit
        case 2: third |= bit
        default: high |= bit
        }
    }

    mutating func formUnion(_ other: OctetSet) {
        low |= other.low
        second |= other.second
        third |= other.third
        high |= other.high
    }

    var inverted: OctetSet {
        var set = self
        (set.low, set.second, set.third, set.high) = (~low, ~second, ~third, ~high)
        return set
    }

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: low
            case 1: second
            case 2: third
            default: high
            }
        return word >> UInt64(byte & 63) & 1 != 0
    }
}
