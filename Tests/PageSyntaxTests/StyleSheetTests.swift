import Testing

@testable import PageSyntax

@Suite("What a style sheet refers to")
struct StyleSheetTests {
    @Test(
        "css-cascade-5 §2, css-values-4 §4.5, css-images-4 §2.4, css-fonts-4 §4.3",
        arguments: [
            ("@import 'a';", ["styleImport a"]),
            ("@import url(a) layer(x) supports(b: url(c)) screen; d { e: url(f) }", ["styleImport a", "cssOther f"]),
            ("@IMPORT URL( \"a\" );", ["styleImport a"]),
            ("@\\69mport 'a';", ["styleImport a"]),
            ("@namespace url(a); @namespace b 'c';", []),
            ("@charset 'x'; a::before { content: 'b' }", []),
            ("@font-face { font-family: 'a'; src: url(b) format('c'), url(\"d\") }", ["font b", "font d"]),
            ("@media screen { @font-face { src: url(a) } b { c: url(d) } }", ["font a", "cssOther d"]),
            ("a { b: image-set('c' 1x, url(d) 2x type('image/png')) }", ["cssImage c", "cssImage d"]),
            ("a { b: -webkit-image-set(url(c) 1x); d: src('e') }", ["cssImage c", "cssOther e"]),
            ("a { b: url(c\\)d); e: url('f\\\n\\67 ') }", ["cssOther c)d", "cssOther fg"]),
            ("a { b: url(c d); e: url(f\"g); h: url(i) }", ["cssOther i"]),
            ("/* url(a) */ 'url(b)' \"@import 'c'\"", []),
            ("a { b: url(c", ["cssOther c"]),
            ("a { b: 'c\n d: url(e) }", ["cssOther e"]),
            ("a{--b:url(c)}", ["cssOther c"]),
            ("a{b:url()}", ["cssOther "]),
        ])
    func references(_ sheet: String, _ expected: [String]) {
        let bytes = Array(sheet.utf8)
        for longest in [1, 3, 1_000] {
            var (reader, found) = (CSSReferences(offset: 50), [PageReference]())
            var cutter = Cutter(seed: 1)
            for piece in cutter.pieces(of: bytes, longest: longest) { reader.feed(Array(piece)) { found.append($0) } }
            reader.finish { found.append($0) }
            #expect(found.map { "\($0.kind) \($0.url)" } == expected)
            for reference in found {
                let part = bytes[(reference.range.lowerBound - 50)..<(reference.range.upperBound - 50)]
                if !part.contains(0x5C) { #expect(String(decoding: part, as: UTF8.self) == reference.url) }
            }
        }
    }

    @Test("a token beyond the limit is passed over, and what follows is read", arguments: [1, 40, 10_000])
    func oversized(_ longest: Int) {
        let long = String(repeating: "x", count: 500)
        let sheet = "a{b:url(c)}/*\(long)*/d{e:url(\(long))}f{g:'\(long)';h:url(i)}"
        var (reader, found) = (CSSReferences(limit: 100), [String]())
        var cutter = Cutter(seed: 2)
        for piece in cutter.pieces(of: Array(sheet.utf8), longest: longest) {
            reader.feed(Array(piece)) { found.append($0.url) }
        }
        reader.finish { found.append($0.url) }
        #expect(found == ["c", "i"])
    }
}
