/// A token that a tokenizer reports. All offsets count bytes from the beginning of the source.
///
/// Bytes of no token (`</>`, the delimiters of a CDATA section, a tag that is cut off) mean nothing to a parser.
package enum HTMLToken {
    case startTag(HTMLTag)
    case endTag(HTMLTag)
    /// A part of a run of text; the next token may be its continuation.
    case text(HTMLText)
    /// From `<` to `>`, and the data that a parser reads in it. Also one that is none but for parsers (`<?php …>`).
    case comment(Range<Int>, content: Range<Int>)
    case doctype(Range<Int>)
    /// A tag beyond a limit; it is skipped as one, and what it says is not read.
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
    /// The offset of its first byte.
    package var offset: Int
    package var bytes: UnsafeBufferPointer<UInt8>

    package var range: Range<Int> { offset..<offset + bytes.count }
}

/// A start or end tag: its bytes, and where they stand. Valid within the closure that it is reported to.
package struct HTMLTag {
    package enum Namespace: UInt8, Sendable { case html, svg, math }

    package var name: HTMLElementName
    /// The namespace of this start tag's element; `html` for every end tag.
    package var namespace: Namespace
    /// Whether it ends with `/>`, which counts in foreign content only.
    package var isSelfClosing: Bool
    /// The offset of `<`.
    package var offset: Int
    /// From `<` to `>`.
    package var bytes: UnsafeBufferPointer<UInt8>
    /// In the order of the source; of attributes with one name only the first, as parsers keep it.
    package var attributes: UnsafeBufferPointer<HTMLAttribute>
    /// Counted from `<`.
    var nameRange: Range<Int>

    package var range: Range<Int> { offset..<offset + bytes.count }

    /// Letters of ASCII in lower case, U+FFFD for NUL.
    package var localName: String { text(nameRange) }

    package func name(of attribute: HTMLAttribute) -> String {
        text(Int(attribute.nameStart)..<Int(attribute.nameEnd))
    }

    /// The first attribute of a name.
    package func attribute(_ name: HTMLAttributeName) -> HTMLAttribute? {
        attributes.first { $0.name == name }
    }

    /// The bytes between the quotes, as they are in the source.
    package func rawValue(of attribute: HTMLAttribute) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: bytes[Int(attribute.valueStart)..<Int(attribute.valueEnd)])
    }

    /// Where ``rawValue(of:)`` stands in the source.
    package func valueRange(of attribute: HTMLAttribute) -> Range<Int> {
        offset + Int(attribute.valueStart)..<offset + Int(attribute.valueEnd)
    }

    /// With character references replaced and line ends normalised. Bytes that are no UTF-8 become U+FFFD.
    package func value(of attribute: HTMLAttribute) -> String {
        MappedText(rawValue(of: attribute), in: .attribute).string
    }

    /// ``value(of:)`` of the first attribute of a name.
    package func value(_ name: HTMLAttributeName) -> String? {
        attribute(name).map { value(of: $0) }
    }

    /// The value, and which of its bytes come from which bytes of the source.
    package func mappedValue(of attribute: HTMLAttribute) -> MappedText {
        MappedText(rawValue(of: attribute), in: .attribute, offset: offset + Int(attribute.valueStart))
    }

    private func text(_ range: Range<Int>) -> String {
        let shown = bytes[range].flatMap { $0 == 0 ? [0xEF, 0xBF, 0xBD] : [$0.lowercased] }
        return String(decoding: shown, as: UTF8.self)
    }
}

/// The attributes that references depend on; all others are ``other``.
package enum HTMLAttributeName: String, CaseIterable, Sendable {
    case `as`, background, color, content, crossorigin, data, `default`, disabled, encoding, face, href, httpEquiv =
        "http-equiv"
    case imagesizes, imagesrcset, integrity, language, media, nomodule, poster, preload, rel, shadowrootmode, size,
        sizes, src, srcdoc, srcset, style, type
    case xlinkHref = "xlink:href"
    case other = ""

    static let known = NameTable(allCases.filter { $0 != .other }.map { ($0.rawValue, $0) }, other: .other)
}

/// One attribute of a tag, as places in the tag's bytes.
package struct HTMLAttribute: Sendable {
    /// How a value is written.
    package enum Quoting: UInt8, Sendable {
        /// There is no equals sign; the value is empty.
        case none
        case unquoted, single, double
    }

    package internal(set) var name = HTMLAttributeName.other
    package internal(set) var quoting = Quoting.none
    /// Counted from the first byte of the tag.
    var nameStart: Int32
    var nameEnd: Int32 = 0
    var valueStart: Int32 = 0
    var valueEnd: Int32 = 0
    /// The packed name; longer names are told apart by it before their bytes are compared.
    var packed = PackedName()
}

/// The elements that tokenizing or references depend on; all others are ``other``.
package enum HTMLElementName: String, CaseIterable, Sendable {
    // Elements whose content is text, or that decide how what follows is read.
    case script, style, title, textarea, xmp, iframe, noembed, noframes, noscript, plaintext, template
    // Elements that refer to something.
    case a, area, audio, base, blockquote, body, button, del, embed, form, frame, head, html, img, image, input, ins
    case link, meta, object, param, q, source, table, td, th, track, video, bgsound
    // SVG and MathML: roots, integration points, what has an href.
    case svg, math, annotationXML = "annotation-xml", foreignObject = "foreignobject", desc
    case mi, mo, mn, ms, mtext, mglyph, malignmark, use, feImage = "feimage", animate, mpath, set
    case animateTransform = "animatetransform", animateMotion = "animatemotion", pattern, textPath = "textpath"
    case linearGradient = "lineargradient", radialGradient = "radialgradient", filter, cursor
    // Void elements that refer to nothing.
    case br, col, hr, wbr, keygen, basefont
    // Elements whose start tags end foreign content, or an open paragraph.
    case b, big, center, code, dd, div, dl, dt, em, font, h1, h2, h3, h4, h5, h6, i, li, listing, menu, nobr, ol, p, pre
    case ruby, s, small, span, strike, strong, sub, sup, tt, u, ul, var_ = "var"
    case address, article, aside, details, dialog, fieldset, figcaption, figure, footer, header, hgroup, main, nav
    case search, section, summary
    case option, optgroup, tr, tbody, thead, tfoot, caption, colgroup, select, label
    case other = ""

    static let known = NameTable(allCases.filter { $0 != .other }.map { ($0.rawValue, $0) }, other: .other)

    /// Has no content and no end tag.
    var isVoid: Bool {
        switch self {
        case .area, .base, .br, .col, .embed, .frame, .hr, .img, .image, .input, .link, .meta, .param, .source, .track,
            .wbr, .keygen, .basefont, .bgsound:
            true
        default: false
        }
    }

    /// A start tag of it leaves foreign content (HTML §13.2.6.5); `font` does with some attributes.
    var endsForeignContent: Bool {
        switch self {
        case .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4,
            .h5, .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span,
            .strong, .strike, .sub, .sup, .table, .tt, .u, .ul, .var_:
            true
        default: false
        }
    }

    /// A start tag of it ends an open paragraph.
    var endsParagraph: Bool {
        switch self {
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dl, .fieldset, .figcaption, .figure,
            .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary, .ul, .div, .h1, .h2,
            .h3, .h4, .h5, .h6, .pre, .listing, .form, .li, .dd, .dt, .plaintext, .table, .hr, .xmp:
            true
        default: false
        }
    }

    /// A start tag of it ends an open element of the same name, whose end tag may be missing.
    var endsItsLike: Bool {
        switch self {
        case .li, .dd, .dt, .option, .optgroup, .tr, .td, .th, .tbody, .thead, .tfoot, .a, .button, .nobr: true
        default: false
        }
    }
}
