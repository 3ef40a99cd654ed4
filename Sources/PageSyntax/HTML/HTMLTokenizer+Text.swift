extension HTMLTokenizer {
    /// RCDATA, RAWTEXT and script data with its escaped states: up to the first byte that may change something.
    mutating func runRawText(_ scan: inout Scan) {
        let bytes = scan.bytes
        switch state {
        case .rawText, .script:
            scan.index = ByteSearch.first(0x3C, in: bytes, from: scan.index, to: scan.count)
            if scan.index < scan.count { lessThan(&scan, in: state) }
        case .scriptEscapeStart, .scriptEscapeStartDash:
            guard bytes[scan.index] == 0x2D else {
                state = .script
                return
            }
            state = state == .scriptEscapeStart ? .scriptEscapeStartDash : .scriptEscapedDashDash
            scan.index &+= 1
        case .scriptEscaped:
            scan.index = ByteSearch.first(0x3C, 0x2D, in: bytes, from: scan.index, to: scan.count)
            guard scan.index < scan.count else { return }
            if bytes[scan.index] == 0x3C { return lessThan(&scan, in: .scriptEscaped) }
            state = .scriptEscapedDash
            scan.index &+= 1
        case .scriptEscapedDash, .scriptEscapedDashDash:
            if bytes[scan.index] == 0x3C { return lessThan(&scan, in: .scriptEscaped) }
            state = dash(bytes[scan.index], in: state, .scriptEscaped, .scriptEscapedDashDash)
            scan.index &+= 1
        case .scriptDoubleEscaped:
            scan.index = ByteSearch.first(0x3C, 0x2D, in: bytes, from: scan.index, to: scan.count)
            guard scan.index < scan.count else { return }
            state = bytes[scan.index] == 0x3C ? .scriptDoubleEscapedLessThan : .scriptDoubleEscapedDash
            scan.index &+= 1
        case .scriptDoubleEscapedDash, .scriptDoubleEscapedDashDash:
            let byte = bytes[scan.index]
            state =
                byte == 0x3C
                ? .scriptDoubleEscapedLessThan
                : dash(byte, in: state, .scriptDoubleEscaped, .scriptDoubleEscapedDashDash)
            scan.index &+= 1
        case .scriptDoubleEscapedLessThan:
            matched = 0
            if bytes[scan.index] == 0x2F {
                state = .scriptDoubleEscapeEnd
                scan.index &+= 1
            } else {
                state = .scriptDoubleEscaped
            }
        case .scriptDoubleEscapeStart: matchScript(&scan, or: .scriptEscaped, then: .scriptDoubleEscaped)
        default: matchScript(&scan, or: .scriptDoubleEscaped, then: .scriptEscaped)
        }
    }

    /// Script data escaped dash, dash dash, and the same of double escaped.
    private func dash(_ byte: UInt8, in state: State, _ escaped: State, _ dashDash: State) -> State {
        if byte == 0x2D { return dashDash }
        return byte == 0x3E && state == dashDash ? .script : escaped
    }

    private mutating func lessThan(_ scan: inout Scan, in text: State) {
        mark = scan.offset
        textState = text
        state = .rawLessThan
        scan.index &+= 1
    }

    /// Script data double escape start and end: whether the letters are `script`.
    private mutating func matchScript(_ scan: inout Scan, or same: State, then other: State) {
        let byte = scan.bytes[scan.index]
        if byte.isLetter {
            matched = matched >= 0 && matched < 6 && Self.script.byte(matched) == byte.lowercased ? matched + 1 : -1
            scan.index &+= 1
        } else if byte.isSpace || byte == 0x2F || byte == 0x3E {
            state = matched == 6 ? other : same
            scan.index &+= 1
        } else {
            state = same
        }
    }

    private static let script = PackedName("script")

    mutating func runRawEndTag(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        let byte = scan.bytes[scan.index]
        switch state {
        case .rawLessThan:
            if byte == 0x2F {
                state = .rawEndTagOpen
                scan.index &+= 1
            } else if byte == 0x21, textState == .script {
                backToText(&scan, report)
                state = .scriptEscapeStart
                scan.index &+= 1
            } else {
                backToText(&scan, report)
                if textState == .scriptEscaped, byte.isLetter {
                    state = .scriptDoubleEscapeStart
                    matched = 0
                }
            }
        case .rawEndTagOpen:
            matched = 0
            if byte.isLetter { state = .rawEndTagName } else { backToText(&scan, report) }
        default:
            if matched < endLength, byte.lowercased == endName.byte(matched) {
                matched &+= 1
                scan.index &+= 1
            } else if matched == endLength, matched > 0, byte.isSpace || byte == 0x2F || byte == 0x3E {
                beginTag(isEnd: true, &scan, report)
                tag.nameEnd = 2 &+ endLength
                state = .beforeAttributeName
            } else {
                backToText(&scan, report)
            }
        }
    }

    /// CDATA section, CDATA section bracket, CDATA section end.
    mutating func runCDATA(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        switch state {
        case .cdata:
            scan.index = ByteSearch.first(0x5D, in: scan.bytes, from: scan.index, to: scan.count)
            guard scan.index < scan.count else { return }
            mark = scan.offset
            textState = .cdata
            state = .cdataBracket
            scan.index &+= 1
        case .cdataBracket where scan.bytes[scan.index] == 0x5D:
            state = .cdataEnd
            scan.index &+= 1
        case .cdataEnd where scan.bytes[scan.index] == 0x5D:
            // The first of three brackets is text.
            if !carry.isEmpty { reportCarry(report, first: 1) }
            if carry.isEmpty, mark < scan.origin { scan.textStart = max(0, mark &+ 1 &- scan.origin) }
            mark &+= 1
            scan.index &+= 1
        case .cdataEnd where scan.bytes[scan.index] == 0x3E:
            flushText(&scan, to: max(scan.textStart, mark &- scan.origin), report)
            carry.removeAll(keepingCapacity: true)
            scan.index &+= 1
            scan.textStart = scan.index
            (state, textKind) = (.data, .data)
        default: backToText(&scan, report)
        }
    }

    /// The end of the source ends what was begun. A tag that is cut off is none.
    package mutating func finish(_ report: (HTMLToken) -> Void) {
        let range = mark..<position
        switch state {
        case _ where state.mayBeText:
            if !carry.isEmpty { reportCarry(report) }
        case .doctype: report(.doctype(range))
        case .markupDeclarationOpen, .declarationDash, .declarationDoctype, .declarationCDATA, .bogusComment,
            .commentStart, .comment:
            report(.comment(range, content: contentStart..<max(contentStart, position)))
        case .commentStartDash, .commentEndDash, .commentEnd, .commentEndBang:
            let dashes = state == .commentEnd ? 2 : state == .commentEndBang ? 3 : 1
            report(.comment(range, content: contentStart..<max(contentStart, position &- dashes)))
        default: break
        }
        carry = []
        (state, textKind) = (.data, .data)
    }
}
