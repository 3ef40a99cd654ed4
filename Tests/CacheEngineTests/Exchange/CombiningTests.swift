import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.4, RFC 9110 §15.3.7.3: which parts may be combined", .timeLimit(.minutes(5)))
struct CombiningTests {
    private static let old = RangeOrigin(body: PatternedContent.octets(100), tag: "\"1\"")
    private static let new = RangeOrigin(body: PatternedContent.octets(100).map { $0 ^ 0xFF }, tag: "\"2\"")

    struct Tags: Sendable, CustomTestStringConvertible {
        var first: String?
        var second: String?
        var source: String
        var testDescription: String { "\(first ?? "none") and \(second ?? "none"), as \(source)" }
    }

    @Test(
        "parts are combined only with the same strong tag",
        arguments: [
            Tags(first: "\"1\"", second: "\"2\"", source: "\"share the same strong validator\""),
            Tags(first: "W/\"1\"", second: "W/\"1\"", source: "RFC 9110 §8.8.1, weak validators"),
            Tags(first: "\"1\"", second: "W/\"1\"", source: "RFC 9110 §8.8.3.2, strong comparison"),
            Tags(first: "W/\"1\"", second: "\"1\"", source: "RFC 9110 §8.8.3.2, strong comparison"),
            Tags(first: nil, second: nil, source: "no validator at all"),
            Tags(first: "\"1\"", second: nil, source: "one without a validator"),
            Tags(first: nil, second: "\"1\"", source: "one without a validator"),
        ])
    func tags(_ row: Tags) async throws {
        let bench = try Bench()
        var (one, two) = (Self.old, Self.new)
        (one.tag, two.tag) = (row.first, row.second)
        let (first, second) = (one, two)
        bench.answers("/a", [{ first.answer($0) }, { second.answer($0) }])
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        _ = try await bench.seen("/a", [.range: "bytes=50-"])
        let (across, _) = try await bench.text("/a", [.range: "bytes=40-60"])
        #expect(!across.cacheStatus.isHit)
        let whole = await bench.send("/a")
        #expect(try await whole.body.collect(upTo: .kibibytes(1)) == second.body)
        await bench.cache.waitForBackgroundWork()
        // Any answer has the bytes of one representation, under its own tag.
        for range in [0..<10, 45..<50, 60..<70] {
            let part = await bench.send("/a", [.range: "bytes=\(range.lowerBound)-\(range.upperBound - 1)"])
            #expect(try await part.body.collect(upTo: .kibibytes(1)) == Array(second.body[range]))
            #expect(part.head.headerFields[.eTag] == row.second)
        }
    }

    @Test(
        "RFC 9110 §8.8.3.3: two codings of a file are not joined, though the server gives both one strong tag",
        arguments: [false, true], [false, true])
    func codings(isCodedFirst: Bool, isBrokenOff: Bool) async throws {
        let bench = try Bench()
        var coded = RangeOrigin(body: Self.new.body, tag: "\"1\"")
        coded.fields[.contentEncoding] = "gzip"
        let (first, second) = isCodedFirst ? (coded, Self.old) : (Self.old, coded)
        bench.answers(
            "/a",
            [{ isBrokenOff ? first.broken(after: 50, isChunked: true) : first.answer($0) }, { second.answer($0) }])
        let fields: HTTPFields = isBrokenOff ? [:] : [.range: "bytes=0-49"]
        _ = await Bench.received(await bench.send("/a", fields))
        await bench.cache.waitForBackgroundWork()
        for fields in [isBrokenOff ? [:] : [.range: "bytes=50-"], [:]] as [HTTPFields] {
            let answer = await bench.send("/a", fields)
            let known = answer.head.headerFields[.contentEncoding] == "gzip" ? coded.body : Self.old.body
            let received = await Bench.received(answer).bytes
            #expect(received == known || received == Array(known[50...]) && answer.head.status == .partialContent)
            await bench.cache.waitForBackgroundWork()
        }
    }

    @Test("a part of another representation replaces the stored parts")
    func replaced() async throws {
        let bench = try Bench()
        bench.answers("/a", [{ Self.old.answer($0) }, { Self.new.answer($0) }])
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        _ = try await bench.seen("/a", [.range: "bytes=50-59"])
        let stored = try await bench.store.entries(for: bench.key("/a"))
        #expect(stored.map { $0.response.fields[.eTag] } == ["\"2\""])
        let part = await bench.send("/a", [.range: "bytes=0-9"])
        #expect(try await part.body.collect(upTo: .kibibytes(1)) == Array(Self.new.body[..<10]))
        #expect(bench.transport.requests.count == 3)
    }

    @Test("the same tag with another complete length is another representation")
    func otherLength() async throws {
        let bench = try Bench()
        let longer = RangeOrigin(body: PatternedContent.octets(200), tag: "\"1\"")
        bench.answers("/a", [{ Self.old.answer($0) }, { longer.answer($0) }])
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        _ = try await bench.seen("/a", [.range: "bytes=50-99"])
        let before = bench.transport.requests.count
        let response = await bench.send("/a")
        #expect(try await response.body.collect(upTo: .kibibytes(1)) == longer.body)
        #expect(bench.transport.requests.count > before)
    }

    @Test("§3.4: \"a cache MUST update the stored response header fields using … the new response\"")
    func fieldsAreUpdated() async throws {
        let bench = try Bench()
        let note = try #require(HTTPField.Name("X-Note"))
        var (one, two) = (Self.old, Self.old)
        one.fields = [.cacheControl: "max-age=60", note: "first", .server: "s"]
        two.fields = [.cacheControl: "max-age=600", note: "second"]
        let (first, second) = (one, two)
        bench.answers("/a", [{ first.answer($0) }, { second.answer($0) }])
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        bench.clock.advance(by: .seconds(50))
        _ = try await bench.seen("/a", [.range: "bytes=50-99"])
        bench.clock.advance(by: .seconds(500))
        let (response, _) = try await bench.text("/a")
        #expect(response.cacheStatus.isHit)
        #expect(response.head.headerFields[note] == "second")
        #expect(response.head.headerFields[.server] == "s")
        #expect(response.head.headerFields[.cacheControl] == "max-age=600")
        #expect(response.head.headerFields[.age] == "500")
    }

    @Test("a 206 that can't be placed is forwarded and not stored")
    func notPlaced() async throws {
        let rows: [HTTPFields] = [
            [:], [.contentRange: "bytes */100"], [.contentRange: "bytes 0-9"], [.contentRange: "lines 0-9/100"],
            [.contentRange: "bytes 9-0/100"], [.contentRange: "bytes 0-9/5"],
            [.contentType: "multipart/byteranges; boundary=x"],
        ]
        for row in rows {
            let bench = try Bench()
            var fields = row
            fields[.cacheControl] = "max-age=60"
            fields[.eTag] = "\"1\""
            bench.answer("/a", 206, fields, body: "0123456789")
            let first = try await bench.seen("/a", [.range: "bytes=0-9"])
            #expect(first == Seen(206, "0123456789", requests: 1))
            #expect(try await bench.seen("/a", [.range: "bytes=0-9"]).requests == 1, "\(row)")
            #expect(try await bench.store.usage().entries == 0)
        }
    }

    @Test("a part that is shorter or longer than stated counts for the bytes that arrived")
    func wrongLength() async throws {
        for (count, isWhole) in [(5, false), (10, true)] {
            let bench = try Bench()
            bench.transport.on(Bench.base + "/a") { _ in
                TransportResponse(
                    head: HTTPResponse(
                        status: .partialContent,
                        headerFields: [
                            .cacheControl: "max-age=60", .eTag: "\"1\"", .contentRange: "bytes 10-19/100",
                        ]), body: ScriptedBody([Array(PatternedContent.octets(100)[10..<10 + count])]), bodyLength: nil)
            }
            _ = try await bench.seen("/a", [.range: "bytes=10-19"])
            #expect(try await bench.seen("/a", [.range: "bytes=10-19"]).requests == (isWhole ? 0 : 1))
        }
    }

    @Test(
        "directives that forbid storing a whole forbid storing a part",
        arguments: [
            ([.cacheControl: "no-store"], [:], CacheKind.private), ([.vary: "*"], [:], .private),
            ([.cacheControl: "max-age=60"], [.cacheControl: "no-store"], .private),
            ([.cacheControl: "private, max-age=60"], [:], .shared),
            ([.cacheControl: "max-age=60"], [.authorization: "Basic x"], .shared),
        ] as [(HTTPFields, HTTPFields, CacheKind)])
    func notStored(_ fields: HTTPFields, _ presented: HTTPFields, _ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        var origin = Self.old
        origin.fields = fields
        let fixed = origin
        bench.transport.on(Bench.base + "/a") { fixed.answer($0) }
        var request = presented
        request[.range] = "bytes=0-9"
        _ = try await bench.seen("/a", request)
        #expect(try await bench.store.usage().entries == 0)
    }

    @Test("§4.1: parts of different variants are not combined")
    func variants() async throws {
        let bench = try Bench()
        var (one, two) = (Self.old, Self.new)
        one.fields[.vary] = "Accept-Language"
        two.fields[.vary] = "Accept-Language"
        let (english, german) = (one, two)
        bench.transport.on(Bench.base + "/a") {
            ($0.head.headerFields[.acceptLanguage] == "en" ? english : german).answer($0)
        }
        _ = try await bench.seen("/a", [.range: "bytes=0-49", .acceptLanguage: "en"])
        _ = try await bench.seen("/a", [.range: "bytes=50-99", .acceptLanguage: "de"])
        for (language, range, requests) in [
            ("en", "bytes=0-49", 0), ("de", "bytes=50-99", 0), ("en", "bytes=50-99", 1), ("de", "bytes=0-49", 1),
        ] {
            let seen = try await bench.seen("/a", [.range: range, .acceptLanguage: language])
            #expect(seen.requests == requests, "\(language) \(range)")
        }
        for (language, origin) in [("en", english), ("de", german)] {
            let response = await bench.send("/a", [.acceptLanguage: language])
            #expect(response.cacheStatus.isHit)
            #expect(try await response.body.collect(upTo: .kibibytes(1)) == origin.body)
        }
    }

    @Test("§4.3: a stale part is validated before it answers, and replaced when it has changed")
    func stale() async throws {
        for origin in [Self.old, Self.new] {
            let bench = try Bench()
            bench.answers("/a", [{ Self.old.answer($0) }, { origin.answer($0) }])
            _ = try await bench.seen("/a", [.range: "bytes=0-49"])
            bench.clock.advance(by: .seconds(100))
            let response = await bench.send("/a", [.range: "bytes=10-19"])
            #expect(response.head.status == .partialContent)
            #expect(response.head.headerFields[.eTag] == origin.tag)
            #expect(try await response.body.collect(upTo: .kibibytes(1)) == Array(origin.body[10..<20]))
            #expect(bench.transport.requests.count == 2)
            await bench.cache.waitForBackgroundWork()
            let again = await bench.send("/a", [.range: "bytes=10-19"])
            #expect(try await again.body.collect(upTo: .kibibytes(1)) == Array(origin.body[10..<20]))
            #expect(bench.transport.requests.count == 2)
        }
    }

    @Test("a part never replaces a complete response")
    func completeStays() async throws {
        for origin in [Self.old, Self.new] {
            let bench = try Bench()
            bench.answers("/a", [{ Self.old.answer($0) }, { origin.answer($0) }])
            try await bench.fill("/a")
            // A mode that does not use the store forwards a range.
            let part = await bench.send("/a", [.range: "bytes=0-9"], context: ExchangeContext(mode: .reload))
            #expect(try await part.body.collect(upTo: .kibibytes(1)) == Array(origin.body[..<10]))
            await bench.cache.waitForBackgroundWork()
            let stored = try #require(try await bench.store.entries(for: bench.key("/a")).first)
            #expect(stored.response.extent == .complete)
            // If the part belongs to another representation, the old one must be validated from now on.
            let response = await bench.send("/a")
            #expect(try await response.body.collect(upTo: .kibibytes(1)) == origin.body)
            #expect(response.head.headerFields[.eTag] == origin.tag)
        }
    }

    @Test("§4.4: an unsafe request invalidates parts too, also those that are arriving")
    func invalidated() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { request in
            request.head.method == .put ? ScriptedTransport.answer(204) : Self.old.answer(request)
        }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        _ = try await bench.seen("/a", method: .put)
        #expect(try await bench.store.usage().entries == 0)
        #expect(try await bench.seen("/a", [.range: "bytes=0-9"]).requests == 1)
    }
}
