/// Finds the URLs of a style sheet, or of a `style` attribute, in its tokens.
///
/// Seen are `@import`, `url()`, `src()`, and the strings of `image-set()`, also in custom properties; namespaces refer
/// to nothing. What stands behind an error is still read, as each engine recovers in its own way.
package struct CSSReferences: Sendable {
    private enum Bracket: Sendable {
        case block(isFontFace: Bool)
        /// The function `url(` or `src(` with a string.
        case url
        case imageSet
        case other
    }

    private enum AtRule: Sendable {
        case none, other, fontFace, namespace
        /// `@import`, behind its URL.
        case conditions
        /// `@import`, before its URL.
        case importRule
    }

    /// Brackets that are remembered; deeper ones are only counted.
    private static let mostBrackets = 128

    private var tokenizer: CSSTokenizer
    private var brackets: [Bracket] = []
    private var uncounted = 0
    private var atRule = AtRule.none
    private let isInert: Bool

    /// - Parameter offset: The first byte's, for sheets that stand within something else.
    package init(offset: Int = 0, isInert: Bool = false, limit: Int = CSSTokenizer.defaultLimit) {
        tokenizer = CSSTokenizer(offset: offset, limit: limit)
        self.isInert = isInert
    }

    /// The offset up to which all has been read.
    package var reported: Int { tokenizer.reported }

    package mutating func feed(_ piece: UnsafeBufferPointer<UInt8>, _ report: (PageReference) -> Void) {
        // Taken out, because the closure changes what is around the tokenizer.
        var tokenizer = CSSTokenizer()
        swap(&tokenizer, &self.tokenizer)
        tokenizer.feed(piece) { read($0, report) }
        swap(&tokenizer, &self.tokenizer)
    }

    package mutating func feed(_ piece: [UInt8], _ report: (PageReference) -> Void) {
        piece.withUnsafeBufferPointer { feed($0, report) }
    }

    package mutating func finish(_ report: (PageReference) -> Void) {
        var tokenizer = CSSTokenizer()
        swap(&tokenizer, &self.tokenizer)
        tokenizer.finish { read($0, report) }
        swap(&tokenizer, &self.tokenizer)
    }

    /// Reads a whole style sheet.
    package static func read(_ sheet: [UInt8], _ report: (PageReference) -> Void) {
        var reader = CSSReferences()
        reader.feed(sheet, report)
        reader.finish(report)
    }

    private static let fontFace = PackedName("font-face")
    private static let importRule = PackedName("import")
    private static let namespace = PackedName("namespace")
    private static let urlName = PackedName("url")
    private static let source = PackedName("src")
    private static let imageSet = PackedName("image-set")

    @inline(__always)
    private mutating func read(_ token: CSSToken, _ report: (PageReference) -> Void) {
        switch token.kind {
        case .delimiter: readDelimiter(token.byte)
        case .url: reportURL(token, report)
        case .string: readString(token, report)
        case .function:
            let name = token.packedName
            if name == Self.urlName || name == Self.source {
                push(.url)
            } else if name == Self.imageSet || !name.isExact && token.value.asciiLowercased == "-webkit-image-set" {
                push(.imageSet)
            } else {
                push(.other)
            }
        case .atKeyword:
            let name = token.packedName
            atRule =
                name == Self.importRule
                ? .importRule : name == Self.fontFace ? .fontFace : name == Self.namespace ? .namespace : .other
        default: break
        }
    }

    @inline(__always)
    private mutating func readDelimiter(_ byte: UInt8) {
        switch byte {
        case 0x7B:
            push(.block(isFontFace: atRule == .fontFace))
            atRule = .none
        case 0x28, 0x5B: push(.other)
        case 0x29, 0x5D:
            if case .block = brackets.last { return }
            pop()
        case 0x7D:
            // Everything open in a block ends with it.
            while uncounted == 0, let last = brackets.last {
                if case .block = last { break }
                brackets.removeLast()
            }
            pop()
            atRule = .none
        case 0x3B: if !isInParentheses { atRule = .none }
        default: break
        }
    }

    private var isInParentheses: Bool {
        if case .block = brackets.last { return false }
        return !brackets.isEmpty
    }

    private mutating func push(_ bracket: Bracket) {
        if brackets.count < Self.mostBrackets { brackets.append(bracket) } else { uncounted += 1 }
    }

    private mutating func pop() {
        if uncounted > 0 { uncounted -= 1 } else { _ = brackets.popLast() }
    }

    private mutating func readString(_ token: CSSToken, _ report: (PageReference) -> Void) {
        switch brackets.last {
        case .url, .imageSet: break
        default: guard atRule == .importRule, !isInParentheses else { return }
        }
        reportURL(token, report)
    }

    private mutating func reportURL(_ token: CSSToken, _ report: (PageReference) -> Void) {
        let kind: PageReference.Kind
        switch atRule {
        case .namespace, .conditions: return
        case .importRule:
            kind = .styleImport
            atRule = .conditions
        default:
            let isFont = brackets.contains {
                if case .block(isFontFace: true) = $0 { return true }
                return false
            }
            if case .imageSet = brackets.last { kind = .cssImage } else { kind = isFont ? .font : .cssOther }
        }
        // The scheme of a URL has no whitespace before it.
        let text = token.mappedValue
        let part = text.trimmed
        report(
            PageReference(
                kind: kind, range: text.sourceRange(part), url: text.string(part), isInStyle: true,
                isInert: isInert))
    }
}
