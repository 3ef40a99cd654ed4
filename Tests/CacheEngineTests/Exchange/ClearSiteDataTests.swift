import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Clear Site Data §3.1, §4: the origin empties its cache", .timeLimit(.minutes(5)))
struct ClearSiteDataTests {
    private static let field: HTTPField.Name? = .init("Clear-Site-Data")

    private static func send(
        _ bench: Bench, _ uri: String, method: HTTPRequest.Method = .get, partition: String = "",
        mode: CacheMode = .protocolDefault
    ) async throws -> Seen {
        let parts = uri.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        let before = bench.transport.requests.count
        let response = await bench.cache.respond(
            to: EngineRequest(
                head: HTTPRequest(
                    method: method, scheme: String(parts[0].dropLast()), authority: String(parts[1]),
                    path: "/" + (parts.count > 2 ? parts[2] : "")),
                context: ExchangeContext(partition: partition, mode: mode)))
        let text = try await Bench.read(response)
        await bench.cache.waitForBackgroundWork()
        return Seen(
            response.head.status.code, response.failure == nil ? text : "",
            requests: bench.transport.requests.count - before)
    }

    private static func isStored(_ bench: Bench, _ uri: String, partition: String = "") async throws -> Bool {
        try await send(bench, uri, partition: partition, mode: .onlyIfStored).status == 200
    }

    private static func clearing(_ value: String) throws -> HTTPFields {
        var fields = HTTPFields()
        fields[try #require(field)] = value
        return fields
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var origin = "https://example.com"
        var value = "\"cache\""
        var kind = CacheKind.private
        var clears: Bool
        var source: String
        var testDescription: String { "\(value) from \(origin), \(kind): \(clears), as \(source)" }
    }

    private static let rows: [Row] = [
        Row(clears: true, source: "§3.1.1"),
        Row(value: "\"*\"", clears: true, source: "§3.1.1: all types"),
        Row(value: "\"cookies\", \"cache\"", clears: true, source: "§3.1, a list"),
        Row(value: "\"cookies\"", clears: false, source: "§3.1.1: other data"),
        Row(value: "\"storage\", \"executionContexts\"", clears: false, source: "§3.1.1: other data"),
        Row(value: "cache", clears: false, source: "§3.1: quoted strings"),
        Row(value: "\"Cache\"", clears: false, source: "§4.1: types are compared with case"),
        Row(value: "\"new\", \"cache\"", clears: true, source: "§4.1: unknown types are ignored"),
        Row(origin: "http://example.com", clears: false, source: "§4.1: not a secure origin"),
        Row(origin: "http://127.0.0.1:8080", clears: true, source: "Secure Contexts §3.1: loopback"),
        Row(origin: "http://[::1]:8080", clears: true, source: "Secure Contexts §3.1: loopback"),
        Row(origin: "http://localhost", clears: true, source: "Secure Contexts §3.1: localhost"),
        Row(origin: "http://shop.localhost:81", clears: true, source: "Secure Contexts §3.1: localhost"),
        Row(origin: "http://localhost.example.com", clears: false, source: "another host"),
        Row(origin: "https://example.com:8443", clears: true, source: "any port"),
        Row(kind: .shared, clears: false, source: "a shared cache holds other people's responses"),
    ]

    @Test("which fields clear which origins", arguments: rows, Bench.StoreKind.allCases)
    func clears(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind, cacheKind: row.kind)
        let own = ["\(row.origin)/", "\(row.origin)/a", "\(row.origin)/b/c?d=/e"]
        // URIs that look like the origin's, but are another's.
        let others = ["https://example.org/a", "\(row.origin)0/a", "https://sub.example.com/a"]
        for uri in own + others {
            bench.transport.on(uri) { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: uri) }
            _ = try await Self.send(bench, uri)
        }
        _ = try await Self.send(bench, own[1], partition: "two")
        let fields = try Self.clearing(row.value)
        bench.transport.on("\(row.origin)/logout") { _ in ScriptedTransport.answer(200, fields, body: "bye") }
        #expect(try await Self.send(bench, "\(row.origin)/logout", method: .post).text == "bye")
        for uri in own { #expect(try await Self.isStored(bench, uri) == !row.clears, "\(uri)") }
        for uri in others { #expect(try await Self.isStored(bench, uri), "\(uri)") }
        #expect(try await Self.isStored(bench, own[1], partition: "two"))
    }

    @Test("any response clears the origin, with any method and status", arguments: ["GET", "HEAD", "POST", "OPTIONS"])
    func anyResponse(_ name: String) async throws {
        let method = try #require(HTTPRequest.Method(rawValue: name))
        for status in [200, 204, 302, 404, 500] {
            let bench = try Bench()
            bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "x")
            try await bench.fill("/a")
            bench.answer("/logout", status, try Self.clearing("\"cache\""))
            _ = try await bench.seen("/logout", method: method)
            #expect(try await bench.stored("/a") == nil, "\(status)")
        }
    }

    @Test("a response to a validation clears the origin as well", arguments: [304, 200, 503])
    func validation(_ status: Int) async throws {
        let bench = try Bench()
        bench.answer("/b", 200, [.cacheControl: "max-age=600"], body: "x")
        try await bench.fill("/b")
        bench.answer("/a", 200, [.cacheControl: "max-age=60, stale-if-error=600", .eTag: "\"1\""], body: "old")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", status, try Self.clearing("\"cache\""), body: "new")
        let (response, text) = try await bench.text("/a")
        #expect(response.head.status == .ok && text == (status == 200 ? "new" : "old"))
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.stored("/b") == nil)
    }

    @Test("a response requested before and arriving after is not stored", arguments: Bench.StoreKind.allCases)
    func inFlight(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: body)
        }
        bench.answer("/logout", 200, try Self.clearing("\"cache\""))
        let slow = await bench.send("/a")
        _ = try await bench.text("/logout", method: .post)
        body.send("secret")
        body.end()
        #expect(try await Bench.read(slow) == "secret")
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.stored("/a") == nil)
    }

    @Test("a response requested afterwards is stored again")
    func afterwards() async throws {
        let bench = try Bench()
        bench.answer("/logout", 200, try Self.clearing("\"cache\""))
        _ = try await bench.seen("/logout", method: .post)
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "x")
        try await bench.fill("/a")
        #expect(try await bench.stored("/a") == "x")
    }
}
