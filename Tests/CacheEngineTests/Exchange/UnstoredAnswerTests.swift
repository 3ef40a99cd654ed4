import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Answers that are not stored, beside those that are", .timeLimit(.minutes(5)))
struct UnstoredAnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status: Int
        var fields: HTTPFields
        /// Whether the stored response is asked about from then on.
        var outdates = true
        var testDescription: String { "\(status) \(fields)" }
    }

    private static let rows = [
        Row(status: 200, fields: [.cacheControl: "no-store"]), Row(status: 200, fields: [.vary: "*"]),
        Row(status: 404, fields: [.cacheControl: "no-store"]), Row(status: 403, fields: [:]),
        Row(status: 302, fields: [.location: "/sign-in", .cacheControl: "no-store"]),
        // Servers that fail, or are asked too much, say nothing about the file.
        Row(status: 429, fields: [:], outdates: false), Row(status: 503, fields: [:], outdates: false),
        Row(status: 408, fields: [:], outdates: false),
    ]

    @Test(
        "RFC 9111 §4.3.3: what a reload has shown to be outdated does not answer the next request unasked",
        arguments: rows, [CacheKind.private, .shared])
    func reload(_ row: Row, _ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        bench.answer("/a", 200, [.cacheControl: "max-age=600", .eTag: "\"1\""], body: "old")
        _ = try await bench.seen("/a")
        bench.answer("/a", row.status, row.fields, body: "new")
        for reload in ["no-cache", "max-age=0"] {
            _ = try await bench.seen("/a", [.cacheControl: reload])
            let next = try await bench.seen("/a")
            #expect(next.text == (row.outdates ? "new" : "old") && next.requests == (row.outdates ? 1 : 0), "\(next)")
        }
        // Once the origin says so, it answers again.
        bench.answer("/a", 304, [.eTag: "\"1\""])
        for requests in [row.outdates ? 1 : 0, 0] {
            let next = try await bench.seen("/a")
            #expect(next.text == "old" && next.requests == requests, "\(next)")
        }
    }

    @Test(
        "HTML, navigate: with 204 and 205 the page stays that is shown, and so does the stored one; an empty one is a fault",
        arguments: [(204, ""), (205, ""), (200, ""), (200, "new")])
    func nothingToShow(status: Int, body: String) async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        func get(_ connectivity: Connectivity) async throws -> String {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")
            let context = ExchangeContext(destination: .document, connectivity: connectivity)
            let text = try await Bench.read(await bench.cache.respond(to: EngineRequest(head: head, context: context)))
            await bench.cache.waitForCommits()
            return text
        }
        bench.answer("/a", 200, [.contentType: "text/html"], body: "old")
        #expect(try await get(.connected) == "old")
        bench.clock.advance(by: .seconds(60))
        bench.answer("/a", status, [.contentType: "text/html", .contentLength: "\(body.utf8.count)"], body: body)
        #expect(try await get(.connected) == body)
        #expect(try await get(.disconnected) == (body.isEmpty ? "old" : body))
    }
}
