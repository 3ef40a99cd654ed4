import HTTPTypes
import Preloading
import Testing

@Suite("What is kept of a web view's fields")
struct ViewFieldsTextTests {
    @Test("what was learned is read again as it was")
    func kept() throws {
        var fields = ViewFields(userAgent: "Mozilla/5.0 (X11)", acceptLanguage: "en-GB,en;q=0.9")
        fields.learn(
            from: HTTPRequest(
                method: .get, scheme: "https", authority: "a.test", path: "/",
                headerFields: [.accept: "text/html", .acceptEncoding: "gzip"]), destination: .document)
        #expect(!fields.sendsFetchMetadata && ViewFields(text: fields.text) == fields)
    }

    @Test(
        "Fetch Metadata §2: Sec-Fetch-* goes to https and to this machine, and plain http elsewhere says nothing of it")
    func trustworthy() throws {
        var fields = ViewFields()
        fields.learn(
            from: HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: "/"), destination: .document)
        for (url, isSent) in [
            ("https://a.test/", true), ("http://a.test/", false), ("http://127.0.0.1:8000/", true),
            ("http://localhost/", true),
        ] {
            let request = try #require(fields.request(for: PreloadItem(url: url), at: url))
            #expect(request.headerFields.contains(.secFetchDest) == isSent, "\(url)")
        }
    }

    @Test("a value that no field should have is left out, and the rest is kept")
    func strange() {
        let long = String(repeating: "a", count: 5_000)
        let fields = ViewFields(userAgent: "caf\u{E9}", acceptLanguage: long)
        #expect(ViewFields(text: fields.text) == ViewFields())
    }

    @Test(
        "any other text is none",
        arguments: [
            "", "larder-view-fields 1\n", "larder-view-fields 2\nfetch-metadata yes\n",
            "larder-view-fields 1\nfetch-metadata yes", "larder-view-fields 1\nfetch-metadata maybe\n",
            "larder-view-fields 1\nfetch-metadata yes\ncookie a=b\n",
            "larder-view-fields 1\nfetch-metadata yes\nuser-agent a\rb\n",
            "larder-view-fields 1\nfetch-metadata yes\naccept script */*\n",
            "larder-view-fields 1\nfetch-metadata yes\nuser-agent a\nuser-agent a\n",
        ])
    func other(_ text: String) {
        #expect(ViewFields(text: text) == nil)
    }
}
