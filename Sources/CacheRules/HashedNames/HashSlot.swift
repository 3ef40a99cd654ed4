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
    func hash() -> Range<Int>? {
        if let digits = HexRun(bytes, endOf: stem), isHash(digits) { return digits.range }
        if folders.framework == .next, let range = slot(13), isTurbopack(range) { return range }
        if let range = slot(8), isHash(ofEight: range) { return range }
        guard let range = slot(10), separator(before: range) == .dot else { return nil }
        return HashAlphabet.base36.isIllegible(bytes[range]) ? range : nil
    }

    /// Whether the value of a query item is a hash: hexadecimal of any usual length, or eight
    /// characters of base64url.
    static func isHash(queryValue value: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if let digits = HexRun(bytes, endOf: value), digits.range == value {
            return digits.isConvincing && [8, 10, 12, 16, 20, 32, 40, 64, 128].contains(value.count)
        }
        return value.count == 8 && HashAlphabet.base64URL.isIllegible(bytes[value])
    }

    /// Hexadecimal digits: Nuxt has 7; webpack, Rspack, Parcel, Vite, Propshaft and mkdocs-material 8; gulp-rev 10;
    /// Django and GitHub 12; Rspack, Next.js and Angular 16; webpack and Gatsby 20; Sprockets and Phoenix 32; SHA-1 40;
    /// Hugo 64.
    private func isHash(_ digits: HexRun) -> Bool {
        guard let separator = separator(before: digits.range) else { return false }
        let hasSeparator = separator == .dash || separator == .dot
        let isPlace =
            switch digits.range.count {
            case 7: folders.framework == .nuxt && (separator == .dot || separator == .none)
            case 8: hasSeparator || separator == .none && folders.holdAssets && kind == .code
            case 10, 12: hasSeparator
            case 16, 20, 32, 40, 64: true
            default: false
            }
        // Where a tool names every file, eight decimal digits are a hash and not a date. Not after a
        // hyphen: in development mode the pages of Next.js keep their original names.
        let isExpected = isChunk && separator != .none || folders.framework != nil && separator == .dot
        return isPlace && (isExpected || digits.isConvincing) && !digits.isUUID(inStemFrom: stem.lowerBound)
    }

    /// Rollup and esbuild have eight characters after `-`, `.` or nothing, Bun after `-`.
    private func isHash(ofEight range: Range<Int>) -> Bool {
        let hash = bytes[range]
        guard let separator = separator(before: range), separator != .underscore else { return false }
        if folders.framework == .svelteKit { return hash.allSatisfy(HashAlphabet.base64URL.contains) }
        if separator == .none, !folders.holdAssets || kind == .content { return false }
        return HashAlphabet.base64URL.isIllegible(hash)
            || separator != .none && HashAlphabet.base32.isIllegible(hash)
            || separator == .dash && HashAlphabet.base36.isIllegible(hash)
    }

    /// 13 characters of `0-9 a-z` (and, by version, `_ - ~ .`), a 64-bit number whose first digit is at most 3.
    private func isTurbopack(_ range: Range<Int>) -> Bool {
        guard let separator = separator(before: range), separator != .underscore else { return false }
        // In development mode, Turbopack's names end like this and contain no content hash.
        if bytes[range].suffix(2).elementsEqual([0x2E, 0x5F]) { return false }
        return (0x30...0x33).contains(bytes[range.lowerBound])
            && bytes[range].allSatisfy { HashAlphabet.base36.contains($0) || [0x2D, 0x2E, 0x5F, 0x7E].contains($0) }
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
