import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9213: CDN-Cache-Control in a shared cache", .timeLimit(.minutes(5)))
struct TargetedFieldTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var targeted: String
        var cacheControl: String?
        var expires: String?
        var presented: HTTPFields = [:]
        /// For how many seconds a request is a hit; `nil` if the response may not be stored.
        var sharedLifetime: Int64?
        var privateLifetime: Int64?
        var source: String
        var testDescription: String { "\(targeted); \(cacheControl ?? "–"); \(expires ?? "–"), as \(source)" }
    }

    private static let soon = "Tue, 14 Nov 2023 22:23:20 GMT"
    private static let rows: [Row] = [
        Row(
            targeted: "max-age=100", cacheControl: "max-age=600", sharedLifetime: 100, privateLifetime: 600,
            source: "§2.2: the targeted field decides, Cache-Control and Expires are ignored"),
        Row(
            targeted: "max-age=600", cacheControl: "no-store", sharedLifetime: 600, privateLifetime: nil,
            source: "§2.2, the example"),
        Row(
            targeted: "no-store", cacheControl: "max-age=600", sharedLifetime: nil, privateLifetime: 600,
            source: "§2.2, the example"),
        Row(targeted: "max-age=100", expires: soon, sharedLifetime: 100, privateLifetime: 600, source: "§2.2, Expires"),
        Row(targeted: "private", expires: soon, sharedLifetime: nil, privateLifetime: 600, source: "§2.2, private"),
        Row(
            targeted: "s-maxage=50, max-age=100", cacheControl: "max-age=600", sharedLifetime: 50,
            privateLifetime: 600, source: "§2.1: the same directives"),
        Row(
            targeted: "MAX-AGE=100", cacheControl: "max-age=600", sharedLifetime: 600, privateLifetime: 600,
            source: "§2.1, RFC 8941 §3.1.2: keys are in lower case, so this is no Dictionary"),
        Row(
            targeted: "", cacheControl: "max-age=600", sharedLifetime: 600, privateLifetime: 600,
            source: "§2.1: empty is ignored"),
        Row(
            targeted: "max-age=100,", cacheControl: "max-age=600", sharedLifetime: 600, privateLifetime: 600,
            source: "§2.1: \"parsing error … MUST be ignored\""),
        Row(
            targeted: "max-age=100; x=(", cacheControl: "max-age=600", sharedLifetime: 600, privateLifetime: 600,
            source: "§2.1: \"parsing error … MUST be ignored\""),
        Row(
            targeted: "max-age=100;note=1, unknown=(1 2)", cacheControl: "max-age=600", sharedLifetime: 100,
            privateLifetime: 600, source: "§2.1: unknown members and parameters are ignored"),
        Row(
            targeted: "max-age=100", cacheControl: "max-age=600, private",
            presented: [.authorization: "Basic x"], sharedLifetime: nil, privateLifetime: 600,
            source: "RFC 9111 §3.5, judged by the targeted field"),
        Row(
            targeted: "max-age=100, public", cacheControl: "private", presented: [.authorization: "Basic x"],
            sharedLifetime: 100, privateLifetime: 0, source: "RFC 9111 §3.5, judged by the targeted field"),
    ]

    @Test("a shared cache obeys the targeted field, a private one ignores it", arguments: rows, CacheKind.allCases)
    func lifetime(_ row: Row, _ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        var fields = HTTPFields()
        fields[try #require(HTTPField.Name("CDN-Cache-Control"))] = row.targeted
        (fields[.cacheControl], fields[.expires]) = (row.cacheControl, row.expires)
        bench.answer("/a", 200, fields, body: "x")
        _ = try await bench.seen("/a", row.presented)
        guard let lifetime = kind == .shared ? row.sharedLifetime : row.privateLifetime else {
            #expect(try await bench.store.usage().entries == 0)
            return
        }
        #expect(try await bench.store.usage().entries == 1)
        if lifetime > 0 {
            bench.clock.advance(by: .seconds(lifetime - 1))
            #expect(try await bench.seen("/a", row.presented).requests == 0)
            bench.clock.advance(by: .seconds(1))
        }
        #expect(try await bench.seen("/a", row.presented).requests == 1)
    }

    @Test(
        "§2.2: the fields that the deciding no-cache lists are left out",
        arguments: [
            ("no-cache=\"x-a\", max-age=60", "max-age=60", ["x-b"]),
            ("max-age=60", "no-cache=\"x-a\", max-age=60", ["x-a", "x-b"]),
        ])
    func listedFields(_ targeted: String, _ cacheControl: String, _ reused: [String]) async throws {
        let bench = try Bench(cacheKind: .shared)
        var fields: HTTPFields = [.cacheControl: cacheControl, .eTag: "\"1\""]
        let names = try ["x-a", "x-b"].map { try #require(HTTPField.Name($0)) }
        for name in names { fields[name] = "1" }
        fields[try #require(HTTPField.Name("CDN-Cache-Control"))] = targeted
        bench.answer("/a", 200, fields, body: "x")
        try await bench.fill("/a")
        func seen() async throws -> [String] {
            let head = try await bench.text("/a").0.head
            return names.filter { head.headerFields.contains($0) }.map(\.canonicalName)
        }
        #expect(try await seen() == reused)
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, fields)
        _ = try await seen()
        #expect(try await seen() == reused, "also after a 304")
        bench.answer("/a", 200, fields)
        _ = try await bench.seen("/a", method: .head)
        #expect(try await seen() == reused, "also after HEAD")
    }

    @Test("§2.2: its own Cache-Control governs a 304 without a targeted field", arguments: ["no-store", "private"])
    func unstorableNotModified(_ cacheControl: String) async throws {
        let bench = try Bench(cacheKind: .shared)
        var fields: HTTPFields = [.eTag: "\"1\""]
        fields[try #require(HTTPField.Name("CDN-Cache-Control"))] = "max-age=60"
        bench.answer("/a", 200, fields, body: "x")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: cacheControl])
        for _ in 0..<2 { #expect(try await bench.seen("/a") == Seen(200, "x", requests: 1)) }
    }

    @Test("a targeted field may have extensions as well: RFC 5861 and must-revalidate")
    func extensions() async throws {
        for (targeted, status) in [("max-age=60, stale-if-error=60", 200), ("max-age=60", 503)] {
            let bench = try Bench(cacheKind: .shared)
            var fields: HTTPFields = [.cacheControl: "max-age=600, stale-if-error=600", .eTag: "\"1\""]
            fields[try #require(HTTPField.Name("CDN-Cache-Control"))] = targeted
            bench.answer("/a", 200, fields, body: "x")
            try await bench.fill("/a")
            bench.clock.advance(by: .seconds(100))
            bench.answer("/a", 503, [:], body: "down")
            #expect(try await bench.seen("/a").status == status)
        }
    }
}
