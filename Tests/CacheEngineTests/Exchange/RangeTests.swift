import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9110 §14: ranges", .timeLimit(.minutes(5)))
struct RangeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields
        var status: Int
        var text: String
        var contentRange: String?
        var testDescription: String { "\(fields)" }
    }

    private static let modified = "Tue, 14 Nov 2023 21:00:00 GMT"
    private static let rows: [Row] = [
        Row(fields: [.range: "bytes=0-0"], status: 206, text: "0", contentRange: "bytes 0-0/10"),
        Row(fields: [.range: "bytes=2-4"], status: 206, text: "234", contentRange: "bytes 2-4/10"),
        Row(fields: [.range: "bytes=7-"], status: 206, text: "789", contentRange: "bytes 7-9/10"),
        Row(fields: [.range: "bytes=7-99"], status: 206, text: "789", contentRange: "bytes 7-9/10"),
        Row(fields: [.range: "bytes=-3"], status: 206, text: "789", contentRange: "bytes 7-9/10"),
        Row(fields: [.range: "bytes=-99"], status: 206, text: "0123456789", contentRange: "bytes 0-9/10"),
        // §14.1.2: not satisfiable.
        Row(fields: [.range: "bytes=10-"], status: 416, text: "", contentRange: "bytes */10"),
        Row(fields: [.range: "bytes=-0"], status: 416, text: "", contentRange: "bytes */10"),
        // §14.2: a server may ignore what it does not understand.
        Row(fields: [.range: "bytes=4-2"], status: 200, text: "0123456789"),
        Row(fields: [.range: "lines=0-1"], status: 200, text: "0123456789"),
        // §13.1.5: If-Range compares strongly, a date must be exactly Last-Modified.
        Row(fields: [.range: "bytes=2-4", .ifRange: "\"1\""], status: 206, text: "234", contentRange: "bytes 2-4/10"),
        Row(fields: [.range: "bytes=2-4", .ifRange: "\"2\""], status: 200, text: "0123456789"),
        Row(fields: [.range: "bytes=2-4", .ifRange: "W/\"1\""], status: 200, text: "0123456789"),
        Row(fields: [.range: "bytes=2-4", .ifRange: modified], status: 206, text: "234", contentRange: "bytes 2-4/10"),
        Row(
            fields: [.range: "bytes=2-4", .ifRange: "Tue, 14 Nov 2023 21:00:01 GMT"], status: 200,
            text: "0123456789"),
        // §13.2.2: If-None-Match comes before Range.
        Row(fields: [.range: "bytes=2-4", .ifNoneMatch: "\"1\""], status: 304, text: ""),
    ]

    @Test("a range is answered from the stored whole", arguments: rows)
    func fromStored(_ row: Row) async throws {
        let bench = try Bench()
        bench.answer(
            "/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: Self.modified],
            body: "0123456789")
        try await bench.fill("/a")
        let (response, text) = try await bench.text("/a", row.fields)
        #expect(response.head.status.code == row.status)
        #expect(text == row.text)
        #expect(response.head.headerFields[.contentRange] == row.contentRange)
        #expect(response.head.headerFields[.contentLength] == (row.status == 304 ? nil : String(text.utf8.count)))
        #expect(bench.transport.requests.count == 1)
    }

    @Test("a range of a large body is read from its file")
    func fromFile() async throws {
        let bench = try Bench(.disk)
        let body = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: body)
        }
        try await bench.fill("/a")
        let response = await bench.send("/a", [.range: "bytes=65535-131072"])
        guard case .file = response.body else {
            Issue.record("a large body should be delivered as a file")
            return
        }
        #expect(response.body.length == 65_538)
        #expect(try await response.body.collect(upTo: .mebibytes(1)) == Array(body[65_535...131_072]))
    }

    @Test("§15.3.7.3: a 206 that holds the whole is stored as 200", arguments: Bench.StoreKind.allCases)
    func wholePartial(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer(
            "/a", 206, [.cacheControl: "max-age=60", .contentRange: "bytes 0-9/10"], body: "0123456789")
        let (miss, text) = try await bench.text("/a", [.range: "bytes=0-"])
        #expect(miss.head.status == .partialContent && text == "0123456789")
        try await bench.store.commits(atLeast: 1)
        let (hit, whole) = try await bench.text("/a")
        #expect(hit.head.status == .ok && hit.cacheStatus.isHit && whole == "0123456789")
        #expect(hit.head.headerFields[.contentRange] == nil)
        #expect(try await bench.text("/a", [.range: "bytes=2-3"]).text == "23")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("with nothing stored a range reaches the origin unchanged")
    func missPassesRange() async throws {
        let bench = try Bench()
        bench.answer("/a", 206, [.contentRange: "bytes 2-3/10"], body: "23")
        _ = try await bench.text("/a", [.range: "bytes=2-3", .ifRange: "\"1\""])
        let sent = bench.transport.requests.first?.head.headerFields
        #expect(sent?[.range] == "bytes=2-3" && sent?[.ifRange] == "\"1\"")
    }

    @Test("a stale whole is validated as a whole, and the range answered from it")
    func staleWhole() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in
                    ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "0123456789")
                },
                { _ in ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"]) },
            ])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        let (response, text) = try await bench.text("/a", [.range: "bytes=2-4"])
        #expect(response.head.status == .partialContent && text == "234")
        #expect(bench.transport.requests.last?.head.headerFields[.range] == nil)
    }
}
