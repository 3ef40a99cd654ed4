/// The elements that tokenizing or references depend on; all others are ``other``.
package enum HTMLElementName: String, CaseIterable, Sendable {
    // Elements whose content is text, or that decide how what follows is read.
    case script, style, title, textarea, xmp, iframe, noembed, noframes, noscript, plaintext, template
    // Elements that refer to something.
    case a, area, audio, base, blockquote, body, button, del, embed, form, frame, head, html, img, image, input, ins,
        link
    case meta, object, param, q, source, table, td, th, track, video, bgsound
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
