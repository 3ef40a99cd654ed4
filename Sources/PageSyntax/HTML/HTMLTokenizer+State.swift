extension HTMLTokenizer {
    /// The states of HTML §13.2.5, without those that change nothing about where tokens begin and end (character
    /// references are read afterwards; the parts of a doctype are not; the less-than-sign states of comments only
    /// find errors). Beside each stands the standard's name where ours differs.
    enum State: UInt8, Sendable {
        // Text: whatever is met can be reported at once.
        case data, plaintext
        /// RCDATA, RAWTEXT.
        case rawText
        /// Script data, and its escaped states.
        case script, scriptEscapeStart, scriptEscapeStartDash
        case scriptEscaped, scriptEscapedDash, scriptEscapedDashDash, scriptDoubleEscapeStart
        case scriptDoubleEscaped, scriptDoubleEscapedDash, scriptDoubleEscapedDashDash
        case scriptDoubleEscapedLessThan, scriptDoubleEscapeEnd
        /// CDATA section.
        case cdata

        // Text, unless what follows makes a token of it.
        case tagOpen, endTagOpen
        /// RCDATA, RAWTEXT, script data and script data escaped: less-than sign, end tag open, end tag name.
        case rawLessThan, rawEndTagOpen, rawEndTagName
        /// CDATA section bracket, CDATA section end.
        case cdataBracket, cdataEnd

        // Tags.
        case tagName, beforeAttributeName, attributeName, afterAttributeName, beforeAttributeValue
        /// Attribute value (double-quoted), (single-quoted), (unquoted), after attribute value (quoted).
        case valueDouble, valueSingle, valueUnquoted, afterValue
        case selfClosingStartTag

        // Comments and doctypes, which need no bytes.
        /// Markup declaration open: two dashes, `DOCTYPE`, `[CDATA[`, or neither.
        case markupDeclarationOpen, declarationDash, declarationDoctype, declarationCDATA
        case bogusComment, commentStart, commentStartDash, comment, commentEndDash, commentEnd, commentEndBang
        /// DOCTYPE and all states behind it; they end at the first `>`.
        case doctype

        @inline(__always)
        var isText: Bool { rawValue <= State.cdata.rawValue }
        @inline(__always)
        var mayBeText: Bool { rawValue > State.cdata.rawValue && rawValue <= State.cdataEnd.rawValue }
        @inline(__always)
        var isTag: Bool { rawValue >= State.tagName.rawValue && rawValue <= State.selfClosingStartTag.rawValue }
    }

    @inline(__always)
    mutating func run(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        while scan.index < scan.count {
            switch state {
            case .data: runData(&scan)
            case .plaintext: scan.index = scan.count
            case .rawText, .script, .scriptEscapeStart, .scriptEscapeStartDash, .scriptEscaped, .scriptEscapedDash,
                .scriptEscapedDashDash, .scriptDoubleEscapeStart, .scriptDoubleEscaped, .scriptDoubleEscapedDash,
                .scriptDoubleEscapedDashDash, .scriptDoubleEscapedLessThan, .scriptDoubleEscapeEnd:
                runRawText(&scan)
            case .rawLessThan, .rawEndTagOpen, .rawEndTagName: runRawEndTag(&scan, report)
            case .cdata, .cdataBracket, .cdataEnd: runCDATA(&scan, report)
            case .tagOpen, .endTagOpen: runTagOpen(&scan, report)
            case .tagName, .beforeAttributeName, .attributeName, .afterAttributeName, .beforeAttributeValue,
                .valueDouble, .valueSingle, .valueUnquoted, .afterValue, .selfClosingStartTag:
                runTag(&scan, report)
            case .markupDeclarationOpen, .declarationDash, .declarationDoctype, .declarationCDATA:
                runDeclaration(&scan)
            case .bogusComment, .commentStart, .commentStartDash, .comment, .commentEndDash, .commentEnd,
                .commentEndBang, .doctype:
                runComment(&scan, report)
            }
        }
    }

    @inline(__always)
    private mutating func runData(_ scan: inout Scan) {
        let found = ByteSearch.first(0x3C, in: scan.bytes, from: scan.index, to: scan.count)
        scan.index = found
        guard found < scan.count else { return }
        mark = scan.offset
        textState = .data
        state = .tagOpen
        scan.index &+= 1
    }

    /// Tag open, end tag open.
    @inline(__always)
    private mutating func runTagOpen(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        let byte = scan.bytes[scan.index]
        if byte.isLetter {
            beginTag(isEnd: state == .endTagOpen, &scan, report)
            state = .tagName
        } else if state == .tagOpen, byte == 0x2F {
            state = .endTagOpen
            scan.index &+= 1
        } else if state == .tagOpen, byte == 0x21 {
            beginComment(at: mark &+ 2, &scan, report)
            state = .markupDeclarationOpen
            scan.index &+= 1
        } else if state == .tagOpen, byte == 0x3F {
            beginComment(at: mark &+ 1, &scan, report)
            state = .bogusComment
        } else if state == .endTagOpen, byte == 0x3E {
            beginComment(at: mark &+ 2, &scan, report)
            scan.index &+= 1
            scan.textStart = scan.index
            state = textState
        } else if state == .endTagOpen {
            beginComment(at: mark &+ 2, &scan, report)
            state = .bogusComment
        } else {
            backToText(&scan, report)
        }
    }

    @inline(__always)
    mutating func beginTag(isEnd: Bool, _ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        flushText(&scan, to: max(scan.textStart, mark &- scan.origin), report)
        tag.isEnd = isEnd
        tag.isSelfClosing = false
        tag.nameStart = isEnd ? 2 : 1
        // A report that kept the attributes of the last tag keeps them.
        tag.attributes.removeAll(keepingCapacity: true)
        tag.nameEnd = 0
        isOversized = false
        oversizedName = nil
    }

    private mutating func beginComment(at start: Int, _ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        flushText(&scan, to: max(scan.textStart, mark &- scan.origin), report)
        contentStart = start
        matched = 0
        isOversized = false
        carry.removeAll(keepingCapacity: true)
    }
}
