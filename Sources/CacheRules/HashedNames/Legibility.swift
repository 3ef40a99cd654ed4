/// How far a run of letters and digits reads like words.
///
/// Words, joined in any way (`UserCard`, `use-query`, `base64`), have few runs and common pairs of
/// letters; a hash has many runs and rare pairs. `UserCard` has 2 runs and no rare pair, `DsF7k-Jl`
/// has 6 runs.
struct Legibility {
    /// Runs of one class: a capital with the small letters after it, capitals, small letters,
    /// digits, punctuation.
    private(set) var runs = 0
    /// Pairs of adjacent letters within a run that are rare in English words and identifiers.
    private(set) var rarePairs = 0
    private(set) var hasUpper = false
    private(set) var hasLower = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, in range: Range<Int>) {
        var previous = Class.none
        var letter = 0
        var upperRun = 0
        var lastPairIsRare = false
        for byte in bytes[range] {
            let current = Class(byte)
            switch current {
            case .upper: hasUpper = true
            case .lower: hasLower = true
            case .digit, .punctuation, .none: break
            }
            // `Settings` is one run, and so is each part of `OS·Share`.
            let startsWord = previous == .upper && current == .lower
            if current != previous, !startsWord || upperRun > 1 { runs += 1 }
            if startsWord, upperRun > 1, lastPairIsRare { rarePairs -= 1 }
            upperRun = current == .upper ? upperRun + 1 : 0
            guard current == .upper || current == .lower else {
                previous = current
                continue
            }
            let next = Int(byte | 0x20) - Int(UInt8(ascii: "a"))
            lastPairIsRare = (previous == current || startsWord) && Self.commonPairs[letter] >> UInt32(next) & 1 == 0
            if lastPairIsRare { rarePairs += 1 }
            letter = next
            previous = current
        }
    }

    private enum Class {
        case upper, lower, digit, punctuation, none

        init(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"): self = .lower
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .upper
            case UInt8(ascii: "0")...UInt8(ascii: "9"): self = .digit
            default: self = .punctuation
            }
        }
    }

    /// The letters that often follow each letter from `a` to `z`: the 250 most common pairs
    /// in the words of eleven thousand published modules, and the vowels after `j`.
    private static let commonPairs: [UInt32] = [
        "bcdgiklmnprstuvy", "aeilorsu", "acehiklortuy", "adeiorsu", "abcdefgilmnopqrstvwxy", "aefilortu", "aeghilnorsu",
        "aeiort", "abcdefglmnoprstvxz", "aeosu", "eis", "adeilostuy", "abeilmopsu", "acdefgiklnostuv",
        "abcdfgiklmnoprstuvw", "aehiloprstu", "u", "acdegiklmnoprstuvy", "acehiklopstuy", "acehilorstuy",
        "abcegilmnprst", "aeio", "aehino", "ept", "ps", "e",
    ].map { (followers: String) in
        followers.utf8.reduce(0) { $0 | 1 << UInt32($1 - UInt8(ascii: "a")) }
    }
}

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
