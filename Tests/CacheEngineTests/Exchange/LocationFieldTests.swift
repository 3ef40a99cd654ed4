import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Where a redirect leads, as it is handed on", .timeLimit(.minutes(5)))
struct LocationFieldTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var status = 302
        var location: String
        var isRefused = true
        var testDescription: String { "\(status) \(location.debugDescription)" }
    }

    @Test(
        "Fetch §4.4 step 4: a redirect to file: is answered with 502 and its reason, and is not stored",
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

    @Test(
        "RFC 9110 §10.2.2: octets beyond ASCII are handed on as escapes, whatever they are encoded in",
        arguments: [
            (Array("/größe?q=ß".utf8), "/gr%C3%B6%C3%9Fe?q=%C3%9F"), ([0x2F, 0xF6], "/%F6"),
            (Array("https://bücher.example/%20".utf8), "https://b%C3%BCcher.example/%20"), (Array("/a".utf8), "/a"),
        ])
    func octets(_ location: [UInt8], _ wanted: String) async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in
            var response = ScriptedTransport.answer(302, [.cacheControl: "max-age=600"], body: "b")
            response.head.headerFields.append(HTTPField(name: .location, lenientValue: location))
            return response
        }
        for _ in 0..<2 {
            #expect(try await bench.text("/a").0.head.headerFields[.location] == wanted)
        }
        #expect(bench.transport.requests.count == 1)
    }
}
