/// Collects integers with the most significant byte first, as PNG and TrueType have them.
struct BigEndianWriter {
    private(set) var bytes: [UInt8] = []

    mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    mutating func write16(_ value: Int) {
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
        bytes.append(UInt8(truncatingIfNeeded: value))
    }

    mutating func write32(_ value: UInt32) {
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    /// Fills up with zeros to a multiple of `size`.
    mutating func pad(to size: Int) {
        while !bytes.count.isMultiple(of: size) { bytes.append(0) }
    }
}
