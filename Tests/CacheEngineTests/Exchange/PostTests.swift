import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9110 §9.3.3: responses to POST", .timeLimit(.minutes(5)))
struct PostTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var method: HTTPRequest.Method = .post
        var status = 200
        var fields: HTTPFields
        var presented: HTTPFields = [:]
        var kind = CacheKind.private
        var isStored: Bool
        var source: String
        var testDescription: String { "\(method) \(status) \(fields) in \(kind): \(isStored), as \(source)" }
    }

    private static let both =
        "\"include explicit freshness information … and a Content-Location … that has the same value\""
    private static let rows: [Row] = [
        Row(fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: true, source: both),
        Row(
            fields: [.cacheControl: "max-age=60", .contentLocation: "https://example.com/a"], isStored: true,
            source: both),
        Row(
            fields: [.expires: "Wed, 15 Nov 2023 22:13:20 GMT", .contentLocation: "a"], isStored: true,
            source: "Expires is explicit, and the reference is relative"),
        Row(
            fields: [.cacheControl: "s-maxage=60", .contentLocation: "/a"], kind: .shared, isStored: true,
            source: "RFC 9111 §4.2.1, in a shared cache"),
        Row(
            fields: [.cacheControl: "s-maxage=60", .contentLocation: "/a"], isStored: false,
            source: "RFC 9111 §4.2.1: not in a private cache"),
        Row(fields: [.cacheControl: "max-age=60"], isStored: false, source: both),
        Row(fields: [.cacheControl: "max-age=60", .contentLocation: "/b"], isStored: false, source: both),
        Row(fields: [.cacheControl: "max-age=60", .contentLocation: "/a?"], isStored: false, source: both),
        Row(
            fields: [.cacheControl: "max-age=60", .contentLocation: "http://example.com/a"], isStored: false,
            source: both),
        Row(
            fields: [.cacheControl: "max-age=60", .contentLocation: "https://other.example/a"], isStored: false,
            source: both),
        Row(fields: [.contentLocation: "/a"], isStored: false, source: both),
        Row(
            fields: [.contentLocation: "/a", .lastModified: "Tue, 14 Nov 2022 22:13:20 GMT"], isStored: false,
            source: "heuristic freshness is not explicit"),
        Row(
            fields: [.cacheControl: "public", .contentLocation: "/a"], isStored: false, source: "public states no time"),
        Row(
            status: 201, fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: false,
            source: "not storing is always allowed; only a 200 is"),
        Row(
            status: 404, fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: false,
            source: "not storing is always allowed; only a 200 is"),
        Row(
            fields: [.cacheControl: "max-age=60, no-store", .contentLocation: "/a"], isStored: false,
            source: "RFC 9111 §3"),
        Row(
            fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], presented: [.cacheControl: "no-store"],
            isStored: false, source: "RFC 9111 §5.2.1.5"),
        Row(
            fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], presented: [.authorization: "Basic x"],
            kind: .shared, isStored: false, source: "RFC 9111 §3.5"),
        Row(
            method: .put, fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: false,
            source: "RFC 9110 §9.3.4 \"Responses to the PUT method are not cacheable\""),
        Row(
            method: .delete, fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: false,
            source: "RFC 9110 §9.3.5 \"Responses to the DELETE method are not cacheable\""),
        Row(
            method: .patch, fields: [.cacheControl: "max-age=60", .contentLocation: "/a"], isStored: false,
            source: "only GET and POST are understood"),
    ]

    @Test("which responses are stored; they answer GET and HEAD, never a POST", arguments: rows)
    func stored(_ row: Row) async throws {
        let bench = try Bench(cacheKind: row.kind)
        bench.answer("/a", row.status, row.fields, body: "posted")
        #expect(
            try await bench.seen("/a", row.presented, method: row.method) == Seen(row.status, "posted", requests: 1))
        #expect(try await bench.store.usage().entries == (row.isStored ? 1 : 0))
        bench.answer("/a", 200, [.cacheControl: "no-store"], body: "got")
        let (text, requests) = row.isStored ? ("posted", 0) : ("got", 1)
        #expect(try await bench.seen("/a") == Seen(200, text, requests: requests))
        #expect(try await bench.seen("/a", method: .head).requests == requests)
        // RFC 9111 §4: unsafe, so it is written through.
        #expect(try await bench.seen("/a", method: row.method) == Seen(200, "got", requests: 1))
    }

    @Test("a stored response to POST replaces the ones that the POST invalidates")
    func replaces() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        bench.answer(
            "/a", 200, [.cacheControl: "max-age=60", .contentLocation: "/a", .eTag: "\"2\""], body: "new")
        _ = try await bench.seen("/a", method: .post)
        #expect(try await bench.seen("/a") == Seen(200, "new", requests: 0))
        // A POST whose response may not be stored leaves nothing (RFC 9111 §4.4).
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "done")
        _ = try await bench.seen("/a", method: .post)
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("a POST that fails leaves the stored response", arguments: [400, 404, 500, 503])
    func failed(_ status: Int) async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "old")
        try await bench.fill("/a")
        bench.answer("/a", status, [.cacheControl: "max-age=60", .contentLocation: "/a"], body: "error")
        #expect(try await bench.seen("/a", method: .post) == Seen(status, "error", requests: 1))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 0))
    }

    @Test("RFC 9111 §4.1: the POST's own fields are the nominated ones")
    func varies() async throws {
        let bench = try Bench()
        bench.answer(
            "/a", 200, [.cacheControl: "max-age=60", .contentLocation: "/a", .vary: "Accept-Language"],
            body: "english")
        _ = try await bench.seen("/a", [.acceptLanguage: "en"], method: .post)
        #expect(try await bench.seen("/a", [.acceptLanguage: "en"]).requests == 0)
        #expect(try await bench.seen("/a", [.acceptLanguage: "de"]).requests == 1)
    }

    @Test("RFC 9111 §3.3: an incomplete response is stored for a GET only")
    func brokenOff() async throws {
        let bench = try Bench()
        var origin = RangeOrigin(body: PatternedContent.octets(1_000), tag: "\"1\"")
        origin.fields[.contentLocation] = "/a"
        let fixed = origin
        bench.transport.on(Bench.base + "/a") { _ in fixed.broken(after: 400) }
        _ = await Bench.received(await bench.send("/a", method: .post))
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("two concurrent POSTs are two requests")
    func neverShared() async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            try await gate.pass()
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .contentLocation: "/a"], body: "x")
        }
        let posts = (0..<2).map { _ in Task { try await bench.text("/a", method: .post).text } }
        try await gate.arrivals(2)
        gate.open()
        for post in posts { #expect(try await post.value == "x") }
        #expect(bench.transport.requests.count == 2)
    }
}
