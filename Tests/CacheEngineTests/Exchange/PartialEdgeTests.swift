import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.3, §3.4: parts with staleness and conditions", .timeLimit(.minutes(5)))
struct PartialEdgeTests {
    @Test("RFC 9110 §13.1.5: with a stale part, If-Range never gets a part of another representation")
    func ifRangeOfStale() async throws {
        let bench = try await PartOrigins.bench("bytes=0-49999", now: PartOrigins.new, age: 100)
        let response = await bench.send("/a", [.range: "bytes=10-19", .ifRange: "\"1\""])
        // The representation has changed, so "the server SHOULD ignore the Range header field".
        #expect(response.head.status == .ok)
        #expect(response.head.headerFields[.eTag] == "\"2\"")
        #expect(try await PartOrigins.bytes(response) == PartOrigins.new.body)
    }

    @Test("RFC 9110 §13.1.5: if nothing has changed, the stale part answers")
    func ifRangeOfConfirmed() async throws {
        let bench = try await PartOrigins.bench("bytes=0-49999", now: PartOrigins.old, age: 100)
        let response = await bench.send("/a", [.range: "bytes=10-19", .ifRange: "\"1\""])
        #expect(response.head.status == .partialContent)
        #expect(try await PartOrigins.bytes(response) == Array(PartOrigins.old.body[10..<20]))
    }

    @Test("RFC 9110 §13.1.5: a tag that the 304 makes weak no longer lets a part answer, and a part is never the whole")
    func ifRangeOfWeakened() async throws {
        let bench = try await PartOrigins.bench("bytes=0-49999", now: PartOrigins.old, age: 100)
        bench.transport.on(Bench.base + "/a") { request in
            guard request.head.headerFields.contains(.ifNoneMatch) else { return PartOrigins.old.answer(request) }
            return ScriptedTransport.answer(304, [.eTag: "W/\"1\""])
        }
        let response = await bench.send("/a", [.range: "bytes=10-19", .ifRange: "\"1\""])
        #expect(try await PartOrigins.bytes(response).count == (response.head.status == .ok ? 100_000 : 10))
    }

    @Test("RFC 5861 §3: a stale part answers while the whole is fetched")
    func staleWhileRevalidating() async throws {
        for now in [PartOrigins.old, PartOrigins.new] {
            var origin = PartOrigins.old
            origin.fields = [.cacheControl: "max-age=60, stale-while-revalidate=60"]
            let bench = try await PartOrigins.bench("bytes=0-49999", of: origin, now: now, age: 100)
            let response = await bench.send("/a", [.range: "bytes=10-19"])
            #expect(response.head.status == .partialContent && response.head.headerFields[.age] == "100")
            #expect(try await PartOrigins.bytes(response) == Array(PartOrigins.old.body[10..<20]))
            await bench.cache.waitForBackgroundWork()
            #expect(bench.transport.requests.count == 2)
            let whole = await bench.send("/a", context: ExchangeContext(mode: .onlyIfStored))
            #expect(try await PartOrigins.bytes(whole) == now.body)
            #expect(try await bench.seen("/a").requests == 0)
        }
    }

    @Test("RFC 5861 §4: a stale part replaces an error for a range within it, never for the whole")
    func staleIfError() async throws {
        var origin = PartOrigins.old
        origin.fields = [.cacheControl: "max-age=60, stale-if-error=60"]
        let bench = try await PartOrigins.bench("bytes=0-49999", of: origin, now: PartOrigins.old, age: 100)
        bench.answer("/a", 503, [:], body: "down")
        let part = await bench.send("/a", [.range: "bytes=10-19"])
        #expect(part.head.status == .partialContent)
        #expect(try await PartOrigins.bytes(part) == Array(PartOrigins.old.body[10..<20]))
        #expect(try await bench.seen("/a") == Seen(503, "down", requests: 1))
        #expect(try await bench.seen("/a", [.range: "bytes=10-60000"]).status == 503)
    }

    struct Unkept: Sendable, CustomTestStringConvertible {
        var kind = CacheKind.private
        var notModified: String
        var request: HTTPFields = [:]
        var source: String
        var testDescription: String { "\(kind), 304 with \(notModified): \(source)" }
    }

    @Test(
        "§3: a 304 for a part may be stored on the same terms as one for a whole",
        arguments: [
            Unkept(notModified: "max-age=600, no-store", source: "§5.2.2.5: \"any part of … the response\""),
            Unkept(
                notModified: "max-age=600", request: [.cacheControl: "no-store"],
                source: "§5.2.1.5: \"any part of either this request or any response to it\""),
            Unkept(
                kind: .shared, notModified: "max-age=600, private",
                source: "§5.2.2.7: \"a shared cache MUST NOT store the response\""),
            Unkept(
                kind: .shared, notModified: "max-age=600", request: [.authorization: "Basic eDp5"],
                source: "§3.5: the request has Authorization"),
        ])
    func confirmedPart(_ row: Unkept) async throws {
        let bench = try Bench(cacheKind: row.kind)
        bench.transport.on(Bench.base + "/a") { PartOrigins.old.answer($0) }
        #expect(try await bench.seen("/a", [.range: "bytes=0-9"]).status == 206)
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: row.notModified])
        var presented = row.request
        presented[.range] = "bytes=0-9"
        let response = await bench.send("/a", presented)
        #expect(response.head.status == .partialContent)
        #expect(response.head.headerFields[.cacheControl] == row.notModified)
        #expect(try await PartOrigins.bytes(response) == Array(PartOrigins.old.body[..<10]))
        await bench.cache.waitForBackgroundWork()
        let stored = try await bench.store.entries(for: bench.key("/a"))
        #expect(stored.map { $0.response.fields[.cacheControl] } == ["max-age=60"])
    }
}
