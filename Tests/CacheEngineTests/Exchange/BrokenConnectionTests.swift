import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("RFC 9110 §9.2.2: what a connection broke off is asked for once more", .timeLimit(.minutes(5)))
struct BrokenConnectionTests {
    private static let origin = RangeOrigin(body: PatternedContent.octets(1_000), tag: "\"1\"")

    private static func with(_ change: (inout RangeOrigin) -> Void) -> RangeOrigin {
        var changed = origin
        change(&changed)
        return changed
    }

    private static let untagged = with { $0.tag = nil }
    private static let weak = with { $0.tag = "W/\"1\"" }
    private static let coded = with { $0.fields[.contentEncoding] = "gzip" }
    private static let otherEnd = with { $0.body[999] ^= 0xFF }
    private static let otherStart = with { $0.body[0] ^= 0xFF }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var first = BrokenConnectionTests.origin
        /// As the request asks; `nil` for an origin that ignores ranges.
        var then: RangeOrigin? = BrokenConnectionTests.origin
        var broken = [400]
        var presented: HTTPFields = [:]
        var isChunked = false
        /// How many bytes the second answer lacks, in chunks.
        var restLacks = 0
        /// The ranges of the requests.
        var ranges: [String?]
        /// The content; `nil` if it breaks off.
        var content: [UInt8]? = BrokenConnectionTests.origin.body
        var testDescription: String { name }
    }

    /// The whole once more, under another head: the client has the first.
    private static func second(_ name: String, _ fields: HTTPFields, content: [UInt8]? = nil) -> Row {
        Row(
            name: "no tag, " + name, first: untagged, then: with { ($0.tag, $0.fields) = (nil, fields) },
            ranges: [nil, nil], content: content)
    }

    private static let rows: [Row] = [
        Row(name: "§13.1.5: the rest under a strong tag", ranges: [nil, "bytes=400-"]),
        Row(name: "chunked", isChunked: true, ranges: [nil, "bytes=400-"]),
        Row(name: "nothing has come", broken: [0], ranges: [nil, nil]),
        Row(
            name: "asked again after more has come", broken: [400, 100, 1],
            ranges: [nil, "bytes=400-", "bytes=500-", "bytes=501-"]),
        Row(
            name: "a byte for each connection", broken: [1, 1, 1, 1],
            ranges: [nil, "bytes=1-", "bytes=2-", "bytes=3-"], content: nil),
        Row(
            name: "§9.2.2: two that fail", broken: [400, 0, 0],
            ranges: [nil, "bytes=400-", "bytes=400-", "bytes=400-"]),
        Row(
            name: "§9.2.2: three that fail", broken: [400, 0, 0, 0],
            ranges: [nil, "bytes=400-", "bytes=400-", "bytes=400-"], content: nil),
        Row(name: "not stored", first: with { $0.fields = [.cacheControl: "no-store"] }, ranges: [nil, "bytes=400-"]),
        Row(name: "§14.2: a server may ignore the range", then: nil, ranges: [nil, "bytes=400-"]),
        Row(name: "another tag", then: with { $0.tag = "\"2\"" }, ranges: [nil, "bytes=400-"], content: nil),
        Row(name: "no tag: the whole, if it begins so", first: untagged, then: untagged, ranges: [nil, nil]),
        Row(name: "a weak tag", first: weak, then: weak, ranges: [nil, nil]),
        Row(
            name: "no tag, another end: it is the content of the second", first: untagged,
            then: with { ($0.tag, $0.body) = (nil, otherEnd.body) }, ranges: [nil, nil], content: otherEnd.body),
        Row(
            name: "no tag, another beginning", first: untagged,
            then: with { ($0.tag, $0.body) = (nil, otherStart.body) }, ranges: [nil, nil], content: nil),
        Row(
            name: "no tag, another length", first: untagged, then: with { ($0.tag, $0.body) = (nil, $0.body + [1]) },
            ranges: [nil, nil], content: nil),
        Row(
            name: "no tag, another type", first: untagged,
            then: with { ($0.tag, $0.fields) = (nil, [.contentType: "text/plain"]) }, ranges: [nil, nil], content: nil),
        second("another policy", [.cacheControl: "max-age=60", .contentSecurityPolicy: "script-src 'nonce-2'"]),
        second("another cookie", [.cacheControl: "max-age=60", .setCookie: "session=2"]),
        second("§5.2.2.5: not to be stored", [.cacheControl: "no-store"]),
        second("RFC 9111 §4.1: for some requests", [.cacheControl: "max-age=60", .vary: "Cookie"]),
        second(
            "another time and server",
            [.cacheControl: "max-age=60", .date: "Tue, 15 Nov 1994 08:12:31 GMT", .server: "b"],
            content: origin.body),
        Row(name: "coded content: the whole", first: coded, then: coded, ranges: [nil, nil]),
        Row(
            name: "a rest in another coding", then: with { $0.fields[.contentEncoding] = "gzip" },
            ranges: [nil, "bytes=400-"], content: nil),
        Row(
            name: "§14.4: a rest, and nobody says whether it is all of that", then: with { $0.tellsLength = false },
            isChunked: true, ranges: [nil, "bytes=400-"], content: nil),
        Row(
            name: "a rest that ends before the place that it states", isChunked: true, restLacks: 50,
            ranges: [nil, "bytes=400-", "bytes=950-"]),
        Row(
            name: "an event stream", first: with { $0.fields = [.contentType: "text/event-stream"] }, ranges: [nil],
            content: nil),
        Row(
            name: "a part to the end", presented: [.range: "bytes=100-"], ranges: ["bytes=100-", "bytes=500-"],
            content: Array(origin.body[100...])),
        Row(
            name: "a part", presented: [.range: "bytes=100-899"], ranges: ["bytes=100-899", "bytes=500-899"],
            content: Array(origin.body[100..<900])),
        Row(
            name: "a part without a tag", first: untagged, then: untagged, presented: [.range: "bytes=100-899"],
            ranges: ["bytes=100-899"], content: nil),
    ]

    @Test("content that breaks off goes on", arguments: rows, Bench.StoreKind.allCases)
    func content(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind, rules: .protocolOnly)
        let (breaks, lacking) = (LockedBox(row.broken), LockedBox(row.restLacks))
        bench.transport.on(Bench.base + "/a") { request in
            let isFirst = breaks.withLock { $0.count } == row.broken.count
            let count = breaks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            var request = request
            if row.then == nil { request.head.headerFields[.range] = nil }
            var answer = (isFirst ? row.first : row.then ?? row.first).answer(request)
            if !isFirst,
                case let lacks = lacking.withLock({ lacks in
                    defer { lacks = 0 }
                    return lacks
                }), lacks > 0
            {
                let bytes = Array(row.first.body[row.broken[0]...].dropLast(lacks))
                (answer.body, answer.bodyLength) = (ScriptedBody([bytes]), nil)
                answer.head.headerFields[.contentLength] = nil
            }
            return count.map { row.first.breaking(answer, after: $0, isChunked: row.isChunked) } ?? answer
        }
        let received = await Bench.received(await bench.send("/a", row.presented))
        #expect(received.isWhole == (row.content != nil))
        if let content = row.content { #expect(received.bytes == content) }
        #expect(bench.transport.requests.map { $0.head.headerFields[.range] } == row.ranges)
        #expect(bench.transport.requests.dropFirst().allSatisfy { $0.head.headerFields[.ifNoneMatch] == nil })
        await bench.cache.waitForBackgroundWork()
        await bench.cache.waitForCommits()
        #expect(bench.recorder.reports.first?.repeats == row.ranges.count - 1)
        guard row.content == Self.origin.body, row.first.fields[.cacheControl] == "max-age=60" else { return }
        let again = await bench.send("/a")
        #expect(again.cacheStatus.isHit)
        #expect(try await again.body.collect(upTo: .mebibytes(1)) == Self.origin.body)
    }

    @Test("each 16 KiB begin the count of attempts anew")
    func anew() async throws {
        let bench = try Bench(rules: .protocolOnly)
        let origin = RangeOrigin(body: PatternedContent.octets(200_000), tag: "\"1\"")
        bench.transport.on(Bench.base + "/a") { origin.breaking(origin.answer($0), after: 16_384) }
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == origin.body && received.isWhole)
        #expect(bench.transport.requests.count == 13)
    }

    struct Closing: Sendable, CustomTestStringConvertible {
        var method = HTTPRequest.Method.get
        var stored = false
        var hasContent = false
        /// How often the connection ends without an answer.
        var times = 1
        var expected: Seen
        var testDescription: String { "\(method), stored: \(stored), \(times) times, \(expected)" }
    }

    private static let closings: [Closing] = [
        Closing(expected: Seen(200, "new", requests: 2)),
        Closing(times: 2, expected: Seen(504, "", requests: 2)),
        Closing(method: .post, expected: Seen(504, "", requests: 1)),
        Closing(hasContent: true, expected: Seen(504, "", requests: 1)),
        Closing(stored: true, expected: Seen(200, "new", requests: 2)),
        Closing(stored: true, times: 2, expected: Seen(200, "old", requests: 2)),
    ]

    @Test("a GET whose connection ends without an answer is sent once more", arguments: closings)
    func closing(_ row: Closing) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        if row.stored {
            bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: "old")
            _ = try await bench.seen("/a")
            bench.clock.advance(by: .seconds(100))
        }
        let left = LockedBox(row.times)
        bench.transport.on(Bench.base + "/a") { _ in
            let isOver = left.withLock { left in
                left -= 1
                return left < 0
            }
            guard isOver else { throw TransportError(code: .closedEarly, message: "The origin hung up.") }
            return ScriptedTransport.answer(200, [:], body: Array("new".utf8))
        }
        let body = row.hasContent ? RequestBody(ScriptedBody([[1]]), length: 1) : nil
        let before = bench.transport.requests.count
        let response = await bench.send("/a", method: row.method, body: body)
        let received = await Bench.received(response)
        #expect(
            Seen(
                response.head.status.code,
                response.head.status == .ok ? String(decoding: received.bytes, as: UTF8.self) : "",
                requests: bench.transport.requests.count - before) == row.expected)
    }

    @Test("where a stored file could answer, the server is asked again first", arguments: ["\"1\"", nil])
    func held(_ tag: String?) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        let origin = RangeOrigin(
            body: PatternedContent.octets(1_000), tag: tag, fields: [.contentType: "text/javascript"])
        bench.answer("/a", 200, [.contentType: "text/javascript", .eTag: "\"0\""], body: "old")
        let context = ExchangeContext(destination: .script)
        _ = try await bench.seen("/a", context: context)
        bench.clock.advance(by: .seconds(90 * 86_400))
        let isFirst = LockedBox(true)
        bench.transport.on(Bench.base + "/a") { request in
            let breaks = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            let answer = origin.answer(request)
            return breaks ? origin.breaking(answer, after: 400) : answer
        }
        let received = await Bench.received(await bench.send("/a", context: context))
        #expect(received.bytes == origin.body && received.isWhole)
    }

    @Test("both requests share the time-out")
    func timeout() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in
            bench.clock.advance(by: .seconds(1))
            throw TransportError(code: .closedEarly, message: "The origin hung up.")
        }
        for (limit, limits) in [(3, [3, 2]), (1, [1])] {
            let before = bench.transport.requests.count
            _ = try await bench.seen("/a", context: ExchangeContext(timeout: .seconds(limit)))
            #expect(bench.transport.requests[before...].map(\.timeout) == limits.map { .seconds($0) })
        }
    }

    @Test("a client that leaves has nothing asked for again")
    func leaving() async throws {
        let bench = try Bench(rules: .protocolOnly)
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.eTag: "\"1\""], streaming: body, length: 1_000)
        }
        let source = await bench.send("/a").body.makeSource()
        body.send([1])
        _ = try await source.next()
        source.cancel()
        try await body.cancelled()
        body.end(throwing: TransportError(code: .closedEarly, message: "The client left."))
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == 1)
    }
}
