import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.3: HEAD first, and what clients ask for", .timeLimit(.minutes(5)))
struct HeadFirstRequestTests {
    @Test("no-cache and a client's reload are satisfied by a HEAD as well (§5.2.2.4, §5.2.1.4)")
    func noCache() async throws {
        var fields = HeadFirst.stored
        fields[.cacheControl] = "no-cache"
        let bench = try await HeadFirst.bench(fields, origin: HeadFirst.origin(200, [.eTag: "\"1\""]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a", [.cacheControl: "no-cache"]) == Seen(200, "old", requests: 1))
        #expect(HeadFirst.sent(bench) == ["HEAD?", "HEAD?"])
        #expect(bench.transport.requests.last?.head.headerFields[.cacheControl] == "no-cache")
    }

    @Test("a HEAD has no range (RFC 9110 §14.2): the range is answered from the confirmed response, or by the GET")
    func ranges() async throws {
        let confirmed = try await HeadFirst.bench(origin: HeadFirst.origin(304, [.eTag: "\"1\""]))
        #expect(try await confirmed.seen("/a", [.range: "bytes=1-"]) == Seen(206, "ld", requests: 1))
        #expect(confirmed.transport.requests.last?.head.headerFields[.range] == nil)
        let other = try await HeadFirst.bench(origin: HeadFirst.origin(200, [.eTag: "\"2\""]))
        #expect(try await other.seen("/a", [.range: "bytes=1-"]) == Seen(200, "new", requests: 2))
        #expect(other.transport.requests.last?.head.headerFields[.range] == "bytes=1-")
    }

    @Test("a client's own condition is evaluated against the response that the HEAD confirmed (§4.3.2)")
    func conditions() async throws {
        let bench = try await HeadFirst.bench(origin: HeadFirst.origin(200, [.eTag: "\"1\""]))
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"1\""]) == Seen(304, "", requests: 1))
        bench.clock.advance(by: .seconds(100))
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"0\""]) == Seen(200, "old", requests: 1))
    }

    @Test("the GET after a wasted HEAD has the client's conditions alone, so its 304 is the client's (§4.3.2)")
    func clientsNotModified() async throws {
        let bench = try await HeadFirst.bench { request in
            let fields: HTTPFields = [.eTag: "\"2\"", .cacheControl: "max-age=60"]
            return ScriptedTransport.answer(request.head.method == .head ? 200 : 304, fields)
        }
        #expect(try await bench.seen("/a", [.ifNoneMatch: "\"2\""]) == Seen(304, "", requests: 2))
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"2\"")
        #expect(bench.transport.requests.last?.head.headerFields[.ifModifiedSince] == nil)
        // That 304 confirmed no stored response.
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "new")
        #expect(try await bench.seen("/a").text == "new")
    }

    @Test("concurrent requests share one HEAD, and one GET if it was wasted (§4)", arguments: [true, false])
    func collapsed(_ isSaved: Bool) async throws {
        let gate = Gate()
        let origin = HeadFirst.origin(200, [.eTag: isSaved ? "\"1\"" : "\"2\"", .cacheControl: "max-age=60"])
        let bench = try await HeadFirst.bench { request in
            if request.head.method == .head { try await gate.pass() }
            return try await origin(request)
        }
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await bench.text("/a").text } }
            try await gate.arrivals(1)
            gate.open()
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        #expect(texts == Array(repeating: isSaved ? "old" : "new", count: 10))
        #expect(HeadFirst.sent(bench) == (isSaved ? HeadFirst.saved : HeadFirst.fetched))
    }

    @Test("a validation in the background asks by HEAD as well (RFC 5861 §3)")
    func background() async throws {
        let rules = RuleList([Rule("slow", .staleWhileRevalidate(for: nil), validation: .head)])
        let bench = try await HeadFirst.bench(
            rules: rules, origin: HeadFirst.origin(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(HeadFirst.sent(bench) == HeadFirst.saved)
    }

    @Test("only a GET for a whole 200 with a validator begins with a HEAD, and only under the rule")
    func notAsked() async throws {
        let get = HeadFirst.origin(200, [.eTag: "\"1\""])
        let plain = try await HeadFirst.bench(rules: RuleList([Rule("plain", .followProtocol)]), origin: get)
        _ = try await plain.seen("/a")
        #expect(HeadFirst.sent(plain) == ["GET?"])
        let bare = try await HeadFirst.bench([.cacheControl: "max-age=60"], origin: get)
        _ = try await bare.seen("/a")
        #expect(HeadFirst.sent(bare) == ["GET"])
        let head = try await HeadFirst.bench(origin: get)
        _ = try await head.seen("/a", method: .head)
        #expect(HeadFirst.sent(head) == ["HEAD?"])
        #expect(head.recorder.reports.last?.cacheStatus.detail == "slow")
        let missing = try Bench(rules: HeadFirst.rules)
        missing.answer("/a", 404, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "none")
        try await missing.fill("/a")
        missing.clock.advance(by: .seconds(100))
        _ = try await missing.seen("/a")
        #expect(HeadFirst.sent(missing) == ["GET?"])
    }
}
