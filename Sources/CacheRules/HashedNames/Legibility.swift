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

    /// For each letter from `a` to `z`, the letters that often follow it: the 250 most common pairs
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
