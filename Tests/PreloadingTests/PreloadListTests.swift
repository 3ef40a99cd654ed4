import HTTPCacheSemantics
import Preloading
import Testing

@Suite("A plain list of URLs")
struct PreloadListTests {
    @Test("one URL a line; comments, empty lines, spaces around, a byte order mark and repetitions say nothing")
    func lines() throws {
        let text =
            "\u{FEFF}# what the start page needs\r\n\n https://shop.test/app.js \r\n\thttps://shop.test/a.css#x\n"
            + "https://SHOP.test:443/app.js\nhttp://cdn.test/x?y=1"
        let items = try PreloadList.read(Array(text.utf8), group: .boot)
        #expect(items.map(\.url) == ["https://shop.test/app.js", "https://shop.test/a.css", "http://cdn.test/x?y=1"])
        #expect(items.map(\.destination) == [.script, .style, .document])
        #expect(items.allSatisfy { $0.group == .boot && $0.content == nil })
    }

    @Test(
        "the first line that is no URL is named",
        arguments: [
            ("/app.js", 1), ("https://a.test/\nftp://a.test/", 2), ("#\n\nhttps:///x", 3), ("https://a.test/ b", 1),
            ("https://a.test/\u{1}", 1), ("https://a.test/" + String(repeating: "a", count: 8_200), 1),
            ("https://a.test/\nhttps://me:secret@a.test/", 2),
        ])
    func wrong(_ text: String, _ line: Int) {
        let error = #expect(throws: PreloadListError.self) { try PreloadList.read(Array(text.utf8)) }
        #expect(error?.line == line)
    }

    @Test("a list that is too long is refused")
    func tooLong() {
        let many = (0...PreloadList.mostItems).map { "https://a.test/\($0)\n" }.joined()
        let error = #expect(throws: PreloadListError.self) { try PreloadList.read(Array(many.utf8)) }
        #expect(error?.line == PreloadList.mostItems + 1)
    }
}
