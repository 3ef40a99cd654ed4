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

    private static let doctype = PackedName("doctype")
    private static let cdata = Array("[CDATA[".utf8)

    /// Markup declaration open.
    mutating func runDeclaration(_ scan: inout Scan) {
        let byte = scan.bytes[scan.index]
        switch state {
        case .markupDeclarationOpen where byte == 0x2D: state = .declarationDash
        case .markupDeclarationOpen where byte | 0x20 == 0x64:
            state = .declarationDoctype
            matched = 1
        case .markupDeclarationOpen where byte == 0x5B && foreign.isForeign:
            state = .declarationCDATA
            matched = 1
        case .declarationDash where byte == 0x2D:
            state = .commentStart
            contentStart = scan.offset &+ 1
        case .declarationDoctype where Self.doctype.byte(matched) == byte.lowercased:
            matched &+= 1
            if matched == 7 { state = .doctype }
        case .declarationCDATA where Self.cdata[matched] == byte:
            matched &+= 1
            if matched == 7 {
                (state, textKind) = (.cdata, .cdata)
                scan.textStart = scan.index &+ 1
            }
        default:
            state = .bogusComment
            return
        }
        scan.index &+= 1
    }

    mutating func runComment(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        let byte = scan.bytes[scan.index]
        switch state {
        case .bogusComment, .doctype:
            scan.index = ByteSearch.first(0x3E, in: scan.bytes, from: scan.index, to: scan.count)
            if scan.index < scan.count { endComment(&scan, behind: 0, report) }
            return
        case .comment:
            scan.index = ByteSearch.first(0x2D, in: scan.bytes, from: scan.index, to: scan.count)
            guard scan.index < scan.count else { return }
            state = .commentEndDash
        case .commentStart where byte == 0x2D: state = .commentStartDash
        case .commentStart where byte == 0x3E: return endComment(&scan, behind: 0, report)
        case .commentStartDash where byte == 0x2D, .commentEndDash where byte == 0x2D: state = .commentEnd
        case .commentStartDash where byte == 0x3E: return endComment(&scan, behind: 1, report)
        case .commentEnd where byte == 0x3E: return endComment(&scan, behind: 2, report)
        case .commentEnd where byte == 0x21: state = .commentEndBang
        case .commentEnd where byte == 0x2D: break
        case .commentEndBang where byte == 0x2D: state = .commentEndDash
        case .commentEndBang where byte == 0x3E: return endComment(&scan, behind: 3, report)
        default:
            state = .comment
            return
        }
        scan.index &+= 1
    }

    /// - Parameter delimiter: How many bytes before `>` are no content.
    private mutating func endComment(_ scan: inout Scan, behind delimiter: Int, _ report: (HTMLToken) -> Void) {
        let end = max(contentStart, scan.offset &- delimiter)
        scan.index &+= 1
        let range = mark..<scan.offset
        report(state == .doctype ? .doctype(range) : .comment(range, content: contentStart..<end))
        scan.textStart = scan.index
        state = textState
    }
}
