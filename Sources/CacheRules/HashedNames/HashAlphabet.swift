/// The alphabets of hashes that can look like words.
enum HashAlphabet {
    /// Letters, digits, `-` and `_` (RFC 4648 §5): Rollup.
    case base64URL
    /// Capitals and the digits 2 to 7 (RFC 4648 §6): esbuild.
    case base32
    /// Small letters and digits: Bun and ASP.NET Core.
    case base36

    func contains(_ byte: UInt8) -> Bool {
        switch self {
        case .base64URL: byte.isUppercase || byte.isLowercase || byte.isDigit || byte == 0x2D || byte == 0x5F
        case .base32: byte.isUppercase || (0x32...0x37).contains(byte)
        case .base36: byte.isLowercase || byte.isDigit
        }
    }

    /// Whether the octets are of this alphabet and do not read like words.
    ///
    /// Words, joined in any way (`UserCard`, `use-query`, `base64`), have few runs and common pairs of letters; a hash
    /// has many runs and rare pairs. `UserCard` has 2 runs and no rare pair, `DsF7k-Jl` has 6 runs. The thresholds
    /// admit almost no words of texts or programs; the comment of ``HashedName`` says how many hashes they miss.
    func isIllegible(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard bytes.allSatisfy(contains) else { return false }
        let (runs, rarePairs) = Self.legibility(bytes)
        switch (self, runs) {
        case (.base64URL, ...1), (.base36, ...2): return false
        case (.base64URL, _):
            let hasBothCases = bytes.contains { $0.isUppercase } && bytes.contains { $0.isLowercase }
            return hasBothCases && 2 * runs + rarePairs >= 9
        case (.base32, 1): return rarePairs >= 5
        case (.base32, _): return runs + rarePairs >= 5
        case (.base36, _): return rarePairs >= max(1, 6 - runs)
        }
    }

    /// - Returns: The runs of one class (a capital with the small letters after it, capitals, small letters, digits,
    ///   punctuation), and the pairs of adjacent letters within a run that are rare in English words and identifiers.
    private static func legibility(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> (runs: Int, rarePairs: Int) {
        var (runs, rarePairs, upperRun, lastPairIsRare) = (0, 0, 0, false)
        var (previous, letter) = (UInt8(0), 0)
        for byte in bytes {
            let current: UInt8 = byte.isUppercase ? 1 : byte.isLowercase ? 2 : byte.isDigit ? 3 : 4
            // `Settings` is one run, and so is each part of `OS·Share`.
            let startsWord = previous == 1 && current == 2
            if current != previous, !startsWord || upperRun > 1 { runs += 1 }
            if startsWord, upperRun > 1, lastPairIsRare { rarePairs -= 1 }
            upperRun = current == 1 ? upperRun + 1 : 0
            if current <= 2 {
                let next = Int(byte | 0x20) - 0x61
                lastPairIsRare = (previous == current || startsWord) && commonPairs[letter] >> UInt32(next) & 1 == 0
                if lastPairIsRare { rarePairs += 1 }
                letter = next
            }
            previous = current
        }
        return (runs, rarePairs)
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
    /// How often a decimal digit follows a letter, or a letter a digit.
    private var changes = 0
    private let bytes: UnsafeBufferPointer<UInt8>

    /// - Returns: `nil` if the stem does not end in one.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, endOf stem: Range<Int>) {
        self.bytes = bytes
        var start = stem.upperBound
        while start > stem.lowerBound, bytes[start - 1].isDigit || (0x61...0x66).contains(bytes[start - 1]) {
            start -= 1
            let isChange = start + 1 < stem.upperBound && bytes[start].isDigit != bytes[start + 1].isDigit
            if isChange { changes += 1 }
        }
        guard start < stem.upperBound else { return nil }
        range = start..<stem.upperBound
    }

    /// Whether this is neither a number or a date (`20240131`), nor a word (`deadbeef`), nor a
    /// word and a number (`feed2024`, `a1234567`). This rejects one in eleven true hashes of eight
    /// digits, and one in five hundred of sixteen.
    var isConvincing: Bool { changes >= 2 }

    /// Whether the run is the end of a UUID, or a whole UUID without its hyphens (RFC 9562 §4) of
    /// version 4 or 7, which are random. One MD5 in thirty-two has this shape by chance.
    func isUUID(inStemFrom start: Int) -> Bool {
        let from = range.lowerBound
        if range.count == 12, from - start >= 24 {
            return [1, 6, 11, 16].allSatisfy { bytes[from - $0] == UInt8(ascii: "-") }
        }
        guard range.count == 32, from == start else { return false }
        return [0x34, 0x37].contains(bytes[from + 12]) && [0x38, 0x39, 0x61, 0x62].contains(bytes[from + 16])
    }
}

extension UInt8 {
    /// `0-9`.
    var isDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }
    /// `a-z`.
    var isLowercase: Bool { self >= UInt8(ascii: "a") && self <= UInt8(ascii: "z") }
    /// `A-Z`.
    var isUppercase: Bool { self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") }
}

extension UnsafeBufferPointer<UInt8> {
    /// The text of a range, ASCII letters in lower case.
    func word(in range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self).asciiLowercased }
}
