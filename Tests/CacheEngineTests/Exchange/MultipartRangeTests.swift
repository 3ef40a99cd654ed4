import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9110 §14.2, §15.3.7.2: several ranges from a stored response", .timeLimit(.minutes(5)))
struct MultipartRangeTests {
    enum Expected: Sendable {
        /// `multipart/byteranges` with these parts, in this order.
        case several([Range<Int>])
        /// An ordinary 206.
        case single(Range<Int>)
        case whole
        case notSatisfiable
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var range: String
        var expected: Expected
        var source: String
        var testDescription: String { "\(range): \(expected), as \(source)" }
    }

    /// For a representation of 100,000 bytes.
    private static let rows: [Row] = [
        Row(range: "bytes=0-1,4-5", expected: .several([0..<2, 4..<6]), source: "§15.3.7.2"),
        Row(range: "bytes=0-0, -1", expected: .several([0..<1, 99_999..<100_000]), source: "§14.1.2, the example"),
        Row(
            range: "bytes=500-999,0-99", expected: .several([500..<1_000, 0..<100]),
            source: "§15.3.7.2 \"in the same order that the corresponding range-spec appeared\""),
        Row(
            range: "bytes=0-40000,50000-90000,99999-",
            expected: .several([0..<40_001, 50_000..<90_001, 99_999..<100_000]),
            source: "parts of any size"),
        Row(
            range: "bytes=0-9,100000-", expected: .single(0..<10),
            source: "§15.3.7.2: one satisfiable range that remains \"MUST NOT\" be multipart"),
        Row(
            range: "bytes=5-5", expected: .single(5..<6), source: "§15.3.7.2 \"MUST NOT generate a multipart response\""
        ),
        Row(range: "bytes=100000-,200000-", expected: .notSatisfiable, source: "§15.5.17"),
        Row(range: "bytes=0-1,x", expected: .whole, source: "§14.2: an invalid ranges-specifier may be ignored"),
        Row(range: "bytes=0-1,5-4", expected: .whole, source: "§14.1.1: last before first makes it invalid"),
        Row(
            range: "bytes=0-,0-,0-,0-", expected: .whole,
            source: "§14.2: more than two overlapping ranges may be ignored"),
    ]

    @Test(
        "fields say what is true of the answer: a digest is of its own content (RFC 9530 §2), a coding of all of it",
        arguments: [
            (nil, nil, 200, ["Content-Digest", "Content-Encoding", "ETag", "Repr-Digest"]),
            ("bytes=0-9", nil, 206, ["Content-Encoding", "ETag", "Repr-Digest"]),
            // RFC 9110 §8.4, §14.6: the content of a multipart answer has no coding; its parts can't state one.
            ("bytes=0-9,20-29", nil, 200, ["Content-Digest", "Content-Encoding", "ETag", "Repr-Digest"]),
            ("bytes=900000-", nil, 416, ["Repr-Digest"]),
            (nil, "no-cache", 200, ["Content-Digest", "Content-Encoding", "ETag", "Repr-Digest"]),
        ] as [(String?, String?, Int, [String])])
    func fields(range: String?, control: String?, status: Int, kept: [String]) async throws {
        let bench = try Bench()
        let digest = try #require(HTTPField.Name("Content-Digest"))
        let whole = try #require(HTTPField.Name("Repr-Digest"))
        bench.transport.on(Bench.base + "/a") { request in
            var fields: HTTPFields = [
                .cacheControl: "max-age=60", .eTag: "\"1\"", .contentEncoding: "gzip", .setCookie: "a=b",
                digest: "whole", whole: "whole",
            ]
            guard request.head.headerFields.contains(.ifNoneMatch) else {
                return ScriptedTransport.answer(200, fields, body: PatternedContent.octets(100_000))
            }
            fields[digest] = "none"
            return ScriptedTransport.answer(304, fields)
        }
        try await bench.fill("/a", [.acceptEncoding: "gzip"])
        var fields: HTTPFields = [.acceptEncoding: "gzip"]
        (fields[.range], fields[.cacheControl]) = (range, control)
        let answer = try await bench.text("/a", fields).response
        #expect(answer.head.status.code == status)
        let names = ["Content-Digest", "Content-Encoding", "ETag", "Repr-Digest"].filter { name in
            HTTPField.Name(name).map { answer.head.headerFields.contains($0) } == true
        }
        #expect(names == kept)
        #expect(answer.head.headerFields[digest] != "none", "RFC 9111 §3.2: a 304 has no content to tell of")
        if status == 416 { #expect(!answer.head.headerFields.contains(.cacheControl)) }
    }

    private static func filled(_ kind: Bench.StoreKind, _ fields: HTTPFields = [.contentType: "image/png"]) async throws
        -> Bench
    {
        let bench = try Bench(kind)
        var fields = fields
        fields[.cacheControl] = "max-age=60"
        fields[.eTag] = "\"1\""
        let fixed = fields
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, fixed, body: PatternedContent.octets(100_000))
        }
        try await bench.fill("/a")
        return bench
    }

    @Test("each set of ranges", arguments: rows, Bench.StoreKind.allCases)
    func ranges(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try await Self.filled(kind)
        let body = PatternedContent.octets(100_000)
        let response = await bench.send("/a", [.range: row.range])
        let fields = response.head.headerFields
        let bytes = try await response.body.collect(upTo: .mebibytes(1))
        #expect(fields[.contentLength] == String(bytes.count))
        #expect(bench.transport.requests.count == 1)
        switch row.expected {
        case .whole:
            #expect(response.head.status == .ok && bytes == body)
        case .notSatisfiable:
            #expect(response.head.status == .rangeNotSatisfiable)
            #expect(fields[.contentRange] == "bytes */100000")
        case .single(let range):
            #expect(response.head.status == .partialContent && bytes == Array(body[range]))
            #expect(fields[.contentRange] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/100000")
            #expect(fields[.contentType] == "image/png")
        case .several(let ranges):
            #expect(response.head.status == .partialContent)
            // "MUST NOT generate a Content-Range header field in the HTTP header section of a multiple part response".
            #expect(fields[.contentRange] == nil)
            let read = try #require(ReadMultipart(bytes, contentType: fields[.contentType] ?? ""))
            #expect(
                read.parts
                    == ranges.map {
                        .init(
                            contentType: "image/png",
                            contentRange: "bytes \($0.lowerBound)-\($0.upperBound - 1)/100000",
                            bytes: Array(body[$0]))
                    })
        }
    }

    @Test("parts that overlap give every byte that was requested")
    func overlapping() async throws {
        let bench = try await Self.filled(.disk)
        let body = PatternedContent.octets(100_000)
        let response = await bench.send("/a", [.range: "bytes=0-4,3-6,50000-50001"])
        let bytes = try await response.body.collect(upTo: .mebibytes(1))
        let read = try #require(ReadMultipart(bytes, contentType: response.head.headerFields[.contentType] ?? ""))
        // §15.3.7.2: a server "MAY coalesce any of the ranges that overlap".
        let all = read.parts.map(\.bytes)
        #expect(
            all == [Array(body[0..<7]), Array(body[50_000..<50_002])]
                || all == [Array(body[0..<5]), Array(body[3..<7]), Array(body[50_000..<50_002])])
    }

    @Test("a response without a type has parts without one")
    func withoutType() async throws {
        let bench = try await Self.filled(.memory, [:])
        let response = await bench.send("/a", [.range: "bytes=0-1,4-5"])
        let bytes = try await response.body.collect(upTo: .mebibytes(1))
        let read = try #require(ReadMultipart(bytes, contentType: response.head.headerFields[.contentType] ?? ""))
        #expect(read.parts.map(\.contentType) == [nil, nil])
    }

    @Test("conditions come first, and HEAD has no ranges")
    func conditions() async throws {
        let bench = try await Self.filled(.memory)
        let range: HTTPField.Name = .range
        #expect(try await bench.seen("/a", [range: "bytes=0-1,4-5", .ifNoneMatch: "\"1\""]).status == 304)
        #expect(try await bench.seen("/a", [range: "bytes=0-1,4-5", .ifRange: "\"2\""]).status == 200)
        #expect(try await bench.seen("/a", [range: "bytes=0-1,4-5", .ifRange: "\"1\""]).status == 206)
        // §14.2: "range handling is not defined" for it.
        let head = await bench.send("/a", [range: "bytes=0-1,4-5"], method: .head)
        #expect(head.head.status == .ok && head.head.headerFields[.contentLength] == "100000")
    }

    @Test(
        "§14.2: a range selects a part of a 200; every other stored response is sent whole",
        arguments: [301, 308, 404, 410, 203, 300])
    func otherStatus(_ status: Int) async throws {
        let bench = try Bench()
        bench.answer(
            "/a", status, [.cacheControl: "max-age=60", .location: "/b", .eTag: "\"1\""], body: "0123456789")
        try await bench.fill("/a")
        for range in ["bytes=0-1", "bytes=50-", "bytes=0-1,4-5"] {
            let seen = try await bench.seen("/a", [.range: range])
            #expect(seen == Seen(status, "0123456789", requests: 0))
        }
    }

    @Test("several ranges of a stored part are right, from the store or the origin")
    func fromParts() async throws {
        let bench = try Bench()
        let origin = RangeOrigin(body: PatternedContent.octets(100), tag: "\"1\"")
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        let inside = await bench.send("/a", [.range: "bytes=0-1,4-5"])
        let bytes = try await inside.body.collect(upTo: .mebibytes(1))
        if inside.head.status == .ok {
            #expect(bytes == origin.body)
        } else {
            let read = ReadMultipart(bytes, contentType: inside.head.headerFields[.contentType] ?? "")
            #expect(read?.parts.map(\.bytes) == [Array(origin.body[0..<2]), Array(origin.body[4..<6])])
        }
    }

    @Test("a boundary never occurs in the content that it separates")
    func boundary() async throws {
        let bench = try await Self.filled(.memory)
        let first = await bench.send("/a", [.range: "bytes=0-1,4-5"])
        _ = try await first.body.collect(upTo: .mebibytes(1))
        let type = try #require(first.head.headerFields[.contentType])
        let boundary = try #require(type.split(separator: "=").last).filter { $0 != "\"" }
        // Content by an author who has seen the last boundary.
        let content = "0123\r\n--\(boundary)\r\n\r\n4567\r\n--\(boundary)--\r\nrest"
        bench.answer("/b", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: content)
        try await bench.fill("/b")
        let response = await bench.send("/b", [.range: "bytes=0-\(content.utf8.count - 5),\(content.utf8.count - 2)-"])
        let bytes = try await response.body.collect(upTo: .mebibytes(1))
        let read = try #require(ReadMultipart(bytes, contentType: response.head.headerFields[.contentType] ?? ""))
        #expect(read.parts.map { String(decoding: $0.bytes, as: UTF8.self) } == [String(content.dropLast(4)), "st"])
    }
}
