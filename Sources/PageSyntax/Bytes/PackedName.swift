/// A name of up to sixteen bytes in two words, with the letters of ASCII in lower case; compared at once.
///
/// A longer name has a hash there, and `isExact` is false: it is like no known name.
struct PackedName: Hashable, Sendable {
    var low: UInt64 = 0
    var high: UInt64 = 0
    var isExact = true

    init() {}

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        if bytes.count <= 16 {
            low = Self.word(bytes, from: 0, to: min(bytes.count, 8))
            if bytes.count > 8 { high = Self.word(bytes, from: 8, to: bytes.count) }
        } else {
            (low, high, isExact) = (Self.hash(bytes), UInt64(bytes.count), false)
        }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) -> UInt64 {
        var word: UInt64 = 0
        var index = end
        while index > start {
            index &-= 1
            let byte = bytes[index]
            // Zero stands for no byte at all; 0xFF is in no UTF-8.
            word = word &<< 8 | UInt64(byte == 0 ? 0xFF : byte.lowercased)
        }
        return word
    }

    /// FNV-1a.
    private static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1.lowercased)) &* 0x100_0000_01B3 }
    }

    init(_ name: StaticString) {
        self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    init(_ name: String) {
        self = Array(name.utf8).withUnsafeBufferPointer { PackedName($0) }
    }

    /// The byte at a place, or zero behind the end.
    @inline(__always)
    func byte(_ index: Int) -> UInt8 {
        index < 8
            ? UInt8(truncatingIfNeeded: low &>> (8 &* UInt64(index)))
            : index < 16 ? UInt8(truncatingIfNeeded: high &>> (8 &* UInt64(index &- 8))) : 0
    }

    /// The number of bytes, of an exact name.
    var count: Int { (16 - (high == 0 ? 8 + low.leadingZeroBitCount / 8 : high.leadingZeroBitCount / 8)) }
}

/// Known names and what they stand for: a hash table with open addressing that no page can change.
struct NameTable<Value: Sendable>: Sendable {
    private var keys: [PackedName]
    private var values: [Value]
    private let mask: Int

    /// - Parameter other: The value of all other names.
    init(_ names: [(String, Value)], other: Value) {
        var size = 64
        while size < names.count * 4 { size *= 2 }
        mask = size - 1
        keys = Array(repeating: PackedName(), count: size)
        values = Array(repeating: other, count: size)
        for (name, value) in names {
            let key = PackedName(name)
            var slot = Self.slot(key) & mask
            while keys[slot] != PackedName() { slot = (slot + 1) & mask }
            (keys[slot], values[slot]) = (key, value)
        }
    }

    @inline(__always)
    private static func slot(_ key: PackedName) -> Int {
        let mixed = (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: mixed &>> 40)
    }

    @inline(__always)
    subscript(_ key: PackedName) -> Value {
        var slot = Self.slot(key) & mask
        while keys[slot] != key, keys[slot].low != 0 { slot = (slot &+ 1) & mask }
        return values[slot]
    }
}

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
