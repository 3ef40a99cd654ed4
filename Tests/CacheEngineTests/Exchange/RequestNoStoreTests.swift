import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §5.2.1.5: no-store in a request", .timeLimit(.minutes(5)))
struct RequestNoStoreTests {
    @Test("no part of a 304 to it is stored, though the 304 confirms the stored response for this request")
    func notModified() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\"", .server: "old"], body: "x")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.cacheControl: "max-age=600", .eTag: "\"1\"", .server: "new"])
        let (response, text) = try await bench.text("/a", [.cacheControl: "no-store"])
        #expect(text == "x" && response.head.headerFields[.server] == "new")
        let stored = try #require(try await bench.store.entries(for: bench.key("/a")).first)
        #expect(stored.response.fields[.server] == "old")
        #expect(try await bench.seen("/a") == Seen(200, "x", requests: 1))
    }

    @Test("the stored response is not replaced either, and a fresh one may answer")
    func replaced() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "x")
        try await bench.fill("/a")
        #expect(try await bench.seen("/a", [.cacheControl: "no-store"]) == Seen(200, "x", requests: 0))
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"2\""], body: "secret")
        #expect(
            try await bench.seen("/a", [.cacheControl: "no-store, no-cache"]) == Seen(200, "secret", requests: 1))
        #expect(try await bench.stored("/a") == "x")
    }

    @Test("a vary-miss that a 304 answers makes no variant")
    func variant() async throws {
        let bench = try Bench()
        let fields: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\"", .vary: "Accept-Language"]
        bench.answer("/a", 200, fields, body: "x")
        try await bench.fill("/a", [.acceptLanguage: "en"])
        bench.answer("/a", 304, fields)
        let seen = try await bench.seen("/a", [.acceptLanguage: "de", .cacheControl: "no-store"])
        #expect(seen == Seen(200, "x", requests: 1))
        #expect(try await bench.store.usage().entries == 1)
    }
}
