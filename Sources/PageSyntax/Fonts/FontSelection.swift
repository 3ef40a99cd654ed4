/// Chooses, of the fonts that `@font-face` rules name, those that a web view asks for: the first source of a rule that
/// it can use (css-fonts-4 §4.3), if the page has a character of the rule's `unicode-range` (§11.4).
package struct FontSelection: Sendable {
    private let characters: PageCharacters?
    private var chosen: Set<Int> = []

    /// - Parameter characters: Those of the page; `nil` leaves every range.
    package init(for characters: PageCharacters?) { self.characters = characters }

    /// Whether a font is asked for, as far as its rule says; a family that no element has is not known.
    ///
    /// - Parameters:
    ///   - reference: Of the kind `font`, in the order of the source.
    ///   - source: The style sheet, or the page, in which it stands.
    package mutating func meet(_ reference: PageReference, in source: [UInt8]) -> Bool {
        guard let rule = Self.rule(around: reference.range, in: source) else { return true }
        let path = reference.url.utf8.prefix { $0 != 0x3F && $0 != 0x23 }
        let ending = String(Substring(path.suffix(4))).asciiLowercased
        // The format that no web view reads; rules of before name it first.
        guard ending != ".eot", chosen.insert(rule.lowerBound).inserted else { return false }
        guard let characters else { return true }
        let ranges = Self.ranges(of: source[rule])
        return ranges.isEmpty || ranges.contains { characters.contains(oneOf: $0) }
    }

    private static let longest = 65_536

    /// The block around a URL; `nil` where it stands in none, or in one that is too long to be read.
    private static func rule(around place: Range<Int>, in source: [UInt8]) -> Range<Int>? {
        guard place.lowerBound >= 0, place.upperBound <= source.count else { return nil }
        let before = source[max(0, place.lowerBound - longest)..<place.lowerBound]
        let after = source[place.upperBound..<min(source.count, place.upperBound + longest)]
        guard let start = before.lastIndex(of: 0x7B), let end = after.firstIndex(of: 0x7D) else { return nil }
        return start + 1..<end
    }

    /// The descriptor `unicode-range` of a rule; empty where it has none.
    private static func ranges(of block: ArraySlice<UInt8>) -> [ClosedRange<UInt32>] {
        // Neither the name nor the ranges have whitespace within.
        let text = String(decoding: block.filter { $0 > 0x20 }, as: UTF8.self).asciiLowercased
        let last = text.split(separator: ";").last { $0.hasPrefix("unicode-range:") }
        return last?.dropFirst(14).split(separator: ",").compactMap(range) ?? []
    }

    /// `u+26`, `u+0-7f`, `u+4??` (css-syntax-3 §7.1).
    private static func range(_ text: Substring) -> ClosedRange<UInt32>? {
        guard text.hasPrefix("u+") else { return nil }
        let ends = text.dropFirst(2).split(separator: "-", maxSplits: 1).map(String.init)
        guard let first = ends.first, first.utf8.count <= 6 else { return nil }
        let (least, most) =
            ends.count == 2
            ? (first, ends[1])
            : (String(first.map { $0 == "?" ? "0" : $0 }), String(first.map { $0 == "?" ? "f" : $0 }))
        guard let lower = UInt32(least, radix: 16), let upper = UInt32(most, radix: 16), lower <= upper else {
            return nil
        }
        return lower...upper
    }
}

/// The characters in a page's source that decide about fonts: not those of Latin-1, which scripts may write.
package struct PageCharacters: Hashable, Sendable {
    /// Beyond Latin-1, in order.
    private let scalars: [UInt32]

    /// - Parameter source: HTML or CSS in UTF-8; character references of HTML count, and escapes of styles and scripts.
    package init(in source: [UInt8]) { self.init(in: source, []) }

    /// With those of a style sheet of the page, as `content` has them.
    package func and(in source: [UInt8]) -> PageCharacters { PageCharacters(in: source, Set(scalars)) }

    private init(in source: [UInt8], _ known: Set<UInt32>) {
        var found = known
        for scalar in String(decoding: source, as: UTF8.self).unicodeScalars where scalar.value > 0xFF {
            found.insert(scalar.value)
        }
        source.withUnsafeBufferPointer { bytes in
            for place in bytes.indices {
                switch bytes[place] {
                case 0x26:
                    let reference = CharacterReference(in: bytes, at: place, .text)
                    let characters = String(decoding: reference?.characters ?? [], as: UTF8.self)
                    for scalar in characters.unicodeScalars where scalar.value > 0xFF { found.insert(scalar.value) }
                case 0x5C:
                    // `\2605` of CSS, `\u2605` and `\u{2605}` of scripts.
                    let digits = bytes[(place + 1)...].drop { $0 == 0x75 || $0 == 0x7B }.prefix(6)
                    let text = String(decoding: digits.prefix { $0.isHexDigit }, as: UTF8.self)
                    if let number = UInt32(text, radix: 16), number > 0xFF { found.insert(number) }
                default: break
                }
            }
        }
        scalars = found.sorted()
    }

    package func contains(oneOf range: ClosedRange<UInt32>) -> Bool {
        guard range.lowerBound > 0xFF else { return true }
        let index = scalars.indices.partition { scalars[$0] < range.lowerBound }
        return index < scalars.count && scalars[index] <= range.upperBound
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(scalars.count)
        hasher.combine(scalars.first)
    }
}
