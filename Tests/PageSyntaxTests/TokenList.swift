@testable import PageSyntax

/// The tokens of a document in the form of the expectations: decoded, and text in one run.
struct TokenList {
    private(set) var tokens: [[Any]] = []
    private var text: [UInt8] = []
    private var textKind: HTMLText.Kind?
    private let source: [UInt8]
    /// Rules that ranges must obey, where one was broken.
    private(set) var complaints: [String] = []
    private var end = 0

    init(_ source: [UInt8]) { self.source = source }

    static func read(
        _ source: [UInt8], in pieces: [ArraySlice<UInt8>], _ tokenizer: HTMLTokenizer = HTMLTokenizer()
    ) -> TokenList {
        var (tokenizer, list) = (tokenizer, TokenList(source))
        for piece in pieces { tokenizer.feed(Array(piece)) { list.add($0) } }
        tokenizer.finish { list.add($0) }
        list.endText()
        return list
    }

    private mutating func add(_ token: HTMLToken) {
        if case .text(let part) = token {
            check(part.range, part.bytes)
            if part.kind != textKind { endText() }
            textKind = part.kind
            text += part.bytes
            return
        }
        switch token {
        case .startTag(let tag):
            endText()
            check(tag.range, tag.bytes)
            let attributes = tag.attributes.map { (tag.name(of: $0), tag.value(of: $0)) }
            for attribute in tag.attributes
            where !source[tag.valueRange(of: attribute)].elementsEqual(
                tag.rawValue(of: attribute))
            {
                complaints.append("the value of \(tag.name(of: attribute)) stands elsewhere")
            }
            if Set(attributes.map(\.0)).count < attributes.count { complaints.append("an attribute is repeated") }
            tokens.append([
                "S", tag.localName, Dictionary(attributes) { first, _ in first }, tag.isSelfClosing,
            ])
        case .endTag(let tag):
            endText()
            check(tag.range, tag.bytes)
            tokens.append(["E", tag.localName])
        case .comment(let range, let content):
            endText()
            check(range, source[range])
            tokens.append(["C", decoded(content)])
        case .doctype(let range):
            endText()
            check(range, source[range])
            tokens.append(["D"])
        default: complaints.append("\(token)")
        }
    }

    /// Tokens follow each other, and hold the bytes of the source.
    private mutating func check(_ range: Range<Int>, _ bytes: some Sequence<UInt8>) {
        if range.lowerBound < end || range.upperBound > source.count || !source[range].elementsEqual(bytes) {
            complaints.append("\(range) has other bytes")
        }
        end = range.upperBound
    }

    private mutating func endText() {
        defer { (text, textKind) = ([], nil) }
        guard let textKind, !text.isEmpty else { return }
        let hasReferences = textKind == .data || textKind == .rcdata
        let keepsNUL = textKind == .data || textKind == .cdata
        let value = Self.decoded(text[...], hasReferences: hasReferences, keepsNUL: keepsNUL)
        if let last = tokens.last, last[0] as? String == "T", let before = last[1] as? String {
            tokens[tokens.count - 1] = ["T", before + value]
        } else {
            tokens.append(["T", value])
        }
    }

    private func decoded(_ range: Range<Int>) -> String {
        Self.decoded(source[range], hasReferences: false, keepsNUL: false)
    }

    private static func decoded(_ raw: ArraySlice<UInt8>, hasReferences: Bool, keepsNUL: Bool) -> String {
        let text: String
        if hasReferences {
            text = raw.withUnsafeBufferPointer { MappedText($0, in: .text).string }
        } else {
            text = String(decoding: raw, as: UTF8.self).replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        }
        return keepsNUL ? text : text.replacing("\0", with: "\u{FFFD}")
    }
}
