import Foundation
import HTTPTypes
import Preloading
import Testing

@Suite("What is kept of a web view's fields")
struct ViewFieldsTextTests {
    private func again(_ fields: ViewFields) throws -> ViewFields? {
        PreloadStateFiles.value(try PreloadStateFiles.content(fields))
    }

    @Test("what was learned is read again as it was")
    func kept() throws {
        var fields = ViewFields(userAgent: "Mozilla/5.0 (X11)", acceptLanguage: "en-GB,en;q=0.9")
        fields.learn(
            from: HTTPRequest(
                method: .get, scheme: "https", authority: "a.test", path: "/",
                headerFields: [.accept: "text/html", .acceptEncoding: "gzip"]), destination: .document)
        #expect(try !fields.sendsFetchMetadata && again(fields) == fields)
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
    func strange() throws {
        let long = String(repeating: "a", count: 5_000)
        let fields = ViewFields(userAgent: "caf\u{E9}", acceptLanguage: long)
        #expect(try again(fields) == ViewFields())
    }

    @Test(
        "any other content is none",
        arguments: [
            "", "{}", #"{"accept":{}}"#, #"{"accept":{},"sendsFetchMetadata":true"#,
            #"{"accept":{},"sendsFetchMetadata":1}"#, #"{"sendsFetchMetadata":true}"#,
            #"{"accept":{},"sendsFetchMetadata":true,"userAgent":"a\rb"}"#,
            #"{"accept":{},"sendsFetchMetadata":true,"acceptLanguage":" a"}"#,
            #"{"accept":{},"sendsFetchMetadata":true,"acceptEncoding":""}"#,
            #"{"accept":{"script":"*/*"},"sendsFetchMetadata":true}"#,
            #"{"accept":{"image":"\u00e9"},"sendsFetchMetadata":true}"#,
        ])
    func other(_ text: String) {
        let fields: ViewFields? = PreloadStateFiles.value(Data(text.utf8))
        #expect(fields == nil)
    }
}
