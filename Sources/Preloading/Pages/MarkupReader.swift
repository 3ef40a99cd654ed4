/// Reads the tags of a page as browsers do (HTML §13.2.5), and refuses everything that has no part in a preload page, and
/// every parse error. It is no general tokenizer.
struct MarkupReader {
    struct Tag: Hashable, Sendable {
        /// In lower case.
        var name: String
        var isEnd = false
        /// Names in lower case. Of two with one name the first counts, as in browsers.
        var attributes: [String: String] = [:]
        var line: Int
    }

    private static let longestName = 64
    private static let mostAttributes = 64

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // U+FEFF.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
    }

    /// The next tag, behind white space, comments and the doctype; `nil` at the end.
    mutating func next() throws(PreloadPageError) -> Tag? {
        while true {
            skipSpace()
            guard let byte = peek() else { return nil }
            guard byte == 0x3C else { throw unknown("text") }
            if try skipDeclaration() { continue }
            let start = line
            let isEnd = peek(1) == 0x2F
            advance(isEnd ? 2 : 1)
            guard peek().map(Self.isLetter) == true else { throw unknown("a '<' that begins no tag") }
            var tag = Tag(name: try name(), isEnd: isEnd, line: start)
            try readAttributes(of: &tag)
            return tag
        }
    }

    /// The text up to the end tag of an element that holds text alone, which is passed over as well.
    mutating func skipText(of name: String) throws(PreloadPageError) {
        let end = Array("</\(name)".utf8)
        while place < bytes.count {
            if bytes[place] == 0x3C, isNext(end), peek(end.count).map(Self.endsName) == true {
                advance(end.count)
                skipSpace()
                guard peek() == 0x3E else { throw unknown("an end tag with attributes") }
                return advance()
            }
            advance()
        }
        throw unknown("a <\(name)> without end")
    }

    // MARK: Comments and the doctype

    /// - Returns: Whether there was one.
    private mutating func skipDeclaration() throws(PreloadPageError) -> Bool {
        guard peek(1) == 0x21 else { return false }
        if isNext(Array("<!--".utf8)) {
            try skipComment()
            return true
        }
        guard isNext(Array("<!doctype".utf8)), peek(9).map(Self.isSpace) == true else {
            throw unknown("a '<!' that begins neither a comment nor '<!doctype html>'")
        }
        advance(9)
        skipSpace()
        guard isNext(Array("html".utf8)) else { throw unknown("another doctype than html") }
        advance(4)
        skipSpace()
        guard peek() == 0x3E else { throw unknown("another doctype than '<!doctype html>'") }
        advance()
        return true
    }

    private mutating func skipComment() throws(PreloadPageError) {
        advance(4)
        if peek() == 0x3E || isNext(Array("->".utf8)) { throw unknown("a comment that ends where it begins") }
        while place < bytes.count {
            if bytes[place] == 0x2D {
                if isNext(Array("-->".utf8)) { return advance(3) }
                if isNext(Array("--!>".utf8)) { throw unknown("a comment that ends in '--!>'") }
            }
            advance()
        }
        throw unknown("a comment without end")
    }

    // MARK: Tags

    private mutating func name() throws(PreloadPageError) -> String {
        let start = place
        while let byte = peek(), !Self.endsName(byte) {
            guard Self.isLetter(byte) || (0x30...0x39).contains(byte) else { throw unknown("an unusual tag") }
            advance()
        }
        guard place - start <= Self.longestName else { throw unknown("an unusual tag") }
        return Self.lowercased(bytes[start..<place])
    }

    private mutating func readAttributes(of tag: inout Tag) throws(PreloadPageError) {
        while true {
            skipSpace()
            guard let byte = peek() else { throw unknown("a tag without end") }
            if byte == 0x3E { return advance() }
            if byte == 0x2F {
                guard peek(1) == 0x3E else { throw unknown("a '/' within a tag") }
                return advance(2)
            }
            let name = try attributeName()
            let value = try attributeValue()
            guard tag.attributes.count < Self.mostAttributes, !tag.isEnd else {
                throw unknown(tag.isEnd ? "an end tag with attributes" : "a tag with too many attributes")
            }
            if tag.attributes[name] == nil { tag.attributes[name] = value }
            guard let next = peek(), Self.endsName(next) else { throw unknown("attributes without space between") }
        }
    }

    private mutating func attributeName() throws(PreloadPageError) -> String {
        let start = place
        while let byte = peek(), !Self.endsName(byte), byte != 0x3D {
            guard (0x21...0x7E).contains(byte), ![0x22, 0x27, 0x3C].contains(byte) else {
                throw unknown("an attribute's name that is none")
            }
            advance()
        }
        guard (1...Self.longestName).contains(place - start) else { throw unknown("an attribute's name that is none") }
        return Self.lowercased(bytes[start..<place])
    }

    private mutating func attributeValue() throws(PreloadPageError) -> String {
        let (end, endLine) = (place, line)
        skipSpace()
        guard peek() == 0x3D else {
            // The space belongs to what follows.
            (place, line) = (end, endLine)
            return ""
        }
        advance()
        skipSpace()
        guard let quote = peek() else { throw unknown("a tag without end") }
        let start: Int
        if quote == 0x22 || quote == 0x27 {
            advance()
            start = place
            while let byte = peek(), byte != quote { advance() }
            guard peek() != nil else { throw unknown("a value without end") }
            defer { advance() }
            return try text(bytes[start..<place])
        }
        start = place
        while let byte = peek(), !Self.isSpace(byte), byte != 0x3E {
            guard ![0x22, 0x27, 0x3C, 0x3D, 0x60].contains(byte) else { throw unknown("a value that needs quotes") }
            advance()
        }
        guard place > start else { throw unknown("an attribute without its value") }
        return try text(bytes[start..<place])
    }

    /// Replaces character references.
    private func text(_ value: ArraySlice<UInt8>) throws(PreloadPageError) -> String {
        guard let read = CharacterReferences.text(value) else {
            throw unknown(
                "a character reference other than &amp; &lt; &gt; &quot; &apos; &#…;, or octets that are not UTF-8")
        }
        return read
    }

    // MARK: Octets

    private func peek(_ distance: Int = 0) -> UInt8? {
        place + distance < bytes.count ? bytes[place + distance] : nil
    }

    private mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where place < bytes.count {
            if bytes[place] == 0x0A { line += 1 }
            place += 1
        }
    }

    private mutating func skipSpace() {
        while let byte = peek(), Self.isSpace(byte) { advance() }
    }

    /// Whether these octets come next; letters in upper or lower case.
    private func isNext(_ text: [UInt8]) -> Bool {
        guard bytes.count - place >= text.count else { return false }
        for (index, byte) in text.enumerated() where Self.lower(bytes[place + index]) != byte { return false }
        return true
    }

    private func unknown(_ what: String) -> PreloadPageError {
        PreloadPageError(
            .unknownContent, line: line, "This page holds more than preload links: \(what). Keep to <link> tags.")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains(byte) }
    private static func endsName(_ byte: UInt8) -> Bool { isSpace(byte) || byte == 0x2F || byte == 0x3E }
    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(lower(byte)) }
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte + 0x20 : byte }
    private static func lowercased(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.map(lower), as: UTF8.self)
    }
}
