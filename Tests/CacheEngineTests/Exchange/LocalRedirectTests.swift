import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Fetch §4.4 step 4: no response from the network leads to a file", .timeLimit(.minutes(5)))
struct LocalRedirectTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status = 302
        var location: String
        var isRefused = true
        var testDescription: String { "\(status) \(location.debugDescription)" }
    }

    @Test(
        "a redirect to file: is answered with 502 and its reason, and is not stored",
        arguments: [
            Row(location: "file:///etc/hostname"), Row(location: "FILE:///etc/hostname"), Row(location: "file:etc"),
            Row(location: " \tfi\tle:/a"), Row(status: 301, location: "file:///a"),
            Row(status: 303, location: "file:///a"), Row(status: 307, location: "file:///a"),
            Row(status: 308, location: "file:///a"), Row(status: 300, location: "file:///a"),
            Row(location: "https://example.com/b", isRefused: false), Row(location: "file", isRefused: false),
            Row(location: "./file:///a", isRefused: false), Row(location: "files:a", isRefused: false),
            Row(location: "tel:+4912345", isRefused: false), Row(location: "", isRefused: false),
            // RFC 9110 §15.3.2: where the new resource is, and no redirect.
            Row(status: 201, location: "file:///a", isRefused: false),
        ])
    func refused(_ row: Row) async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(row.status, [.location: row.location, .cacheControl: "max-age=600"], body: "b")
        }
        let (response, text) = try await bench.text("/a")
        #expect(response.head.status.code == (row.isRefused ? 502 : row.status))
        #expect((response.failure?.code == .redirectRefused) == row.isRefused)
        #expect(text.contains("file of this machine") == row.isRefused)
        #expect(!row.isRefused || response.head.headerFields[.location] == nil)
        guard row.isRefused else { return }
        _ = try await bench.text("/a")
        #expect(bench.transport.requests.count == 2)
        #expect(response.cacheStatus.detail == "redirect")
    }
}
