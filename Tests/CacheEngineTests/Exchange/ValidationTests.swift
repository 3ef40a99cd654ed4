import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4.3: validation", .timeLimit(.minutes(5)))
struct ValidationTests {
    private static func full(_ text: String, _ tag: String) -> @Sendable (TransportRequest) -> TransportResponse {
        { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: tag], body: text) }
    }

    private static func notModified(_ fields: HTTPFields) -> @Sendable (TransportRequest) -> TransportResponse {
        { _ in ScriptedTransport.answer(304, fields) }
    }

    @Test("§4.3.4: a 304 freshens the stored response, which is then a hit again", arguments: Bench.StoreKind.allCases)
    func freshening(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        let confirmation: HTTPFields = [
            .eTag: "\"1\"", .cacheControl: "max-age=90", .date: "Tue, 14 Nov 2023 22:15:00 GMT",
        ]
        bench.answers("/a", [Self.full("one", "\"1\""), Self.notModified(confirmation)])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        let (validated, text) = try await bench.text("/a")
        #expect(text == "one" && validated.head.status == .ok)
        #expect(validated.cacheStatus.description == "Larder; fwd=stale; fwd-status=304; ttl=90")
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == "\"1\"")
        bench.clock.advance(by: .seconds(89))
        let (hit, _) = try await bench.text("/a")
        #expect(hit.cacheStatus.description == "Larder; hit; ttl=1")
        #expect(hit.head.headerFields[.age] == "89")
        #expect(bench.recorder.reports.map(\.outcome) == [.stored, .validated, .hit])
    }

    @Test("a 200 to a validation replaces the stored response")
    func replaced() async throws {
        let bench = try Bench()
        bench.answers("/a", [Self.full("one", "\"1\""), Self.full("two", "\"2\"")])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        #expect(try await bench.text("/a").text == "two")
        try await bench.store.commits(atLeast: 2)
        #expect(try await bench.text("/a").response.cacheStatus.isHit)
        #expect(try await bench.text("/a").text == "two")
    }

    @Test("a 304 for another representation is followed by a request without conditions")
    func mismatched() async throws {
        let bench = try Bench()
        bench.answers(
            "/a", [Self.full("one", "\"1\""), Self.notModified([.eTag: "\"9\""]), Self.full("two", "\"2\"")])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        let (response, text) = try await bench.text("/a")
        #expect(text == "two")
        // The status is not the 304's, because another response was used.
        #expect(response.cacheStatus.description == "Larder; fwd=stale; stored")
        #expect(bench.transport.requests.count == 3)
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == nil)
        try await bench.store.commits(atLeast: 2)
        #expect(try await bench.text("/a").text == "two")
    }

    @Test("a response with no-cache is validated every time, and served once confirmed")
    func noCache() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: "no-cache", .eTag: "\"1\""], body: "x") },
                Self.notModified([.eTag: "\"1\""]),
            ])
        try await bench.fill("/a")
        for _ in 0..<2 {
            let (response, text) = try await bench.text("/a")
            #expect(text == "x" && response.cacheStatus.forwardStatus == 304)
        }
        #expect(bench.transport.requests.count == 3)
    }

    @Test("§4.3.2: the client's own conditions are answered 304 from the store")
    func clientConditions() async throws {
        let bench = try Bench()
        let modified = "Tue, 14 Nov 2023 21:00:00 GMT"
        bench.answer(
            "/a", 200, [.cacheControl: "max-age=60", .eTag: "W/\"1\"", .lastModified: modified], body: "x")
        try await bench.fill("/a")
        let rows: [(HTTPFields, Int)] = [
            ([.ifNoneMatch: "\"1\""], 304), ([.ifNoneMatch: "\"0\", W/\"1\""], 304), ([.ifNoneMatch: "*"], 304),
            ([.ifNoneMatch: "\"2\""], 200), ([.ifModifiedSince: modified], 304),
            ([.ifModifiedSince: "Tue, 14 Nov 2023 20:59:59 GMT"], 200),
            ([.ifNoneMatch: "\"2\"", .ifModifiedSince: modified], 200),
        ]
        for (fields, status) in rows {
            let (response, text) = try await bench.text("/a", fields)
            #expect(response.head.status.code == status, "\(fields)")
            #expect(text == (status == 304 ? "" : "x"))
            #expect(response.cacheStatus.isHit)
            if status == 304 {
                #expect(response.head.headerFields[.contentLength] == nil)
                #expect(response.head.headerFields[.eTag] == "W/\"1\"")
            }
        }
        #expect(bench.transport.requests.count == 1)
    }

    @Test("with nothing stored the client's conditions reach the origin, and its 304 the client")
    func conditionsPassThrough() async throws {
        let bench = try Bench()
        bench.answers("/a", [Self.notModified([.eTag: "\"1\""])])
        let (response, text) = try await bench.text("/a", [.ifNoneMatch: "\"1\""])
        #expect(response.head.status == .notModified && text.isEmpty)
        #expect(bench.transport.requests.first?.head.headerFields[.ifNoneMatch] == "\"1\"")
        #expect(bench.recorder.reports.map(\.isComplete) == [true])
        #expect(bench.recorder.reports.map(\.notStored) == [.notModified])
    }

    @Test("fields that are not replayed still arrive when the 304 itself has them")
    func newsInNotModified() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in
                    ScriptedTransport.answer(
                        200, [.cacheControl: "max-age=60", .eTag: "\"1\"", .setCookie: "s=1"], body: "x")
                },
                Self.notModified([.eTag: "\"1\"", .setCookie: "s=2"]), Self.notModified([.eTag: "\"1\""]),
            ])
        let context = ExchangeContext(fieldsOmittedFromHits: [.setCookie])
        try await bench.fill("/a", context: context)
        #expect(try await bench.text("/a", context: context).response.head.headerFields[.setCookie] == nil)
        bench.clock.advance(by: .seconds(61))
        #expect(try await bench.text("/a", context: context).response.head.headerFields[.setCookie] == "s=2")
        bench.clock.advance(by: .seconds(61))
        #expect(try await bench.text("/a", context: context).response.head.headerFields[.setCookie] == nil)
    }

    @Test("a response whose content is gone is fetched again, without conditions")
    func contentGone() async throws {
        let bench = try Bench()
        bench.answers("/a", [Self.full("one", "\"1\""), Self.full("two", "\"2\"")])
        try await bench.fill("/a")
        bench.store.setFault(.opening)
        let (response, text) = try await bench.text("/a")
        #expect(text == "two")
        #expect(bench.transport.requests.last?.head.headerFields[.ifNoneMatch] == nil)
        #expect(response.failure == nil)
    }

    @Test("an entry that is replaced between look-up and opening is looked up again, not fetched")
    func replacedMeanwhile() async throws {
        let bench = try Bench(.disk)
        let store = ReplacingStore(bench.store)
        let cache = ResponseCache(
            store: store, transport: bench.transport, configuration: .init(clock: bench.clock.engineClock))
        bench.answer("/a", 200, [.cacheControl: "max-age=60"], body: String(repeating: "1", count: 100_000))
        try await bench.fill("/a")
        let response = await cache.respond(
            to: EngineRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")))
        #expect(try await Bench.read(response) == String(repeating: "2", count: 100_000))
        #expect(response.cacheStatus.isHit)
        #expect(bench.transport.requests.count == 1)
    }

    @Test(
        "§3: a 304's fields are not stored if it or the request has no-store",
        arguments: [
            (["Cache-Control": "max-age=600, no-store"], [:]),
            (["Cache-Control": "max-age=600"], ["Cache-Control": "no-store"]),
        ] as [([String: String], [String: String])])
    func unstorableConfirmation(_ answer: [String: String], _ request: [String: String]) async throws {
        @Sendable func fields(_ pairs: [String: String]) -> HTTPFields {
            var fields: HTTPFields = [.eTag: "\"1\""]
            for (name, value) in pairs { HTTPField.Name(name).map { fields[$0] = value } }
            return fields
        }
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "old") },
                { _ in ScriptedTransport.answer(304, fields(answer)) },
            ])
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        var presented = fields(request)
        presented[.eTag] = nil
        let (response, text) = try await bench.text("/a", presented)
        #expect(text == "old" && response.cacheStatus.forwardStatus == 304)
        #expect(response.head.headerFields[.cacheControl] == answer["Cache-Control"])
        let stored = try await bench.store.entries(for: CacheKey(uri: Bench.base + "/a"))
        #expect(stored.map { $0.response.fields[.cacheControl] } == ["max-age=60"])
    }
    @Test("§5.2.2.3: must-understand in a 304 refers to the stored status", arguments: [(200, 0), (299, 1)])
    func mustUnderstand(_ status: Int, _ requests: Int) async throws {
        let bench = try Bench()
        let fields: HTTPFields = [.cacheControl: "max-age=60, must-understand, no-store", .eTag: "\"1\""]
        bench.answer("/a", status, [.cacheControl: "max-age=60", .eTag: "\"1\""], body: "x")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(100))
        bench.answer("/a", 304, fields)
        #expect(try await bench.seen("/a") == Seen(status, "x", requests: 1))
        #expect(try await bench.seen("/a") == Seen(status, "x", requests: requests))
    }
}
