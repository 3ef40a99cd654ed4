import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.3: what incomplete responses are used for, and what not", .timeLimit(.minutes(5)))
struct IncompleteResponseTests {
    private static let origin = RangeOrigin(body: PatternedContent.octets(1_000), tag: "\"1\"")

    /// A store with the first 400 bytes; the origin has the whole from then on.
    private func bench(
        _ origin: RangeOrigin = origin, rules: RuleList = .protocolOnly, status: Int = 200,
        presented: HTTPFields = [:], context: ExchangeContext = .init()
    ) async throws -> Bench {
        let bench = try Bench(rules: rules)
        bench.transport.on(Bench.base + "/a") { _ in
            var answer = origin.broken(after: 400)
            answer.head.status = .init(code: status)
            return answer
        }
        let received = await Bench.received(await bench.send("/a", presented, context: context))
        #expect(received.bytes.count == 400 && !received.isWhole)
        await bench.cache.waitForBackgroundWork()
        bench.transport.on(Bench.base + "/a") { origin.answer($0) }
        return bench
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var origin = IncompleteResponseTests.origin
        var status = 200
        var presented: HTTPFields = [:]
        var testDescription: String { name }
    }

    private static func with(_ change: (inout RangeOrigin) -> Void) -> RangeOrigin {
        var changed = origin
        change(&changed)
        return changed
    }

    private static let unkept: [Row] = [
        Row(name: "a weak tag: RFC 9110 §13.1.5 forbids it in If-Range", origin: with { $0.tag = "W/\"1\"" }),
        Row(name: "no validator: the parts could not be joined", origin: with { $0.tag = nil }),
        Row(name: "a status other than 200", status: 404),
        Row(name: "no-store", origin: with { $0.fields = [.cacheControl: "no-store"] }),
        Row(name: "no-store in the request", presented: [.cacheControl: "no-store"]),
    ]

    @Test("a beginning that could not be completed is not stored, and no part is requested", arguments: unkept)
    func notKept(_ row: Row) async throws {
        let bench = try await bench(row.origin, status: row.status, presented: row.presented)
        #expect(try await bench.store.usage().entries == 0)
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == row.origin.body && received.isWhole)
        let sent = try #require(bench.transport.requests.last).head.headerFields
        #expect(sent[.range] == nil && sent[.ifRange] == nil)
    }

    @Test("a response that broke off without any content is not stored")
    func nothingArrived() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in Self.origin.broken(after: 0) }
        _ = await Bench.received(await bench.send("/a"))
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("§3.3: a beginning never answers for the whole; offline it answers ranges within it")
    func neverTheWhole() async throws {
        let bench = try await bench(rules: RuleList([Rule.disconnected]))
        for context in [Bench.disconnected, ExchangeContext(mode: .onlyIfStored)] {
            #expect(try await bench.seen("/a", context: context) == Seen(504, "", requests: 0))
            #expect(try await bench.seen("/a", method: .head, context: context) == Seen(504, "", requests: 0))
            let inner = await bench.send("/a", [.range: "bytes=100-199"], context: context)
            #expect(inner.head.status == .partialContent)
            #expect(inner.head.headerFields[.contentRange] == "bytes 100-199/1000")
            #expect(try await inner.body.collect(upTo: .mebibytes(1)) == Array(Self.origin.body[100..<200]))
            #expect(
                try await bench.seen("/a", [.range: "bytes=100-400"], context: context)
                    == Seen(504, "", requests: 0))
        }
    }

    struct Plain: Sendable, CustomTestStringConvertible {
        var name: String
        var method: HTTPRequest.Method = .get
        var fields: HTTPFields = [:]
        var context = ExchangeContext()
        /// The range that the origin must see.
        var range: String?
        var testDescription: String { name }
    }

    @Test(
        "requests that the rest would not answer reach the origin as they are",
        arguments: [
            Plain(name: "HEAD", method: .head),
            Plain(name: "a range beyond", fields: [.range: "bytes=500-"], range: "bytes=500-"),
            Plain(name: "a condition of the client", fields: [.ifNoneMatch: "\"0\""]),
            Plain(name: "reload", context: ExchangeContext(mode: .reload)),
            Plain(name: "no-store", context: ExchangeContext(mode: .noStore)),
            Plain(name: "POST", method: .post),
            Plain(name: "another partition", context: ExchangeContext(partition: "other")),
        ])
    func plain(_ row: Plain) async throws {
        let bench = try await bench()
        let response = await bench.send("/a", row.fields, method: row.method, context: row.context)
        let received = await Bench.received(response)
        let sent = try #require(bench.transport.requests.last).head
        #expect(sent.headerFields[.range] == row.range && sent.headerFields[.ifRange] == nil)
        #expect(sent.headerFields[.ifNoneMatch] == row.fields[.ifNoneMatch])
        if row.method == .get, row.range == nil {
            #expect(response.head.status == .ok && received.bytes == Self.origin.body)
        }
    }

    @Test("§4.1: another variant's beginning is not continued")
    func variants() async throws {
        let origin = Self.with { $0.fields[.vary] = "Accept-Language" }
        let bench = try await bench(origin, presented: [.acceptLanguage: "en"])
        _ = try await bench.seen("/a", [.acceptLanguage: "de"])
        #expect(bench.transport.requests.last?.head.headerFields[.range] == nil)
        _ = try await bench.seen("/a", [.acceptLanguage: "en"])
        #expect(bench.transport.requests.last?.head.headerFields[.range] == "bytes=400-")
    }

    @Test("fields that are not replayed come with the rest only if the origin sent them again")
    func fieldsOmittedFromHits() async throws {
        let origin = Self.with { $0.fields[.setCookie] = "s=1" }
        let context = ExchangeContext(fieldsOmittedFromHits: [.setCookie])
        let bench = try await bench(origin, context: context)
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        let silent = await bench.send("/a", context: context)
        #expect(silent.head.headerFields[.setCookie] == nil)
        _ = await Bench.received(silent)
    }

    @Test("concurrent requests share the rest, and each gets the whole")
    func shared() async throws {
        let bench = try await bench()
        let before = bench.transport.requests.count
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { request in
            try await gate.pass()
            return Self.origin.answer(request)
        }
        let bodies = await withTaskGroup(of: (bytes: [UInt8], isWhole: Bool).self) { group in
            for _ in 0..<20 { group.addTask { await Bench.received(await bench.send("/a")) } }
            try? await gate.arrivals(1)
            gate.open()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(bodies.allSatisfy { $0.isWhole && $0.bytes == Self.origin.body })
        #expect(bench.transport.requests.count == before + 1)
    }

    @Test("the time-out for the head covers the request for the rest and the one that follows a useless rest")
    func timeout() async throws {
        let bench = try await bench()
        bench.transport.on(Bench.base + "/a") { request in
            request.head.headerFields[.range] == nil
                ? Self.origin.answer(request) : ScriptedTransport.answer(416, [.contentRange: "bytes */9"])
        }
        _ = try await bench.seen("/a", context: ExchangeContext(timeout: .seconds(3)))
        #expect(bench.transport.requests.suffix(2).map(\.timeout) == [.seconds(3), .seconds(3)])
    }

    @Test("if the stored beginning is gone, the whole is requested")
    func beginningGone() async throws {
        let bench = try await bench()
        bench.store.setFault(.opening)
        let received = await Bench.received(await bench.send("/a"))
        #expect(received.bytes == Self.origin.body && received.isWhole)
        #expect(bench.transport.requests.last?.head.headerFields[.range] == nil)
    }

    @Test("a stale beginning is continued as well, since If-Range validates it")
    func stale() async throws {
        let bench = try await bench()
        bench.clock.advance(by: .seconds(1_000))
        let response = await bench.send("/a")
        #expect(bench.transport.requests.last?.head.headerFields[.ifRange] == "\"1\"")
        #expect((response.head.headerFields[.age] ?? "0") == "0")
        let received = await Bench.received(response)
        #expect(received.bytes == Self.origin.body)
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.seen("/a").requests == 0)
    }
}
