/// The place at the end of a file's stem where build tools put the hash.
struct HashSlot {
    /// The character before a hash.
    private enum Separator {
        /// Nothing: the hash is the whole stem.
        case none
        case dash, dot, underscore
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let stem: Range<Int>
    private let kind: StaticFileName.Kind
    private let isChunk: Bool
    private let folders: AssetFolders

    init(_ bytes: UnsafeBufferPointer<UInt8>, file: StaticFileName, folders: AssetFolders) {
        self.bytes = bytes
        self.folders = folders
        kind = file.kind
        isChunk = file.isChunk
        stem = folders.framework == .next ? Self.withoutFontMarks(file.stem, in: bytes) : file.stem
    }

    /// The hash in the last slot. Earlier slots belong to a name that was hashed again, so they do
    /// not describe this file.
    func hash() -> PathAndQuery.FoundHash? {
        if let digits = HexRun(bytes, endOf: stem), let style = style(of: digits) {
            return .init(range: digits.range, style: style)
        }
        if folders.framework == .next, let range = slot(13), isTurbopack(range) {
            return .init(range: range, style: .turbopack)
        }
        if let range = slot(8), let style = style(ofEight: range) { return .init(range: range, style: style) }
        if let range = slot(10), separator(before: range) == .dot, Self.isBase36(range, in: bytes) {
            return .init(range: range, style: .aspNetCore)
        }
        return nil
    }

    /// Whether the value of a query item is a hash: hexadecimal of any usual length, or eight
    /// characters of base64url.
    static func isHash(queryValue value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if let digits = HexRun(bytes, endOf: value), digits.range == value {
            return digits.isConvincing && [8, 10, 12, 16, 20, 32, 40, 64, 128].contains(value.count)
        }
        return value.count == 8 && isBase64URL(value, in: bytes) && isIllegible(value, in: bytes)
    }

    // MARK: Hexadecimal

    private func style(of digits: HexRun) -> HashedName.Style? {
        guard let separator = separator(before: digits.range) else { return nil }
        let count = digits.range.count
        let style: HashedName.Style
        switch (count, separator) {
        case (7, .dot), (7, .none):
            guard folders.framework == .nuxt else { return nil }
            style = .nuxt
        case (8, .dash), (8, .dot): style = .hex8
        case (8, .none):
            guard folders.holdAssets, kind == .code else { return nil }
            style = .hex8
        case (10, .dash), (10, .dot): style = .hex10
        case (12, .dash), (12, .dot): style = .hex12
        case (16, _): style = .hex16
        case (20, _): style = .hex20
        case (32, _): style = .hex32
        case (40, _): style = .hex40
        case (64, _): style = .hex64
        default: return nil
        }
        // Where a tool names every file, eight decimal digits are a hash and not a date. Not after a
        // hyphen: in development mode the pages of Next.js keep their original names.
        let isExpected = isChunk && separator != .none || folders.framework != nil && separator == .dot
        guard isExpected || digits.isConvincing, !digits.isUUID(separatedFrom: stem.lowerBound) else { return nil }
        switch folders.framework {
        case .next: return .nextJS
        case .nuxt: return .nuxt
        case .svelteKit: return .svelteKit
        case nil: return style
        }
    }

    // MARK: Other alphabets

    private func style(ofEight range: Range<Int>) -> HashedName.Style? {
        guard let separator = separator(before: range), separator != .underscore, Self.isBase64URL(range, in: bytes)
        else { return nil }
        if folders.framework == .svelteKit { return .svelteKit }
        if separator == .none, !folders.holdAssets || kind == .content { return nil }
        if Self.isIllegible(range, in: bytes) { return folders.framework == .nuxt ? .nuxt : .rollup }
        if separator == .none { return nil }
        if Self.isBase32(range, in: bytes) { return .esbuild }
        return separator == .dash && Self.isBase36(range, in: bytes) ? .bun : nil
    }

    private func isTurbopack(_ range: Range<Int>) -> Bool {
        guard let separator = separator(before: range), separator != .underscore else { return false }
        // In development mode, Turbopack's names end like this and contain no content hash.
        if bytes[range.upperBound - 2] == UInt8(ascii: "."), bytes[range.upperBound - 1] == UInt8(ascii: "_") {
            return false
        }
        return bytes[range.lowerBound] >= UInt8(ascii: "0") && bytes[range.lowerBound] <= UInt8(ascii: "3")
            && bytes[range].allSatisfy {
                $0.isLowercase || $0.isDigit || $0.isPunctuation || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "~")
            }
    }

    // The thresholds of the next three admit almost no words of texts or programs; the comment of
    // `HashedName` says how many hashes they miss.

    /// Whether letters of both cases do not read like words.
    private static func isIllegible(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let legibility = Legibility(bytes, in: range)
        guard legibility.hasUpper, legibility.hasLower else { return false }
        switch legibility.runs {
        case ...1: return false
        case 2: return legibility.rarePairs >= 5
        case 3: return legibility.rarePairs >= 3
        case 4: return legibility.rarePairs >= 1
        default: return true
        }
    }

    /// Whether these are capitals and the digits 2 to 7 (RFC 4648 §6) that do not read like words.
    private static func isBase32(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes[range].allSatisfy({ $0.isUppercase || $0 >= UInt8(ascii: "2") && $0 <= UInt8(ascii: "7") }) else {
            return false
        }
        let legibility = Legibility(bytes, in: range)
        switch legibility.runs {
        case 1: return legibility.rarePairs >= 5
        case 2: return legibility.rarePairs >= 3
        case 3: return legibility.rarePairs >= 2
        case 4: return legibility.rarePairs >= 1
        default: return true
        }
    }

    /// Whether these are small letters and digits that do not read like words.
    private static func isBase36(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes[range].allSatisfy({ $0.isLowercase || $0.isDigit }) else { return false }
        let legibility = Legibility(bytes, in: range)
        guard legibility.hasLower else { return false }
        switch legibility.runs {
        case ...2: return false
        case 3: return legibility.rarePairs >= 3
        case 4: return legibility.rarePairs >= 2
        default: return legibility.rarePairs >= 1
        }
    }

    /// Whether these are letters, digits, `-` and `_` (RFC 4648 §5).
    private static func isBase64URL(_ range: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        bytes[range].allSatisfy { $0.isUppercase || $0.isLowercase || $0.isDigit || $0.isPunctuation }
    }

    // MARK: Places

    /// The last octets of the stem; `nil` if it is shorter.
    private func slot(_ count: Int) -> Range<Int>? {
        stem.count >= count ? stem.upperBound - count..<stem.upperBound : nil
    }

    private func separator(before range: Range<Int>) -> Separator? {
        guard range.lowerBound > stem.lowerBound else { return Separator.none }
        switch bytes[range.lowerBound - 1] {
        case UInt8(ascii: "-"): return .dash
        case UInt8(ascii: "."): return .dot
        case UInt8(ascii: "_"): return .underscore
        default: return nil
        }
    }

    /// The stem without the marks of `next/font`: `-s` (size adjusted) and `.p` (preloaded).
    private static func withoutFontMarks(_ stem: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var end = stem.upperBound
        for (mark, letter) in [(UInt8(ascii: "."), UInt8(ascii: "p")), (UInt8(ascii: "-"), UInt8(ascii: "s"))]
        where end - stem.lowerBound > 2 && bytes[end - 1] == letter && bytes[end - 2] == mark {
            end -= 2
        }
        return stem.lowerBound..<end
    }
}
