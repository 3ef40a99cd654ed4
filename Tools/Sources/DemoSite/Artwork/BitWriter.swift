/// Packs bits into bytes, lowest bit first. RFC 1951 §3.1.1.
struct BitWriter {
    private var bytes: [UInt8]
    private var pending: UInt64 = 0
    private var pendingBits = 0

    /// A writer that continues after `bytes`.
    init(bytes: [UInt8] = []) {
        self.bytes = bytes
    }

    /// Appends the lowest `count` bits of a value; at most 32.
    mutating func write(_ value: Int, _ count: Int) {
        pending |= UInt64(truncatingIfNeeded: value) << UInt64(pendingBits)
        pendingBits += count
        while pendingBits >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            pendingBits -= 8
        }
    }

    /// The bytes, the last one filled up with zeros.
    mutating func finish() -> [UInt8] {
        if pendingBits > 0 { write(0, 8 - pendingBits) }
        return bytes
    }
}
