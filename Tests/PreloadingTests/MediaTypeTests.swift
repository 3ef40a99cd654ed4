import HTTPTypes
import Testing

@testable import Preloading

@Suite("MIME Sniffing §4.6: servers give one kind of content several types")
struct MediaTypeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var listed: String
        var sent: String
        var destination = PreloadDestination.fetch
        var isNosniff = false
        var isTaken: Bool
        var testDescription: String {
            "\(listed) as \(destination), \(sent)\(isNosniff ? ", nosniff" : ""): \(isTaken ? "taken" : "refused")"
        }
    }

    private static let rows = [
        Row(listed: "text/javascript", sent: "application/javascript; charset=utf-8", isTaken: true),
        Row(listed: "text/javascript", sent: "Text/X-JavaScript", isTaken: true),
        Row(listed: "font/woff2", sent: "application/font-woff2", isTaken: true),
        Row(listed: "image/vnd.microsoft.icon", sent: "image/x-icon", isTaken: true),
        Row(listed: "application/json", sent: "application/manifest+json", isTaken: true),
        Row(listed: "text/css", sent: "text/css", destination: .style, isTaken: true),
        // A host that answers with a page for what it has not.
        Row(listed: "text/javascript", sent: "text/html", destination: .script, isTaken: false),
        // Their hash tells that they are no page, and web views do not look at the type.
        Row(listed: "application/json", sent: "text/html", isTaken: true),
        Row(listed: "image/avif", sent: "text/html; charset=utf-8", destination: .image, isTaken: true),
        Row(listed: "font/woff2", sent: "text/html; charset=utf-8", destination: .font, isTaken: true),
        // Types of servers that do not know an ending: nobody looks, or the bytes tell.
        Row(listed: "application/wasm", sent: "application/octet-stream", isTaken: true),
        Row(listed: "application/wasm", sent: "application/octet-stream", isNosniff: true, isTaken: true),
        Row(listed: "application/pdf", sent: "application/octet-stream", isTaken: true),
        Row(listed: "text/plain", sent: "application/octet-stream", isTaken: true),
        Row(listed: "image/vnd.microsoft.icon", sent: "text/plain", destination: .image, isTaken: true),
        Row(listed: "image/avif", sent: "application/octet-stream", destination: .image, isTaken: true),
        Row(listed: "image/svg+xml", sent: "image/svg+xml; charset=utf-8", destination: .image, isTaken: true),
        Row(listed: "image/svg+xml", sent: "text/plain", destination: .image, isTaken: false),
        Row(listed: "image/svg+xml", sent: "application/octet-stream", destination: .image, isTaken: false),
        Row(listed: "image/svg+xml", sent: "text/plain", destination: .fetch, isTaken: true),
        Row(listed: "font/woff2", sent: "application/octet-stream", destination: .font, isTaken: true),
        Row(listed: "text/vtt", sent: "text/plain", destination: .track, isTaken: true),
        Row(listed: "video/mp4", sent: "application/octet-stream", destination: .video, isTaken: true),
        Row(listed: "application/manifest+json", sent: "text/plain", destination: .manifest, isTaken: true),
        // Fetch §3.6 and §2.9.
        Row(listed: "text/javascript", sent: "text/plain", destination: .script, isTaken: true),
        Row(listed: "text/javascript", sent: "text/plain", destination: .script, isNosniff: true, isTaken: false),
        Row(listed: "text/javascript", sent: "image/png", destination: .script, isTaken: false),
        Row(listed: "text/javascript", sent: "text/csv", destination: .worker, isTaken: false),
        // HTML, "fetch a single module script"; WebKit's style sheets in standards mode.
        Row(listed: "text/javascript", sent: "application/octet-stream", destination: .module, isTaken: false),
        Row(listed: "text/css", sent: "text/plain", destination: .style, isTaken: false),
        Row(listed: "text/html", sent: "text/plain", destination: .document, isTaken: false),
    ]

    @Test(
        "a file is taken under any name of its kind and refused under another, also where a visit has stored its bytes",
        arguments: rows, [false, true])
    func kinds(_ row: Row, isVisited: Bool) async throws {
        let bench = try PreloadBench()
        var fields: HTTPFields = [.cacheControl: "max-age=60", .contentType: row.sent]
        if row.isNosniff { fields[.xContentTypeOptions] = "nosniff" }
        var item = bench.file("/a", "content", fields, as: row.destination)
        item.type = row.listed
        if isVisited {
            _ = try await bench.text(await bench.page("/a"))
            await bench.cache.waitForCommits()
            // Preloads wait until a visit has been over for a while.
            bench.clock.advance(by: .seconds(10))
        }
        let summary = await bench.preload([item])
        #expect(summary.refused == (row.isTaken ? [:] : [.type: 1]))
    }
}
