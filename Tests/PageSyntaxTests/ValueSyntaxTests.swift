import Testing

@testable import PageSyntax

@Suite("Values of attributes")
struct ValueSyntaxTests {
    @Test(
        "HTML §4.8.4.2.1 parsing a srcset attribute",
        arguments: [
            ("a 1x, b 2x", ["a", "b"]),
            ("a, b", ["a", "b"]),
            (" ,, a.png , b 100w 50h ,", ["a.png", "b"]),
            ("data:,x 1x,b", ["data:,x", "b"]),
            ("a,b c", ["a,b"]),
            ("a,,, b", ["a", "b"]),
            ("a (1,2) 1x, b", ["a", "b"]),
            ("", []),
        ])
    func srcset(_ text: String, _ candidates: [String]) {
        let bytes = Array(text.utf8)
        #expect(Srcset.candidates(bytes).map { String(decoding: bytes[$0], as: UTF8.self) } == candidates)
    }

    @Test(
        "HTML §13.2.5.72 character references in attributes",
        arguments: [
            ("a&amp;b", "a&b"), ("a&ampb", "a&ampb"), ("a&amp=b", "a&amp=b"), ("a&amp", "a&"), ("&notit;", "&notit;"),
            ("&not;it", "¬it"), ("&#x41;&#66;&#x80;&#0;&#xD800;&#x110000;&#;", "AB€\u{FFFD}\u{FFFD}\u{FFFD}&#;"),
            ("&CounterClockwiseContourIntegral;", "∳"), ("a\r\nb\rc", "a\nb\nc"),
            ("&NotEqualTilde;", "\u{2242}\u{338}"),
        ])
    func characterReferences(_ raw: String, _ value: String) {
        #expect(Array(raw.utf8).withUnsafeBufferPointer { MappedText($0, in: .attribute).string } == value)
    }

    @Test("a part of a decoded value stands where its bytes come from")
    func mapping() {
        let raw = Array("a&amp;b&lt;c".utf8)
        let text = raw.withUnsafeBufferPointer { MappedText($0, in: .attribute, offset: 100) }
        #expect(text.string == "a&b<c")
        #expect(text.sourceRange(0..<5) == 100..<112)
        #expect(text.sourceRange(1..<2) == 101..<106)
        #expect(text.sourceRange(2..<3) == 106..<107)
        #expect(text.sourceRange(3..<4) == 107..<111)
        #expect(text.sourceRange(5..<5) == 112..<112)
    }
}
