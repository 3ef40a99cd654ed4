/// One token of a style sheet, css-syntax-3 §4. Valid within the closure that it is reported to.
package struct CSSToken {
    package enum Kind: UInt8, Sendable {
        /// Comments are reported, although they are no tokens of the standard.
        case comment
        case whitespace, ident, function, atKeyword, hash, string, badString, url, badURL
        case number, percentage, dimension
        /// One character: what the standard calls a delim, and all brackets and separators.
        case delimiter
        /// `<!--`
        case cdo
        /// `-->`
        case cdc
        /// Beyond the limit; it has no bytes.
        case oversized
    }

    package var kind: Kind
    package var range: Range<Int>
    package var bytes: UnsafeBufferPointer<UInt8>
    /// The part with the value: a name without `@`, `#` and `(`, a string without quotes, the URL of `url()`.
    /// Counted from the first byte.
    var content: Range<Int>

    /// The character of a delimiter.
    var byte: UInt8 { bytes.first ?? 0 }

    /// Where the value stands in the source.
    package var contentRange: Range<Int> { content.shifted(by: range.lowerBound) }

    /// With escapes replaced.
    package var value: String { mappedValue.string }

    /// The value, and which of its bytes come from which bytes of the source.
    var mappedValue: MappedText {
        MappedText(cssEscaped: contentBytes, offset: contentRange.lowerBound, isString: kind == .string)
    }

    private var contentBytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[content]) }

    /// Compares a name without regard to case; names with escapes are decoded first.
    func isNamed(_ name: PackedName) -> Bool { packedName == name }

    var packedName: PackedName {
        if !contentBytes.contains(0x5C) { return PackedName(contentBytes) }
        return mappedValue.bytes.withUnsafeBufferPointer { PackedName($0) }
    }
}
