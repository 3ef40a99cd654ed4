/// The run of lower-case hexadecimal digits that ends a stem.
struct HexRun {
    let range: Range<Int>
    private(set) var digits = 0
    private(set) var letters = 0
    /// How often a decimal digit follows a letter, or a letter a digit.
    private var changes = 0
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Returns: `nil` if the stem does not end in one.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, endOf stem: Range<Int>) {
        self.bytes = bytes
        var start = stem.upperBound
        var previousIsDigit: Bool?
        while start > stem.lowerBound {
            let byte = bytes[start - 1]
            let isDigit = byte.isDigit
            guard isDigit || byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "f") else { break }
            if isDigit { digits += 1 } else { letters += 1 }
            if let previousIsDigit, previousIsDigit != isDigit { changes += 1 }
            previousIsDigit = isDigit
            start -= 1
        }
        guard start < stem.upperBound else { return nil }
        range = start..<stem.upperBound
    }

    /// Whether this is neither a number or a date (`20240131`), nor a word (`deadbeef`), nor a
    /// word and a number (`feed2024`, `a1234567`). This rejects one in eleven true hashes of eight
    /// digits, and one in five hundred of sixteen.
    var isConvincing: Bool { digits > 0 && letters > 0 && changes >= 2 }

    /// Whether the run is the end of a UUID, or a whole UUID without its hyphens (RFC 9562 §4) of
    /// version 4 or 7, which are random. One MD5 in thirty-two has this shape by chance.
    func isUUID(separatedFrom start: Int) -> Bool {
        let from = range.lowerBound
        if range.count == 12, from - start >= 24 {
            return [1, 6, 11, 16].allSatisfy { bytes[from - $0] == UInt8(ascii: "-") }
        }
        guard range.count == 32, from == start else { return false }
        let version = bytes[from + 12]
        return (version == UInt8(ascii: "4") || version == UInt8(ascii: "7"))
            && (bytes[from + 16] == UInt8(ascii: "8") || bytes[from + 16] == UInt8(ascii: "9")
                || bytes[from + 16] == UInt8(ascii: "a") || bytes[from + 16] == UInt8(ascii: "b"))
    }
}

extension UInt8 {
    /// `0-9`.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    /// `a-z`.
    var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    /// `A-Z`.
    var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
    /// `-` and `_`, the two characters of base64url that are neither letter nor digit (RFC 4648 §5).
    var isPunctuation: Bool { self == UInt8(ascii: "-") || self == UInt8(ascii: "_") }
}
