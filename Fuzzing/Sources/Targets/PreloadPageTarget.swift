import HTTPCacheSemantics
import HTTPTypes
import Preloading

/// A page of preload links; its first line is a `Link` field as well.
enum PreloadPageTarget: FuzzTarget {
    static let name = "preload-page"
    private static let page = "https://shop.test/start/page.html?x"
    static let shapes = [
        HostileShape("<"), HostileShape("<!--"), HostileShape("-", after: "<!--"), HostileShape("--!", after: "<!--"),
        HostileShape("<!-- a -->"), HostileShape("<title>"), HostileShape("</titl", after: "<title>"),
        HostileShape("a=", after: "<link "), HostileShape("a ", after: "<link "),
        HostileShape("&", after: "<link a=\""),
        HostileShape("&#9", after: "<link a=\""), HostileShape("&amp;", after: "<link rel=icon href=\""),
        HostileShape("<link rel=icon href=a>"), HostileShape("<link rel=icon href=a integrity=sha256->"),
        HostileShape("sha256-A ", after: "<link rel=icon href=a integrity=\""), HostileShape("<base href=a/>"),
        HostileShape("<a>;rel=preload;as=script,"), HostileShape("<"), HostileShape("\"\\", after: "<a>;b="),
        HostileShape(";a", after: "<a>"), HostileShape(" ", after: "<link rel=\""), HostileShape("\n"),
    ]

    static func check(_ input: FuzzInput) throws(BrokenClaim) {
        var fields = HTTPFields()
        if let name = HTTPField.Name("Link") { fields[name] = input.lines[0] }
        // Any field's value may be there; only what it says can be refused.
        _ = try? PreloadPage.read([], url: page, fields: fields)
        let items: [PreloadItem]
        do throws(PreloadPageError) {
            items = try PreloadPage.read(input.bytes, url: page, group: .boot)
        } catch {
            let lines = input.bytes.split(separator: 0x0A, omittingEmptySubsequences: false).count
            try claim((0...lines).contains(error.line), "the line that is named exists", [error])
            return
        }
        let urls = items.map(\.url)
        try claim(Set(urls).count == urls.count && urls.count <= PreloadPage.mostLinks, "each once", [urls])
        for item in items {
            try claim(TargetURI.resolve(item.url, against: item.url) == item.url, "absolute and normalised", [item])
            try claim(item.url.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "ASCII without spaces", [item])
            try claim(item.group != .page && item.content?.size == nil && item.type == nil, "as stated", [item])
        }
        for harmless in ["<!-- <a> -->", "\n</html>\n", "<meta name=a>"] {
            let again = try? PreloadPage.read(input.bytes + Array(harmless.utf8), url: page, group: .boot)
            try claim(again == items, "nothing follows from what says nothing", [harmless])
        }
        for other in ["a", "<p>", "<script>", "<!--", "<link"] {
            let read = try? PreloadPage.read(input.bytes + Array(other.utf8), url: page, group: .boot)
            try claim(read == nil, "other content is refused, wherever it stands", [other])
        }
        let printed = urls.map { url in
            let escaped = url.flatMap { ["&": "&#38;", "\"": "&quot;", "'": "&#x27;"][$0] ?? String($0) }
            return "<link rel=prefetch as=fetch href='\(String(escaped))'>"
        }
        let again = try? PreloadPage.read(Array(printed.joined().utf8), url: page)
        try claim(again?.map(\.url) == urls, "what is printed is read again", [printed])
    }
}
