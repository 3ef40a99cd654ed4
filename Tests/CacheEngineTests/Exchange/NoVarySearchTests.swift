import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("draft-ietf-httpbis-no-vary-search: queries that do not matter", .timeLimit(.minutes(5)))
struct NoVarySearchTests {
    private static func answer(
        _ text: String, _ variation: String?, tag: String? = "\"1\"", date: String? = nil, vary: String? = nil
    ) -> @Sendable (TransportRequest) -> TransportResponse {
        var fields: HTTPFields = [.cacheControl: "max-age=60"]
        (fields[.noVarySearch], fields[.eTag], fields[.date], fields[.vary]) = (variation, tag, date, vary)
        let fixed = fields
        return { request in
            request.head.headerFields[.ifNoneMatch].map { $0 == tag } == true
                ? ScriptedTransport.answer(304, fixed) : ScriptedTransport.answer(200, fixed, body: text)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var stored: String
        var variation: String?
        var asked: String
        var isHit: Bool
        var testDescription: String { "\(stored) with \(variation ?? "no field"), then \(asked): \(isHit)" }
    }

    @Test("what a POST invalidates answers under no query (RFC 9111 §4.4)", arguments: Bench.StoreKind.allCases)
    func invalidated(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        for path in ["/a?x=1", "/a?x=2"] {
            bench.transport.on(Bench.base + path) { Self.answer(path, "params=(\"x\")")($0) }
        }
        try await bench.fill("/a?x=1")
        #expect(try await bench.text("/a?x=2").text == "/a?x=1")
        _ = await bench.send("/a?x=2", method: .post)
        #expect(try await bench.text("/a?x=2").text == "/a?x=2")
    }

    private static let rows: [Row] = [
        // "params": names that do not matter.
        Row(stored: "/a?x=1&utm=2", variation: "params=(\"utm\")", asked: "/a?x=1", isHit: true),
        Row(stored: "/a?x=1", variation: "params=(\"utm\")", asked: "/a?x=1&utm=2", isHit: true),
        Row(stored: "/a?utm=1&x=1&utm=2", variation: "params=(\"utm\")", asked: "/a?x=1", isHit: true),
        Row(stored: "/a?x=1", variation: "params=(\"utm\")", asked: "/a?x=2", isHit: false),
        Row(stored: "/a?x=1", variation: "params=(\"utm\")", asked: "/a?x=1&y=2", isHit: false),
        Row(stored: "/a", variation: "params=(\"utm\")", asked: "/a?utm=1", isHit: true),
        Row(stored: "/a?utm=1", variation: "params=(\"utm\")", asked: "/a", isHit: true),
        Row(stored: "/a?utm=1", variation: "params=(\"utm\")", asked: "/b?utm=1", isHit: false),
        Row(stored: "/a?utm=1", variation: "params=(\"utm\")", asked: "/a/?utm=1", isHit: false),
        // Names are compared after decoding, with case.
        Row(stored: "/a?x=1", variation: "params=(\"utm\")", asked: "/a?%75tm=2&x=1", isHit: true),
        Row(stored: "/a?x=1", variation: "params=(\"utm\")", asked: "/a?UTM=2&x=1", isHit: false),
        // "except": names that alone matter.
        Row(stored: "/a?q=1&z=2", variation: "except=(\"q\")", asked: "/a?q=1", isHit: true),
        Row(stored: "/a?q=1&z=2", variation: "except=(\"q\")", asked: "/a?y=8&q=1&z=9", isHit: true),
        Row(stored: "/a?q=1&z=2", variation: "except=(\"q\")", asked: "/a?q=2&z=2", isHit: false),
        Row(stored: "/a?q=1", variation: "except=()", asked: "/a?q=2", isHit: true),
        // "key-order".
        Row(stored: "/a?x=1&y=2", variation: "key-order", asked: "/a?y=2&x=1", isHit: true),
        Row(stored: "/a?x=1&y=2", variation: "key-order=?0", asked: "/a?y=2&x=1", isHit: false),
        Row(stored: "/a?x=1&x=2", variation: "key-order", asked: "/a?x=2&x=1", isHit: false),
        Row(stored: "/a?x=1&y=2", variation: "key-order, params=(\"z\")", asked: "/a?z=3&y=2&x=1", isHit: true),
        // Without the field, or with a broken one, everything matters.
        Row(stored: "/a?x=1&utm=2", variation: nil, asked: "/a?x=1", isHit: false),
        Row(stored: "/a?x=1&utm=2", variation: "params=utm", asked: "/a?x=1", isHit: false),
        Row(stored: "/a?x=1&utm=2", variation: "params=(\"utm\"", asked: "/a?x=1", isHit: false),
        Row(stored: "/a?x=1&utm=2", variation: "params=(\"utm\"), except=(\"x\")", asked: "/a?x=1", isHit: false),
    ]

    @Test("each value of No-Vary-Search", arguments: rows, Bench.StoreKind.allCases)
    func variation(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.transport.on(Bench.base + row.stored, Self.answer("x", row.variation))
        bench.transport.on(Bench.base + row.asked, Self.answer("own", nil, tag: nil))
        try await bench.fill(row.stored)
        #expect(
            try await bench.seen(row.asked) == Seen(200, row.isHit ? "x" : "own", requests: row.isHit ? 0 : 1))
    }

    @Test("a response stored for the same URI comes first")
    func exactFirst() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a?utm=1", Self.answer("exact", nil))
        bench.transport.on(Bench.base + "/a?utm=2", Self.answer("other", "params=(\"utm\")"))
        try await bench.fill("/a?utm=1")
        try await bench.fill("/a?utm=2")
        #expect(try await bench.seen("/a?utm=1") == Seen(200, "exact", requests: 0))
        #expect(try await bench.seen("/a?utm=3") == Seen(200, "other", requests: 0))
    }

    @Test("of several matching responses the most recent by Date answers", arguments: Bench.StoreKind.allCases)
    func mostRecent(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        for (path, second) in [("/a?utm=1", 10), ("/a?utm=2", 15), ("/a?utm=3", 12)] {
            bench.transport.on(
                Bench.base + path,
                Self.answer(path, "params=(\"utm\")", date: "Tue, 14 Nov 2023 22:13:\(second) GMT"))
            // A reload stores each as a response of its own.
            _ = try await bench.seen(path, context: ExchangeContext(mode: .reload))
        }
        #expect(try await bench.seen("/a?utm=4") == Seen(200, "/a?utm=2", requests: 0))
    }

    @Test("§4.1 holds as well, and partitions and schemes stay apart")
    func otherwiseSame() async throws {
        let bench = try Bench()
        bench.transport.on(
            Bench.base + "/a?utm=1", Self.answer("english", "params=(\"utm\")", vary: "Accept-Language"))
        bench.transport.on(Bench.base + "/a?utm=2", Self.answer("own", nil, tag: nil))
        try await bench.fill("/a?utm=1", [.acceptLanguage: "en"])
        let own = Seen(200, "own", requests: 1)
        let context = ExchangeContext(mode: .noStore)
        #expect(try await bench.seen("/a?utm=2", [.acceptLanguage: "de"], context: context) == own)
        #expect(
            try await bench.seen("/a?utm=2", [.acceptLanguage: "en"], context: .init(partition: "two")) == own)
        #expect(
            try await bench.seen("/a?utm=2", [.acceptLanguage: "en"]) == Seen(200, "english", requests: 0))
    }

    @Test("a stale response is validated by a request for the requested URI", arguments: Bench.StoreKind.allCases)
    func validated(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        bench.transport.on(Bench.base + "/a?utm=1", Self.answer("x", "params=(\"utm\")"))
        bench.transport.on(Bench.base + "/a?utm=2", Self.answer("x", "params=(\"utm\")"))
        try await bench.fill("/a?utm=1")
        bench.clock.advance(by: .seconds(100))
        #expect(try await bench.seen("/a?utm=2") == Seen(200, "x", requests: 1))
        let sent = try #require(bench.transport.requests.last).head
        #expect(sent.path == "/a?utm=2" && sent.headerFields[.ifNoneMatch] == "\"1\"")
        for path in ["/a?utm=1", "/a?utm=2", "/a?utm=3"] {
            #expect(try await bench.seen(path) == Seen(200, "x", requests: 0))
        }
    }

    @Test("a response for another query answers a range, a HEAD and a condition too")
    func parts() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a?utm=1", Self.answer("0123", "params=(\"utm\")"))
        try await bench.fill("/a?utm=1")
        #expect(try await bench.seen("/a?utm=2", [.range: "bytes=1-2"]) == Seen(206, "12", requests: 0))
        #expect(try await bench.seen("/a?utm=2", method: .head) == Seen(200, "", requests: 0))
        #expect(try await bench.seen("/a?utm=2", [.ifNoneMatch: "\"1\""]) == Seen(304, "", requests: 0))
    }

    @Test("RFC 9111 §4.4: a response for another query never answers a POST, which invalidates its own URI")
    func post() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a?utm=1", Self.answer("x", "params=(\"utm\")"))
        bench.transport.on(Bench.base + "/a?utm=2", Self.answer("done", nil, tag: nil))
        try await bench.fill("/a?utm=1")
        #expect(try await bench.seen("/a?utm=2", method: .post) == Seen(200, "done", requests: 1))
        bench.transport.on(Bench.base + "/a?utm=1", Self.answer("again", nil, tag: nil))
        _ = try await bench.seen("/a?utm=1", method: .post)
        #expect(try await bench.seen("/a?utm=1") == Seen(200, "again", requests: 1))
    }
}
