/// Finding bytes, eight at a time.
enum ByteSearch {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080

    /// The index of the first of two bytes in `start..<end`, or `end`.
    @inline(__always)
    static func first(
        _ one: UInt8, _ other: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int {
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return end }
        let (one64, other64) = (ones &* UInt64(one), ones &* UInt64(other))
        var index = start
        while index &+ 8 <= end {
            let word = UInt64(littleEndian: base.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let (first, second) = (word ^ one64, word ^ other64)
            // A byte's high bit is set where that byte is zero; above the lowest such byte others may be set as well.
            let found = ((first &- ones) & ~first | (second &- ones) & ~second) & highs
            if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
            index &+= 8
        }
        while index < end, bytes[index] != one, bytes[index] != other { index &+= 1 }
        return index
    }

    /// The index of the first such byte in `start..<end`, or `end`.
    @inline(__always)
    static func first(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> Int {
        first(byte, byte, in: bytes, from: start, to: end)
    }
}

/// The ASCII characters that the grammars name.
extension UInt8 {
    /// ASCII whitespace of HTML; a carriage return counts, because it is a line feed to a parser.
    @inline(__always)
    var isSpace: Bool { self <= 0x20 && (self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D || self == 0x0C) }
    @inline(__always)
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    @inline(__always)
    var isDigit: Bool { self &- 0x30 < 10 }
    @inline(__always)
    var isHexDigit: Bool { isDigit || (self | 0x20) &- 0x61 < 6 }
    /// In lower case, if it is a letter of ASCII.
    @inline(__always)
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
    /// The value of a digit or a hexadecimal letter.
    @inline(__always)
    var hexValue: UInt32 { UInt32(isDigit ? self &- 0x30 : (self | 0x20) &- 0x57) }
}
