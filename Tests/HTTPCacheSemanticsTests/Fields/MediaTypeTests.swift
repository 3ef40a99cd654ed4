import HTTPTypes
import Testing

@testable import HTTPCacheSemantics

@Suite("The type of a content")
struct MediaTypeTests {
    @Test(
        "is the last valid one, in lower case and without parameters (Fetch §2.2.2, RFC 9110 §8.3.1)",
        arguments: [
            ([], nil), (["text/html"], "text/html"), ([" Text/HTML ; charset=utf-8"], "text/html"),
            (["text/html charset=utf-8"], "text/html"), (["text/html", "text/css"], "text/css"),
            (["text/html, text/css;a=b"], "text/css"), (["text/html, */*"], "text/html"), (["html"], nil),
            (["text/"], nil), (["text/a/b"], nil), (["text/html, \"x"], "text/html"), ([""], nil),
        ] as [([String], String?)])
    func type(_ lines: [String], _ type: String?) {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .contentType, value: line)) }
        #expect(fields.mediaType == type)
    }

    @Test("kinds have several names (MIME Sniffing §4.6)")
    func kinds() {
        let rows: [(String, MediaTypeKind)] = [
            ("application/x-javascript", .javaScript), ("text/json", .json), ("application/ld+json", .json),
            ("application/font-woff", .font), ("font/woff2", .font), ("image/webp", .sniffed("image")),
            ("application/xml", .xml), ("text/css", .other("text/css")),
        ]
        for (name, kind) in rows { #expect(MediaTypeKind(name) == kind, "\(name)") }
    }
}
