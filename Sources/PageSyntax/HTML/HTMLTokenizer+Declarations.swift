extension HTMLTokenizer {
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
                (state, textKind, textElement) = (.cdata, .cdata, .other)
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

    /// - Parameter delimiter: The bytes before `>` that are no content.
    private mutating func endComment(_ scan: inout Scan, behind delimiter: Int, _ report: (HTMLToken) -> Void) {
        let end = max(contentStart, scan.offset &- delimiter)
        scan.index &+= 1
        let range = mark..<scan.offset
        report(state == .doctype ? .doctype(range) : .comment(HTMLComment(range: range, content: contentStart..<end)))
        scan.textStart = scan.index
        state = textState
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
