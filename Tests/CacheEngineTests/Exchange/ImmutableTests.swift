import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 8246: immutable responses", .timeLimit(.minutes(5)))
struct ImmutableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var stored = "max-age=60, immutable"
        var age: Int64 = 10
        var presented: HTTPFields = [:]
        var mode = CacheMode.protocolDefault
        var asksOrigin: Bool
        var source: String
        var testDescription: String {
            "\(stored), \(age) s, \(presented), \(mode): \(asksOrigin ? "asks" : "does not ask"), as \(source)"
        }
    }

    private static let fresh: [Row] = [
        Row(asksOrigin: false, source: "§2: fresh"),
        Row(
            presented: [.cacheControl: "max-age=0"], asksOrigin: false,
            source: "§2 \"Clients SHOULD NOT issue a conditional request during the response's freshness lifetime\""),
        Row(presented: [.cacheControl: "max-age=5"], asksOrigin: false, source: "§2, as for max-age=0"),
        Row(
            presented: [.cacheControl: "no-cache"], asksOrigin: true,
            source: "§2 \"unless explicitly overridden by the user (e.g., a force reload)\""),
        Row(presented: [.pragma: "no-cache"], asksOrigin: true, source: "RFC 9111 §5.4, as no-cache"),
        Row(mode: .reload, asksOrigin: true, source: "§2: a force reload"),
        Row(mode: .noStore, asksOrigin: true, source: "Fetch §2.2.5"),
        Row(
            stored: "max-age=60, Immutable", presented: [.cacheControl: "max-age=0"], asksOrigin: false, source: "case"),
        Row(
            stored: "max-age=60, immutable=7", presented: [.cacheControl: "max-age=0"], asksOrigin: false,
            source: "§2 \"takes no arguments, and if any arguments are present, they have no meaning\""),
        Row(
            stored: "max-age=60", presented: [.cacheControl: "max-age=0"], asksOrigin: true,
            source: "RFC 9111 §5.2.1.1, without the directive"),
        Row(stored: "max-age=60, immutable, no-cache", asksOrigin: true, source: "RFC 9111 §5.2.2.4 stands"),
    ]

    private static let stale: [Row] = [
        Row(age: 60, asksOrigin: true, source: "§2: only \"during the freshness lifetime\""),
        Row(age: 70, presented: [.cacheControl: "max-age=0"], asksOrigin: true, source: "§2"),
        Row(age: 70, presented: [.cacheControl: "no-cache"], asksOrigin: true, source: "§2"),
        Row(stored: "immutable", age: 0, asksOrigin: true, source: "§2: no lifetime of its own"),
    ]

    @Test("a fresh immutable response is not validated, a stale one is", arguments: fresh + stale)
    func asks(_ row: Row) async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: row.stored, .eTag: "\"1\""], body: "x") },
                { request in
                    request.head.headerFields[.ifNoneMatch] == nil
                        ? ScriptedTransport.answer(200, [.cacheControl: row.stored, .eTag: "\"1\""], body: "x")
                        : ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: row.stored])
                },
            ])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(row.age))
        let seen = try await bench.seen("/a", row.presented, context: ExchangeContext(mode: row.mode))
        #expect(seen == Seen(200, "x", requests: row.asksOrigin ? 1 : 0))
    }
}
