import HTTPCacheSemantics
import HTTPTypes
import Preloading
import ResponseStore
import Testing

@Suite("Pages of preload links")
struct PreloadPageTests {
    private static let page = "https://shop.test/start/index.html?a"

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var url = "https://shop.test/a"
        var destination = PreloadDestination.script
        var group = PreloadGroup.page
        var usesCORS = false
        var testDescription: String { text }
    }

    private func read(_ text: String, _ fields: HTTPFields = [:]) throws -> [PreloadItem] {
        try PreloadPage.read(Array(text.utf8), url: Self.page, fields: fields)
    }

    @Test(
        "a link is read as a browser reads it: HTML §4.6.7, and §13.2.5 for its tag",
        arguments: [
            Row(text: "<link rel=preload as=script href=/a>"),
            Row(text: "<LINK REL='PreLoad' AS=\"Script\" HREF = '/a' />"),
            Row(text: "<link\n\trel=preload\r\nas=script href=/a\n>"),
            // "if there is already an attribute on the token with the exact same name", the first one counts.
            Row(text: "<link rel=preload as=script href=/a href=/b>"),
            Row(text: "<link rel=preload as=script href=' /a '>"),
            Row(
                text: "<link rel=preload as=script href='/a?b=1&amp;c=2&d=3&#38;e&#x3D;4'>",
                url: "https://shop.test/a?b=1&c=2&d=3&e=4"),
            Row(
                text: "<link rel=preload / as=script href='/a&copy;?b&#x80;'>",
                url: "https://shop.test/a%C2%A9?b%E2%82%AC"),
            Row(text: "<link rel=preload as=script href=../b#c>", url: "https://shop.test/b"),
            Row(text: "<link rel=preload as=script href=//cdn.test/a>", url: "https://cdn.test/a"),
            Row(
                text: "<base target=_top><base href=/x/><base href=/y/><link rel=preload as=script href=a>",
                url: "https://shop.test/x/a"),
            Row(text: "<link rel=preload as=script crossorigin href=/a>", usesCORS: true),
            Row(text: "<link rel=preload as=script crossorigin=anonymous href=/a>", usesCORS: true),
            Row(text: "<link rel=preload as=script fetchpriority=low href=/a>", group: .lazy),
            Row(text: "<link rel=preload as=script fetchpriority=high media=all href=/a>"),
            Row(text: "<link rel=modulepreload href=/a>", destination: .module),
            Row(text: "<link rel=modulepreload as=worker href=/a>", destination: .worker),
            Row(text: "<link rel=stylesheet href=/a>", destination: .style),
            Row(text: "<link rel=stylesheet media='print' href=/a>", destination: .style, group: .lazy),
            Row(text: "<link rel='shortcut icon' type=image/png sizes=any href=/a>", destination: .image),
            Row(text: "<link rel=prefetch href=/a>", destination: .document, group: .lazy),
            Row(text: "<link rel=prefetch as=fetch href=/a>", destination: .fetch, group: .lazy),
            Row(
                text:
                    "<!DOCTYPE HTML><html lang=en><head><title>a <link> &b</title ><meta charset=UTF-8><!-- - -- <a> --><link rel=preload as=script href=/a></head><body></body></html>"
            ),
        ])
    func read(_ row: Row) throws {
        let items = try read(row.text)
        #expect(items.map(\.url) == [row.url])
        #expect(items.map(\.destination) == [row.destination] && items.map(\.group) == [row.group])
        #expect(items.map(\.usesCORS) == [row.usesCORS] && items.map(\.origin) == [Self.page])
    }

    @Test(
        "what is more than preload links, and what readers could take differently, is refused by its line",
        arguments: [
            ("\nHello", PreloadPageError.Code.unknownContent, 2), ("<script>1</script>", .unknownContent, 1),
            ("<link rel=icon href=a>\n<img src=a>", .unknownContent, 2), ("<p>", .unknownContent, 1),
            ("<!-->", .unknownContent, 1), ("<!--->", .unknownContent, 1), ("<!-- --!>", .unknownContent, 1),
            ("<!-- ", .unknownContent, 1), ("<!doctype xml>", .unknownContent, 1), ("<!a>", .unknownContent, 1),
            ("<?xml?>", .unknownContent, 1), ("< link>", .unknownContent, 1), ("<title>a", .unknownContent, 1),
            ("<link rel=icon href='/a'b=c>", .unknownContent, 1), ("<link rel=icon href=/a'b>", .unknownContent, 1),
            ("<link rel=icon href=>", .unknownContent, 1), ("<link rel=icon href=/a", .unknownContent, 1),
            ("</link>", .unknownContent, 1), ("</html a=b>", .unknownContent, 1),
            ("<link rel=icon href='&#0;'>", .unknownContent, 1),
            ("<meta charset=latin1>", .unknownContent, 1), ("<meta http-equiv=refresh content=1>", .unknownContent, 1),
            ("<link rel=icon href=/a>\n<base href=/b/>", .unknownContent, 2),
            ("<link rel=preconnect href=/a>", .unknownContent, 1), ("<link href=/a>", .unknownContent, 1),
            ("<link rel='alternate stylesheet' href=/a>", .unknownContent, 1),
            ("<link rel=icon href=https://127.0.0.1/a>", .badLink, 1),
            ("<link rel=icon href=https://printer.local/a>", .badLink, 1),
            ("<link rel=icon>", .badLink, 1), ("<link rel=icon href=''>", .badLink, 1),
            ("<link rel=preload href=/a>", .badLink, 1), ("<link rel=preload as=module href=/a>", .badLink, 1),
            ("<link rel=preload as=script href=data:,a>", .badLink, 1), ("<link rel=icon href='/a b'>", .badLink, 1),
            ("<link rel=preload as=image imagesrcset='a 1x' href=a>", .badLink, 1),
            ("<link rel=preload as=fetch crossorigin=use-credentials href=a>", .badLink, 1),
        ])
    func refused(_ text: String, _ code: PreloadPageError.Code, _ line: Int) {
        let error = #expect(throws: PreloadPageError.self) { try read(text) }
        #expect(error?.code == code && error?.line == line)
    }

    private static let empty = "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="

    @Test(
        "one SHA-256 of integrity is what the content must have (SRI §3.3)",
        arguments: [
            ("sha256-" + empty, true), (" sha256-\(empty.dropLast())?a md5-x ", true),
            ("sha256-\(empty) sha256-\(empty)", true),
            // The strongest counts, and any one of several: the page checks those.
            ("sha256-\(empty) sha384-a", false), ("sha256-\(empty) sha256-\(empty.replacing("4", with: "5"))", false),
            ("sha256-\(empty.dropLast(2))", false), ("sha256-=" + empty.dropFirst(), false), ("", false),
        ])
    func integrity(_ text: String, _ isExpected: Bool) throws {
        let item = try #require(try read("<link rel=icon href=a integrity=\"\(text)\">").first)
        var hasher = SHA256Hasher()
        hasher.update([])
        #expect(item.content?.sha256 == (isExpected ? hasher.digest() : nil) && item.content?.size == nil)
    }

    @Test("Link fields with rel=preload count, before those of the page; others say nothing (RFC 8288 §3)")
    func fields() throws {
        let link = try #require(HTTPField.Name("Link"))
        var fields = HTTPFields()
        fields.append(HTTPField(name: link, value: "</a.js>; rel=preload; as=script; nopush, </x>; rel=preconnect,"))
        fields.append(
            HTTPField(name: link, value: "<b.css>;REL=\"a preload\" ; as = \"st\\yle\";crossorigin;as=script"))
        fields.append(HTTPField(name: link, value: "</c>; rel=preload; as=fetch; anchor=\"#x\", /d; rel=preload, </e>"))
        let items = try read("<link rel=icon href=/i><link rel=preload as=script href=/a.js>", fields)
        #expect(items.map(\.url) == ["a.js", "start/b.css", "i"].map { "https://shop.test/" + $0 })
        #expect(
            items.map(\.destination) == [.script, .style, .image] && items.map(\.usesCORS) == [false, true, false])
    }

    @Test("a page that is too long, or has too many links, is refused")
    func tooLarge() {
        let many = (0...PreloadPage.mostLinks).map { "<link rel=icon href=/\($0)>" }.joined(separator: "\n")
        let long = String(repeating: " ", count: Int(PreloadPage.longest.bytes) + 1)
        for (text, line) in [(many, PreloadPage.mostLinks + 1), (long, 0)] {
            let error = #expect(throws: PreloadPageError.self) { try read(text) }
            #expect(error?.code == .tooLarge && error?.line == line)
        }
    }
}
