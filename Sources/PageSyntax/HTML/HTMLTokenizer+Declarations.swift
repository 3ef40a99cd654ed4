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
            if matched == 7 {
                state = .doctype
                // The bytes of it in earlier pieces are known without them.
                carry = Array("<!doctype".utf8.prefix(max(0, scan.origin &- mark)))
            }
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

    mutating func runDoctype(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        scan.index = ByteSearch.first(0x3E, in: scan.bytes, from: scan.index, to: scan.count)
        guard scan.index < scan.count else { return }
        scan.index &+= 1
        let end = scan.offset
        if isOversized || end - mark > limits.tagBytes {
            report(.oversized(mark..<end))
        } else {
            carry += scan.slice(max(0, mark &- scan.origin), scan.index)
            report(.doctype(carry.withUnsafeBufferPointer { HTMLDoctype($0, offset: mark, isEnded: true) }))
        }
        carry.removeAll(keepingCapacity: true)
        scan.textStart = scan.index
        state = .data
    }

    mutating func runComment(_ scan: inout Scan, _ report: (HTMLToken) -> Void) {
        let byte = scan.bytes[scan.index]
        switch state {
        case .bogusComment:
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
        report(.comment(HTMLComment(range: mark..<scan.offset, content: contentStart..<end)))
        scan.textStart = scan.index
        state = textState
    }
}

/// A document type declaration: where its parts stand. `nil` for what is missing.
package struct HTMLDoctype: Hashable, Sendable {
    package var range: Range<Int>
    package var name: Range<Int>?
    package var publicIdentifier: Range<Int>?
    package var systemIdentifier: Range<Int>?
    /// It is damaged so that parsers use quirks mode.
    package var forcesQuirks = false

    /// The states of HTML §13.2.5.53–68 over a whole declaration.
    ///
    /// - Parameters:
    ///   - bytes: From `<` on, to `>` or to the end of the source.
    ///   - isEnded: Whether there is a `>`.
    init(_ bytes: UnsafeBufferPointer<UInt8>, offset: Int, isEnded: Bool) {
        range = offset..<offset + bytes.count
        var reader = Reader(bytes: bytes, index: 9, end: isEnded ? bytes.count - 1 : bytes.count)
        reader.skipSpaces()
        guard reader.index < reader.end else {
            forcesQuirks = true
            return
        }
        let nameStart = reader.index
        while reader.index < reader.end, !bytes[reader.index].isSpace { reader.index += 1 }
        name = offset + nameStart..<offset + reader.index
        reader.skipSpaces()
        if reader.index == reader.end {
            forcesQuirks = !isEnded
        } else if reader.take("public") {
            publicIdentifier = reader.quoted(&forcesQuirks)?.shifted(by: offset)
            reader.skipSpaces()
            if forcesQuirks || reader.index == reader.end {
                forcesQuirks = forcesQuirks || !isEnded
                return
            }
            readSystemIdentifier(&reader, isEnded: isEnded)
        } else if reader.take("system") {
            readSystemIdentifier(&reader, isEnded: isEnded)
        } else {
            forcesQuirks = true
        }
    }

    private mutating func readSystemIdentifier(_ reader: inout Reader, isEnded: Bool) {
        systemIdentifier = reader.quoted(&forcesQuirks)?.shifted(by: range.lowerBound)
        reader.skipSpaces()
        // Bogus DOCTYPE state: what else follows is ignored.
        if reader.index == reader.end, !isEnded { forcesQuirks = true }
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var index: Int
        var end: Int

        mutating func skipSpaces() {
            while index < end, bytes[index].isSpace { index += 1 }
        }

        mutating func take(_ word: StaticString) -> Bool {
            let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
            guard index + word.count <= end else { return false }
            guard zip(bytes[index...], word).allSatisfy({ $0.lowercased == $1 }) else { return false }
            index += word.count
            return true
        }

        /// A quoted identifier; without one, or where it is cut off, the flag is set.
        mutating func quoted(_ isDamaged: inout Bool) -> Range<Int>? {
            skipSpaces()
            guard index < end, bytes[index] == 0x22 || bytes[index] == 0x27 else {
                isDamaged = true
                return nil
            }
            let quote = bytes[index]
            let start = index + 1
            index = start
            while index < end, bytes[index] != quote { index += 1 }
            let range = start..<index
            if index < end { index += 1 } else { isDamaged = true }
            return range
        }
    }
}

extension Range<Int> {
    func shifted(by distance: Int) -> Range<Int> { lowerBound + distance..<upperBound + distance }
}
