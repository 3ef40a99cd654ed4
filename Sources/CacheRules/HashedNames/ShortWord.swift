/// Up to twelve of the characters `a-z _ 2 3 4` in one machine word, ASCII letters in either case,
/// so that the words of a list compare as numbers. Other octets give zero, which equals no word.
struct ShortWord: Hashable, ExpressibleByStringLiteral {
    private var packed: UInt64 = 0

    init(stringLiteral literal: StaticString) {
        packed = literal.withUTF8Buffer { Self.pack($0, 0..<$0.count) }
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        packed = Self.pack(bytes, range)
    }

    private static func pack(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UInt64 {
        guard range.count <= 12 else { return 0 }
        var packed: UInt64 = 0
        for byte in bytes[range] {
            let code: UInt8
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): code = byte & 0x1F
            case UInt8(ascii: "_"): code = 27
            case UInt8(ascii: "2")...UInt8(ascii: "4"): code = byte - UInt8(ascii: "2") + 28
            default: return 0
            }
            packed = packed << 5 | UInt64(code)
        }
        return packed
    }
}
