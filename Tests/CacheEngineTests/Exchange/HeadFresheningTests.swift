import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.3.5: freshening responses with HEAD", .timeLimit(.minutes(5)))
struct HeadFresheningTests {
    private static let modified = "Tue, 14 Nov 2023 21:00:00 GMT"
    private static let stored: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "\"1\"", .lastModified: modified, .server: "old",
    ]

    /// What a GET after the HEAD gets.
    enum Then: Sendable {
        /// The stored response, updated and fresh.
        case updated
        /// The stored response as it was.
        case untouched
        /// The origin again: the stored response counts as stale.
        case outdated
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var status = 200
        /// The fields of the answer to HEAD, besides `Cache-Control` and `Server`.
        var answer: HTTPFields
        var presented: HTTPFields = [.cacheControl: "no-cache"]
        var mode = CacheMode.protocolDefault
        var then: Then
        var source: String
        var testDescription: String { "\(status) \(answer), \(mode) \(presented): \(then), as \(source)" }
    }

    private static let rows: [Row] = [
        Row(
            answer: [.eTag: "\"1\"", .lastModified: modified, .contentLength: "10"], then: .updated,
            source: "\"matching values for any received validator fields\""),
        Row(answer: [.eTag: "\"1\""], then: .updated, source: "any received: the tag alone"),
        Row(answer: [.lastModified: modified], then: .updated, source: "any received: the date alone"),
        Row(answer: [.contentLength: "10"], then: .updated, source: "none received, and the length matches"),
        Row(answer: [:], then: .updated, source: "no received field differs"),
        Row(answer: [.eTag: "\"2\""], then: .outdated, source: "\"otherwise … consider … to be stale\""),
        Row(
            answer: [.eTag: "\"2\"", .lastModified: modified, .contentLength: "10"], then: .outdated,
            source: "another tag, whatever else matches"),
        Row(answer: [.eTag: "\"2\"", .vary: "*"], then: .outdated, source: "another tag, and nothing is updated"),
        Row(
            answer: [.eTag: "\"1\"", .lastModified: "Tue, 14 Nov 2023 21:00:01 GMT"], then: .outdated,
            source: "another date"),
        Row(
            answer: [.eTag: "\"1\"", .contentLength: "11"], then: .outdated,
            source: "\"the value of Content-Length matches\""),
        Row(status: 404, answer: [.eTag: "\"1\""], then: .untouched, source: "\"receives a 200 (OK) response\""),
        Row(status: 500, answer: [.eTag: "\"1\""], then: .untouched, source: "\"receives a 200 (OK) response\""),
        Row(
            answer: [.eTag: "\"1\""], presented: [.cacheControl: "no-store, no-cache"], then: .untouched,
            source: "§5.2.1.5 \"MUST NOT store any part of … any response to it\""),
        Row(answer: [.eTag: "\"1\""], presented: [:], mode: .noStore, then: .untouched, source: "Fetch §2.2.5"),
        Row(
            answer: [.eTag: "\"2\""], presented: [.cacheControl: "no-store, no-cache"], then: .outdated,
            source: "this stores nothing of the answer"),
    ]

    private static func headAnswer(_ status: Int, _ fields: HTTPFields) -> TransportResponse {
        TransportResponse(
            head: HTTPResponse(status: .init(code: status), headerFields: fields), body: ScriptedBody([]),
            bodyLength: nil)
    }

    /// A store with ten bytes under `/a`, half-way through their freshness.
    private func bench(_ kind: Bench.StoreKind = .memory) async throws -> Bench {
        let bench = try Bench(kind)
        bench.answer("/a", 200, Self.stored, body: "0123456789")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(30))
        return bench
    }

    @Test("\"otherwise … consider … to be stale\" also after a 304 that confirmed no stored response")
    func outdatedAfterNotModified() async throws {
        let bench = try await bench()
        bench.transport.on(Bench.base + "/a") { request in
            request.head.headerFields.contains(.ifNoneMatch)
                ? ScriptedTransport.answer(304, [.eTag: "\"2\""]) : Self.headAnswer(200, [.eTag: "\"2\""])
        }
        _ = try await bench.seen("/a", [.cacheControl: "no-cache"], method: .head)
        bench.answer("/a", 200, Self.stored, body: "other")
        #expect(try await bench.seen("/a") == Seen(200, "other", requests: 1))
    }

    @Test("how an answer to HEAD changes a stored response", arguments: rows, Bench.StoreKind.allCases)
    func head(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try await bench(kind)
        var fields = row.answer
        fields[.cacheControl] = "max-age=600"
        fields[.server] = "new"
        let answer = fields
        bench.transport.on(Bench.base + "/a") { request in
            request.head.method == .head
                ? Self.headAnswer(row.status, answer)
                : ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"2\""], body: "replacement")
        }
        let context = ExchangeContext(mode: row.mode)
        let (head, text) = try await bench.text("/a", row.presented, method: .head, context: context)
        #expect(head.head.status.code == row.status && text.isEmpty)
        #expect(bench.transport.requests.last?.head.method == .head)
        let before = bench.transport.requests.count
        let (response, content) = try await bench.text("/a")
        switch row.then {
        case .updated:
            #expect(content == "0123456789" && response.head.headerFields[.server] == "new")
            #expect(response.head.headerFields[.contentLength] == "10")
            #expect(response.cacheStatus.timeToLive == 600)
        case .untouched:
            #expect(content == "0123456789" && response.head.headerFields[.server] == "old")
            #expect(response.cacheStatus.timeToLive == 30)
        case .outdated:
            #expect(content == "replacement")
        }
        #expect(bench.transport.requests.count - before == (row.then == .outdated ? 1 : 0))
    }

    @Test("an outdated response still answers when staleness does not matter")
    func outdatedOffline() async throws {
        let bench = try await bench()
        bench.transport.on(Bench.base + "/a") { _ in Self.headAnswer(200, [.eTag: "\"2\""]) }
        _ = try await bench.seen("/a", [.cacheControl: "no-cache"], method: .head)
        #expect(try await bench.stored("/a") == "0123456789")
    }

    @Test("an outdated response is merely stale: §4.2.4 lets it answer when the origin can't be reached")
    func outdatedUnreachable() async throws {
        let bench = try await bench()
        bench.transport.on(Bench.base + "/a") { _ in Self.headAnswer(200, [.eTag: "\"2\""]) }
        _ = try await bench.seen("/a", [.cacheControl: "no-cache"], method: .head)
        bench.transport.on(Bench.base + "/a") { try Bench.unreachable($0) }
        #expect(try await bench.seen("/a") == Seen(200, "0123456789", requests: 1))
        bench.answer("/a", 503, [:], body: "down")
        #expect(try await bench.seen("/a") == Seen(503, "down", requests: 1))
    }

    @Test("a 304 to a HEAD confirms the stored response")
    func notModified() async throws {
        let bench = try await bench()
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        #expect(try await bench.seen("/a", method: .head) == Seen(200, "", requests: 1))
        #expect(bench.transport.requests.last?.head.method == .head)
        #expect(try await bench.seen("/a") == Seen(200, "0123456789", requests: 0))
    }

    @Test("a HEAD is answered from a fresh GET, with the fields of the whole")
    func fromStore() async throws {
        let bench = try await bench()
        let (response, text) = try await bench.text("/a", method: .head)
        #expect(response.head.status == .ok && text.isEmpty)
        #expect(response.head.headerFields[.contentLength] == "10" && response.head.headerFields[.age] == "30")
        #expect(bench.transport.requests.count == 1)
    }

    @Test("an answer to HEAD is never stored by itself")
    func neverAlone() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { request in
            var fields = Self.stored
            fields[.contentLength] = "10"
            return request.head.method == .head
                ? Self.headAnswer(200, fields) : ScriptedTransport.answer(200, Self.stored, body: "0123456789")
        }
        _ = try await bench.seen("/a", method: .head)
        #expect(try await bench.store.usage().entries == 0)
        #expect(try await bench.seen("/a", method: .head).requests == 1)
        #expect(try await bench.seen("/a") == Seen(200, "0123456789", requests: 1))
    }

    @Test("\"each of its stored GET responses that could have been chosen for that request\", and no other")
    func variants() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { request in
            let language = request.head.headerFields[.acceptLanguage] ?? ""
            var fields: HTTPFields = [.cacheControl: "max-age=60", .vary: "Accept-Language", .eTag: "\"\(language)\""]
            guard request.head.method == .head else { return ScriptedTransport.answer(200, fields, body: language) }
            fields[.eTag] = "\"other\""
            return Self.headAnswer(200, fields)
        }
        for language in ["en", "de"] { try await bench.fill("/a", [.acceptLanguage: language]) }
        _ = try await bench.seen("/a", [.acceptLanguage: "en", .cacheControl: "no-cache"], method: .head)
        #expect(try await bench.seen("/a", [.acceptLanguage: "de"]).requests == 0)
        #expect(try await bench.seen("/a", [.acceptLanguage: "en"]).requests == 1)
    }

    @Test(
        "an answer that outdates one variant and confirms another leaves no doubt about the confirmed one",
        arguments: Bench.StoreKind.allCases)
    func oneOfTwo(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .vary: "Accept"], body: "one")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(1))
        bench.answer(
            "/a", 200, [.cacheControl: "max-age=60", .vary: "Accept-Encoding", .eTag: "\"2\""], body: "second")
        try await bench.fill("/a", [.accept: "text/css", .cacheControl: "no-cache"])
        bench.clock.advance(by: .seconds(1))
        bench.transport.on(Bench.base + "/a") { _ in
            Self.headAnswer(200, [.cacheControl: "max-age=60", .contentLength: "3", .vary: "X-Other"])
        }
        _ = try await bench.seen("/a", [.cacheControl: "no-cache"], method: .head)
        #expect(try await bench.seen("/a") == Seen(200, "one", requests: 0))
    }
}
