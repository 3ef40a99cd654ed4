/// What a tokenizer reports. All offsets count bytes from the beginning of the source.
///
/// Bytes that belong to no token (`</>`, the delimiters of a CDATA section, a tag that the end of the source cuts off)
/// mean nothing to a parser.
package enum HTMLToken {
    case startTag(HTMLTag)
    case endTag(HTMLTag)
    /// A part of a run of text; the next token may be its continuation.
    case text(HTMLText)
    case comment(HTMLComment)
    case doctype(HTMLDoctype)
    /// A tag or doctype beyond a limit; it is skipped as one, and what it says is not read.
    case oversized(Range<Int>)
}

/// Text as it stands in the source, with its character references. Valid within the closure that it is reported to.
package struct HTMLText {
    /// The tokenizer state that it was read in, which says what a parser makes of it.
    package enum Kind: UInt8, Sendable {
        /// Character references count; HTML and foreign content.
        case data
        /// Character references count: `title`, `textarea`.
        case rcdata
        /// `style` and others.
        case rawText
        case script, plaintext, cdata
    }

    package var kind: Kind
    /// The element whose content this is, for all kinds but data and CDATA.
    package var element: HTMLElementName
    /// The offset of its first byte.
    package var offset: Int
    package var bytes: UnsafeBufferPointer<UInt8>

    package var range: Range<Int> { offset..<offset + bytes.count }
}

/// A comment, also one that is none but for parsers (`<?php …>`, `</ …>`).
package struct HTMLComment: Hashable, Sendable {
    /// From `<` to `>`.
    package var range: Range<Int>
    /// What a parser takes for its data.
    package var content: Range<Int>
}
