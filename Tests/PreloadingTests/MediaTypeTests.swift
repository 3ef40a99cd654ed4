import HTTPTypes
import Testing

@testable import Preloading

@Suite("MIME Sniffing §4.6: servers give one kind of content several types")
struct MediaTypeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var listed: String
        var sent: String
        var isTaken: Bool
        var testDescription: String { "\(listed) listed, \(sent) sent: \(isTaken ? "taken" : "refused")" }
    }

    private static let rows = [
        Row(listed: "text/javascript", sent: "application/javascript; charset=utf-8", isTaken: true),
        Row(listed: "text/javascript", sent: "Text/X-JavaScript", isTaken: true),
        Row(listed: "font/woff2", sent: "application/font-woff2", isTaken: true),
        Row(listed: "image/vnd.microsoft.icon", sent: "image/x-icon", isTaken: true),
        Row(listed: "application/json", sent: "application/manifest+json", isTaken: true),
        Row(listed: "text/css", sent: "text/css", isTaken: true),
        Row(listed: "text/javascript", sent: "text/html", isTaken: false),
        Row(listed: "text/javascript", sent: "text/css", isTaken: false),
        Row(listed: "text/css", sent: "text/plain", isTaken: false),
        Row(listed: "application/wasm", sent: "application/octet-stream", isTaken: false),
    ]

    @Test("a file is taken under any name of its kind, and refused under another", arguments: rows)
    func kinds(_ row: Row) async throws {
        let bench = try PreloadBench()
        var item = bench.file("/a", "content", [.cacheControl: "max-age=60", .contentType: row.sent])
        item.type = row.listed
        let summary = await bench.preload([item])
        #expect(summary.refused == (row.isTaken ? [:] : [.type: 1]))
    }
}
