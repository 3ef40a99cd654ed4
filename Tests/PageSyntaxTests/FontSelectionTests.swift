import PageSyntax
import Testing

@Suite("Fonts: of a rule's sources the first that can be used, by unicode-range")
struct FontSelectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var sheet: String
        var chosen: [String]
        var testDescription: String { sheet }
    }

    private static let rows = [
        // css-fonts-4 §4.3: the first source that can be used; eot is read by nobody any more.
        Row(sheet: "@font-face{src:url(a.woff2)format('woff2'),url(a.woff),url(a.ttf)}", chosen: ["a.woff2"]),
        Row(
            sheet: "@font-face{src:url(a.eot);src:url(a.eot?#iefix),url(a.WOFF?v=1),url(a.svg#a)}",
            chosen: ["a.WOFF?v=1"]),
        Row(sheet: "@font-face{src:local('A'),url(a.ttf)}@font-face{src:url(b.otf)}", chosen: ["a.ttf", "b.otf"]),
        Row(
            sheet: "@font-face{src:url(data:font/woff2;base64,AA==),url(a.woff)}",
            chosen: ["data:font/woff2;base64,AA=="]),
        // §11.4: the page has U+0416, U+4E2D and U+1F600 beyond Latin-1.
        Row(sheet: "@font-face{src:url(a);unicode-range:U+0-FF}", chosen: ["a"]),
        Row(sheet: "@font-face{src:url(a);Unicode-Range : u+0400-045f , U+0490}", chosen: ["a"]),
        Row(sheet: "@font-face{unicode-range:U+4??;src:url(a)}", chosen: ["a"]),
        Row(sheet: "@font-face{unicode-range:U+416;src:url(a)}", chosen: ["a"]),
        Row(sheet: "@font-face{src:url(a);unicode-range:U+417-45F,U+3??}", chosen: []),
        Row(
            sheet: "@font-face{src:url(a);unicode-range:U+4E2D}@font-face{src:url(b);unicode-range:U+4E2E}",
            chosen: ["a"]),
        Row(sheet: "@font-face{src:url(a);unicode-range:U+1F6??}", chosen: ["a"]),
        // A range that can't be read says nothing.
        Row(sheet: "@font-face{src:url(a);unicode-range:none}", chosen: ["a"]),
        Row(sheet: "@font-face{src:url(a);unicode-range:U+FF-0,U+FFFFFFFFF,U+,x}", chosen: ["a"]),
        Row(sheet: "@font-face{src:url(a)", chosen: ["a"]),
    ]

    @Test("one that the page has no character for is left, unless it can't be known", arguments: rows)
    func table(_ row: Row) {
        let page = Array("<p>\u{416}, &#x4E2D; &#128512; &#x; &#99999999999; &amp".utf8)
        #expect(chosen(row.sheet, PageCharacters(in: page)) == row.chosen)
    }

    @Test("of a page that is not known every range is asked for")
    func unknown() {
        let sheet = "@font-face{src:url(a);unicode-range:U+417}@font-face{src:url(b),url(c);unicode-range:U+5??}"
        #expect(chosen(sheet, nil) == ["a", "b"])
    }

    private func chosen(_ sheet: String, _ characters: PageCharacters?) -> [String] {
        let source = Array(sheet.utf8)
        var (selection, chosen) = (FontSelection(for: characters), [String]())
        var reader = CSSReferences()
        func meet(_ reference: PageReference) {
            if selection.meet(reference, in: source) { chosen.append(reference.url) }
        }
        reader.feed(source, meet)
        reader.finish(meet)
        return chosen
    }
}
