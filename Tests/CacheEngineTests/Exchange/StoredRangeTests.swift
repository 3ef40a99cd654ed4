import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9110 §14.2: ranges of a stored response", .timeLimit(.minutes(5)))
struct StoredRangeTests {
    @Test(
        "fields say what is true of the answer: a digest is of its own content (RFC 9530 §2), a coding of all of it",
        arguments: [
            (nil, nil, 200, ["Content-Digest", "Content-Encoding", "ETag", "Repr-Digest"]),
            ("bytes=0-9", nil, 206, ["Content-Encoding", "ETag", "Repr-Digest"]),
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

    @Test(
        "§14.2 \"A server MAY ignore the Range header field\": several ranges get the whole",
        arguments: ["bytes=0-1,4-5", "bytes=0-0, -1", "bytes=0-9,100000-", "bytes=100000-,200000-", "bytes=0-1,x"],
        Bench.StoreKind.allCases)
    func several(_ range: String, _ kind: Bench.StoreKind) async throws {
        let bench = try await Self.filled(kind)
        let response = await bench.send("/a", [.range: range])
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.contentType] == "image/png")
        #expect(response.head.headerFields[.contentLength] == "100000")
        #expect(try await response.body.collect(upTo: .mebibytes(1)) == PatternedContent.octets(100_000))
        #expect(bench.transport.requests.count == 1)
    }

    @Test("several ranges of what is stored in part go to the origin as they came")
    func fromParts() async throws {
        let bench = try Bench()
        let origin = RangeOrigin(body: PatternedContent.octets(100), tag: "\"1\"")
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        let inside = await bench.send("/a", [.range: "bytes=0-1,4-5"])
        #expect(inside.head.status == .ok)
        #expect(try await inside.body.collect(upTo: .mebibytes(1)) == origin.body)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=0-1,4-5")
    }

    @Test("conditions come first, and HEAD has no ranges")
    func conditions() async throws {
        let bench = try await Self.filled(.memory)
        let range: HTTPField.Name = .range
        #expect(try await bench.seen("/a", [range: "bytes=4-5", .ifNoneMatch: "\"1\""]).status == 304)
        #expect(try await bench.seen("/a", [range: "bytes=4-5", .ifRange: "\"2\""]).status == 200)
        #expect(try await bench.seen("/a", [range: "bytes=4-5", .ifRange: "\"1\""]).status == 206)
        // §14.2: "range handling is not defined" for it.
        let head = await bench.send("/a", [range: "bytes=4-5"], method: .head)
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
}
