import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.3: validating by HEAD first, when a rule says so", .timeLimit(.minutes(5)))
struct AskingByHeadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var stored: HTTPFields
        var status: Int
        var head: HTTPFields
        var sent: [String]
        var source: String

        init(
            stored: HTTPFields = HeadFirst.stored, _ status: Int, _ head: HTTPFields, _ sent: [String],
            _ source: String
        ) {
            (self.stored, self.status, self.head, self.sent, self.source) = (stored, status, head, sent, source)
        }

        var testDescription: String { "\(status) \(head): \(sent), \(source)" }
    }

    private static let weak: HTTPFields = [
        .cacheControl: "max-age=60", .eTag: "W/\"1\"", .lastModified: HeadFirst.modified,
    ]

    private static let rows: [Row] =
        [
            Row(304, [.eTag: "\"1\""], HeadFirst.saved, "§4.3.4: selected by the same strong validator"),
            Row(
                304, [:], HeadFirst.saved,
                "§4.3.4: without a validator, it confirms the one response that was validated"),
            Row(304, [.eTag: "\"9\""], HeadFirst.fetched, "§4.3.4: it confirms a response that is not stored"),
            Row(200, [.eTag: "\"1\""], HeadFirst.saved, "§4.3.5: the same strong entity tag"),
            Row(200, [.eTag: "\"1\"", .contentLength: "3"], HeadFirst.saved, "§4.3.5: and the same length"),
            Row(200, [.eTag: "\"1\"", .contentLength: "4"], HeadFirst.fetched, "§4.3.5: \"Content-Length … match\""),
            Row(
                200, [.lastModified: HeadFirst.modified, .contentLength: "3"], HeadFirst.saved,
                "§4.3.5: the same date and length"),
            Row(
                200, [.lastModified: HeadFirst.modified], HeadFirst.fetched,
                "RFC 9110 §8.8.2.2: a date alone is no strong validator"),
            Row(200, [.contentLength: "3"], HeadFirst.fetched, "a length is no validator (RFC 9110 §8.8)"),
            Row(
                200, [.eTag: "\"2\"", .lastModified: HeadFirst.modified, .contentLength: "3"], HeadFirst.fetched,
                "§4.3.5: another entity tag"),
            Row(
                200, [.eTag: "\"1\"", .lastModified: "Tue, 14 Nov 2023 11:00:00 GMT"], HeadFirst.fetched,
                "§4.3.5: another Last-Modified"),
            Row(200, [:], HeadFirst.fetched, "nothing to compare"),
            Row(200, [.eTag: "\"1\"", .vary: "*"], HeadFirst.fetched, "§4.1: a Vary of * always fails to match"),
            Row(
                stored: weak, 200, [.eTag: "W/\"1\""], HeadFirst.fetched,
                "RFC 9110 §8.8.3: a weak tag identifies no bytes"),
            Row(
                stored: weak, 200, [.eTag: "W/\"1\"", .lastModified: HeadFirst.modified, .contentLength: "3"],
                HeadFirst.saved,
                "§4.3.5: with date and length it matches"),
        ]
        + [204, 301, 400, 403, 404, 405, 429, 500, 501, 503].map {
            Row(
                $0, [.eTag: "\"1\""], HeadFirst.validated,
                "RFC 9110 §9.3.2 wants the fields of GET; without them ask by GET")
        }

    @Test("what the answer to HEAD leads to", arguments: rows, Bench.StoreKind.allCases)
    func answers(_ row: Row, _ kind: Bench.StoreKind) async throws {
        var head = row.head
        head[.cacheControl] = "max-age=600"
        head[.server] = "asked"
        let bench = try await HeadFirst.bench(row.stored, kind: kind, origin: HeadFirst.origin(row.status, head))
        let (response, text) = try await bench.text("/a")
        await bench.cache.waitForBackgroundWork()
        #expect(HeadFirst.sent(bench) == row.sent)
        let isSaved = row.sent == HeadFirst.saved
        #expect(text == (isSaved ? "old" : "new") && response.head.status == .ok)
        #expect(response.cacheStatus.detail == (isSaved ? "slow/head" : "slow/head-get"))
        #expect(response.cacheStatus.forward == .stale && !response.cacheStatus.isHit)
        #expect(response.cacheStatus.forwardStatus == (isSaved ? row.status : nil))
        if isSaved {
            #expect(response.head.headerFields[.server] == "asked" && response.head.headerFields[.age] == "0")
            #expect(response.cacheStatus.timeToLive == 600)
        }
        // The stored response is updated or replaced.
        #expect(try await bench.seen("/a") == Seen(200, isSaved ? "old" : "new", requests: 0))
        let headProbe = try #require(bench.transport.requests.dropFirst().first?.head.headerFields)
        #expect(headProbe[.ifNoneMatch] == row.stored[.eTag] && headProbe[.ifModifiedSince] == HeadFirst.modified)
    }

    @Test("after a HEAD that is refused, a GET with conditions is answered by 304 as usual (§4.3.3)")
    func refused() async throws {
        let bench = try await HeadFirst.bench { request in
            request.head.method == .head
                ? ScriptedTransport.answer(405, [:])
                : ScriptedTransport.answer(304, [.eTag: "\"1\"", .cacheControl: "max-age=60"])
        }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 2))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 0))
    }

    struct Failure: Sendable, CustomTestStringConvertible {
        var code: TransportError.Code
        /// The text of the answer; `nil` for an error answer of the cache's own.
        var text: String?
        var sent: [String]
        var source: String
        var testDescription: String { source }
    }

    @Test(
        "a HEAD that fails",
        arguments: [
            Failure(
                code: .connectionFailed, text: "old", sent: HeadFirst.saved,
                source: "§4.2.4: the origin can't be reached"),
            Failure(
                code: .timedOut, text: "old", sent: HeadFirst.saved,
                source: "§4.2.4: the origin does not answer in time"),
            Failure(code: .closedEarly, text: "new", sent: HeadFirst.validated, source: "a server that closes on HEAD"),
            Failure(
                code: .malformedResponse, text: "new", sent: HeadFirst.validated, source: "a server that sends content"),
            Failure(
                code: .certificateUntrusted, text: nil, sent: HeadFirst.saved,
                source: "a bad certificate is never hidden"),
        ])
    func failures(_ row: Failure) async throws {
        let bench = try await HeadFirst.bench { request in
            if request.head.method == .head { throw TransportError(code: row.code, message: "no") }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], body: "new")
        }
        let (response, text) = try await bench.text("/a")
        #expect((response.failure == nil ? text : nil) == row.text)
        #expect(HeadFirst.sent(bench) == row.sent)
    }

    @Test("if the GET that follows fails, the stored response answers where §4.2.4 lets it")
    func getFails() async throws {
        let bench = try await HeadFirst.bench { request in
            if request.head.method == .head { return ScriptedTransport.answer(200, [.eTag: "\"2\""]) }
            throw TransportError(code: .connectionFailed, message: "gone")
        }
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 2))
    }

    /// How much of 2 s the HEAD takes, what remains for the GET (`nil`: not sent), and what the page gets.
    @Test(
        "HEAD and GET share one time-out, the rule's or the request's",
        arguments: [(0, 2_000, "new"), (1_500, 500, "new"), (2_000, nil, "old"), (3_000, nil, "old")], [true, false])
    func deadline(_ row: (taken: Int, left: Int?, text: String), _ isRules: Bool) async throws {
        let limit = Duration.seconds(2)
        let rules =
            isRules ? RuleList([Rule("slow", .networkFirst(timeout: limit), validation: .head)]) : HeadFirst.rules
        let bench = try await HeadFirst.bench(rules: rules) { _ in throw TransportError(code: .timedOut, message: "") }
        let answer = HeadFirst.origin(200, [.eTag: "\"2\""])
        bench.transport.on(Bench.base + "/a") { request in
            if request.head.method == .head { bench.clock.advance(by: .milliseconds(row.taken)) }
            return try await answer(request)
        }
        let context = ExchangeContext(timeout: isRules ? nil : limit)
        #expect(try await bench.text("/a", context: context).text == row.text)
        let timeouts = bench.transport.requests.dropFirst().prefix(2).map(\.timeout)
        #expect(timeouts.first == limit)
        // After the rule's time-out the origin is asked again in the background, without a time-out.
        #expect(timeouts.dropFirst().compactMap { $0 } == (row.left.map { [.milliseconds($0)] } ?? []))
        await bench.cache.waitForBackgroundWork()
    }

    @Test("a 304 or a 200 that forbids storing confirms for this request only (§5.2.2.5)", arguments: [304, 200])
    func noStore(_ status: Int) async throws {
        let bench = try await HeadFirst.bench(
            origin: HeadFirst.origin(status, [.eTag: "\"1\"", .cacheControl: "no-store"]))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
        #expect(try await bench.seen("/a") == Seen(200, "old", requests: 1))
    }
}
