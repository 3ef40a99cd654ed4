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
