import CacheRules
import Foundation
import HTTPTypes
import Testing

@testable import PageAudit

@Suite("HAR files, read and written")
struct HARFileTests {
    @Test("what is written is read again, and has what HAR 1.2 wants of each entry")
    func roundTrip() throws {
        var exchange = RecordedExchange(
            url: "https://shop.test/a.css?x=1&y=a%20b", destination: .style, status: 200,
            request: [.accept: "text/css"], response: [.contentType: "text/css", .eTag: "\"1\""], size: 12,
            start: 1_700_000_000_123, waited: 3, took: 8)
        let bytes = try HARFile.write(
            [exchange], page: ("https://shop.test/", "Shop"), loaded: (5, 9), version: "1")
        #expect(try HARFile.read(bytes) == [exchange])
        #expect(try HARFile.read(Data([0xEF, 0xBB, 0xBF]) + bytes) == [exchange])
        let log = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: [String: Any]])["log"]
        let entry = try #require((log?["entries"] as? [[String: Any]])?.first)
        let wanted = ["startedDateTime", "time", "request", "response", "cache", "timings", "pageref"]
        #expect(Set(wanted).isSubset(of: entry.keys))
        #expect(entry["startedDateTime"] as? String == "2023-11-14T22:13:20.123Z")
        let query = (entry["request"] as? [String: Any])?["queryString"] as? [[String: String]]
        #expect(query == [["name": "x", "value": "1"], ["name": "y", "value": "a b"]])
        exchange.status = 999
        #expect(throws: HARFile.Problem.self) {
            try HARFile.read(HARFile.write([exchange], page: ("", ""), loaded: (nil, nil), version: "1"))
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var isRead = false
        var testDescription: String { String(text.prefix(80)) }
    }

    private static func file(_ entry: String) -> String { "{\"log\":{\"version\":\"1.1\",\"entries\":[\(entry)]}}" }

    private static let rows = [
        Row(text: ""), Row(text: "<html>"), Row(text: "{}"), Row(text: "{\"log\":{}}"), Row(text: file("")),
        Row(text: file("{}")), Row(text: file("1")), Row(text: String(repeating: "[", count: 100_000)),
        // A request that a browser gave up has status 0; others are no pages of a server.
        Row(text: file("{\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/\"},\"response\":{\"status\":0}}")),
        Row(text: file("{\"request\":{\"method\":\"GET\",\"url\":\"data:,a\"},\"response\":{\"status\":200}}")),
        Row(text: file("{\"request\":{\"method\":\"G T\",\"url\":\"https://a.test/\"},\"response\":{\"status\":200}}")),
        Row(
            text: file("{\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/\"},\"response\":{\"status\":1e300}}")
        ),
        Row(
            text: file(
                "{\"_larder\":{\"outcome\":\"failed\",\"failure\":\"It is gone.\"},\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/\"},\"response\":{\"status\":504}}"
            )),
        // The least that a page of a server has.
        Row(
            text: file(
                "{\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/#x\"},\"response\":{\"status\":200,\"content\":{\"size\":-1e99}}}"
            ),
            isRead: true),
        Row(
            text: file(
                "{\"startedDateTime\":\"never\",\"time\":null,\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/\",\"headers\":[{\"name\":\":path\",\"value\":\"/\"},{\"name\":\"a\",\"value\":\"1\\n2\"}]},\"response\":{\"status\":200}}"
            ),
            isRead: true),
    ]

    @Test("wrong files are named as that, odd ones are read", arguments: rows)
    func odd(_ row: Row) throws {
        let read = Result { try HARFile.read(Data(row.text.utf8)) }
        switch read {
        case .success(let found):
            #expect(row.isRead && found.count == 1 && found[0].url == "https://a.test/")
            if let name = HTTPField.Name("a"), found[0].request.contains(name) {
                #expect(found[0].request[values: name] == ["1", "2"])
            }
        case .failure(let problem):
            #expect(!row.isRead && !"\(problem)".isEmpty)
        }
    }

    @Test("an entry that can't be read costs no other one, and what lets somebody in is not written")
    func lenient() throws {
        let good = "{\"request\":{\"method\":\"GET\",\"url\":\"https://a.test/\"},\"response\":{\"status\":200}}"
        let found = try HARFile.read(Data(Self.file("null,\(good),{\"response\":{\"status\":\"ok\"}},7").utf8))
        #expect(found.map(\.url) == ["https://a.test/"])
        let token = try #require(HTTPField.Name("X-CSRF-Token"))
        let exchange = RecordedExchange(
            url: "https://a.test/", destination: .document, status: 302, request: [token: "abc"],
            response: [.location: "https://bob:hunter2@a.test/b", .setCookie: "id=secret"], size: 0, start: 0)
        let text = String(
            decoding: try HARFile.write([exchange], page: ("", ""), loaded: (nil, nil), version: "1"), as: UTF8.self)
        for secret in ["abc", "hunter2", "id=secret"] { #expect(!text.contains(secret)) }
        #expect(text.contains("https://a.test/b"))
    }
}
