import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §3.3: partial responses are stored and answer what lies within them", .timeLimit(.minutes(5)))
struct PartialResponseTests {
    private static let body = PatternedContent.octets(100)
    private static let origin = RangeOrigin(body: body, tag: "\"1\"")

    struct Row: Sendable, CustomTestStringConvertible {
        /// The ranges requested before, one after the other.
        var before: [String]
        var asked: String
        /// The bytes of the answer, from the store or the origin.
        var expected: Range<Int>
        var isHit: Bool
        var testDescription: String { "\(before) then \(asked): \(isHit ? "hit" : "forwarded")" }
    }

    private static let single: [Row] = [
        Row(before: ["bytes=10-29"], asked: "bytes=10-29", expected: 10..<30, isHit: true),
        Row(before: ["bytes=10-29"], asked: "bytes=15-20", expected: 15..<21, isHit: true),
        Row(before: ["bytes=10-29"], asked: "bytes=10-10", expected: 10..<11, isHit: true),
        Row(before: ["bytes=10-29"], asked: "bytes=29-29", expected: 29..<30, isHit: true),
        // "a range wholly within the incomplete response"
        Row(before: ["bytes=10-29"], asked: "bytes=9-20", expected: 9..<21, isHit: false),
        Row(before: ["bytes=10-29"], asked: "bytes=20-30", expected: 20..<31, isHit: false),
        Row(before: ["bytes=10-29"], asked: "bytes=30-31", expected: 30..<32, isHit: false),
        Row(before: ["bytes=10-29"], asked: "bytes=15-", expected: 15..<100, isHit: false),
        Row(before: ["bytes=10-29"], asked: "bytes=-71", expected: 29..<100, isHit: false),
        // RFC 9110 §14.1.2: the complete length is known, so the end is known.
        Row(before: ["bytes=80-"], asked: "bytes=-5", expected: 95..<100, isHit: true),
        Row(before: ["bytes=80-"], asked: "bytes=-20", expected: 80..<100, isHit: true),
        Row(before: ["bytes=80-"], asked: "bytes=-21", expected: 79..<100, isHit: false),
        Row(before: ["bytes=80-"], asked: "bytes=90-", expected: 90..<100, isHit: true),
        Row(before: ["bytes=-20"], asked: "bytes=90-500", expected: 90..<100, isHit: true),
    ]

    private static let combined: [Row] = [
        Row(before: ["bytes=0-9", "bytes=10-19"], asked: "bytes=0-19", expected: 0..<20, isHit: true),
        Row(before: ["bytes=10-19", "bytes=0-9"], asked: "bytes=5-14", expected: 5..<15, isHit: true),
        Row(before: ["bytes=0-14", "bytes=10-24"], asked: "bytes=0-24", expected: 0..<25, isHit: true),
        Row(before: ["bytes=10-24", "bytes=0-14"], asked: "bytes=0-24", expected: 0..<25, isHit: true),
        Row(before: ["bytes=10-19", "bytes=0-29"], asked: "bytes=0-29", expected: 0..<30, isHit: true),
        Row(before: ["bytes=0-9", "bytes=20-29"], asked: "bytes=0-9", expected: 0..<10, isHit: true),
        Row(before: ["bytes=0-9", "bytes=20-29"], asked: "bytes=22-27", expected: 22..<28, isHit: true),
        Row(before: ["bytes=0-9", "bytes=20-29"], asked: "bytes=0-29", expected: 0..<30, isHit: false),
        Row(before: ["bytes=0-9", "bytes=20-29"], asked: "bytes=9-20", expected: 9..<21, isHit: false),
        Row(before: ["bytes=0-9", "bytes=20-29"], asked: "bytes=10-19", expected: 10..<20, isHit: false),
        Row(before: ["bytes=20-29", "bytes=0-9", "bytes=10-19"], asked: "bytes=0-29", expected: 0..<30, isHit: true),
        Row(before: ["bytes=0-9", "bytes=20-29", "bytes=5-24"], asked: "bytes=0-29", expected: 0..<30, isHit: true),
        Row(
            before: ["bytes=0-4", "bytes=10-14", "bytes=20-24", "bytes=8-21"], asked: "bytes=8-24", expected: 8..<25,
            isHit: true),
        Row(before: ["bytes=0-49", "bytes=50-"], asked: "bytes=-100", expected: 0..<100, isHit: true),
    ]

    @Test("a range within the stored parts is a hit, any other is forwarded as it is", arguments: single + combined)
    func ranges(_ row: Row) async throws {
        for (kind, scale) in [(Bench.StoreKind.memory, 1), (.disk, 1), (.disk, 2_000)] {
            let bench = try Bench(kind)
            let origin = RangeOrigin(body: PatternedContent.octets(100 * scale), tag: "\"1\"")
            bench.transport.on(Bench.base + "/a") { origin.answer($0) }
            for range in row.before { _ = try await bench.seen("/a", [.range: Self.scaled(range, scale)]) }
            let before = bench.transport.requests.count
            let asked = Self.scaled(row.asked, scale)
            let response = await bench.send("/a", [.range: asked])
            let expected = row.expected.lowerBound * scale..<row.expected.upperBound * scale
            #expect(response.head.status == .partialContent)
            #expect(
                response.head.headerFields[.contentRange]
                    == "bytes \(expected.lowerBound)-\(expected.upperBound - 1)/\(100 * scale)")
            #expect(response.head.headerFields[.contentLength] == String(expected.count))
            #expect(response.head.headerFields[.eTag] == "\"1\"")
            #expect(try await response.body.collect(upTo: .mebibytes(1)) == Array(origin.body[expected]))
            #expect(bench.transport.requests.count - before == (row.isHit ? 0 : 1))
            if !row.isHit { #expect(bench.transport.requests.last?.head.headerFields[.range] == asked) }
        }
    }

    /// The same range of a representation this many times as long.
    private static func scaled(_ range: String, _ scale: Int) -> String {
        let ends = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        let first = ends[0].map { String($0 * scale) } ?? ""
        let last = ends[1].map { String(ends[0] == nil ? $0 * scale : ($0 + 1) * scale - 1) } ?? ""
        return "bytes=\(first)-\(last)"
    }

    @Test("RFC 9110 §15.3.7.3: parts that together are the whole answer as 200", arguments: Bench.StoreKind.allCases)
    func wholeAtLast(_ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind)
        var origin = RangeOrigin(body: PatternedContent.octets(90_000), tag: "\"1\"")
        origin.fields[.contentType] = "video/mp4"
        let fixed = origin
        bench.transport.on(Bench.base + "/a") { fixed.answer($0) }
        for range in ["bytes=30000-59999", "bytes=0-29999", "bytes=-30000"] {
            _ = try await bench.seen("/a", [.range: range])
        }
        let response = await bench.send("/a")
        #expect(response.head.status == .ok && response.cacheStatus.isHit)
        #expect(response.head.headerFields[.contentRange] == nil)
        #expect(response.head.headerFields[.contentLength] == "90000")
        #expect(response.head.headerFields[.contentType] == "video/mp4")
        #expect(try await response.body.collect(upTo: .mebibytes(1)) == origin.body)
        #expect(bench.transport.requests.count == 3)
        #expect(try await bench.store.usage().entries == 1)
        #expect(try await bench.store.usage().bodies == 1)
    }

    @Test("§3.3: parts never answer a request for the whole, in any mode and without a network")
    func neverTheWhole() async throws {
        let bench = try Bench(rules: RuleList([Rule.disconnected]))
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        let offline = ExchangeContext(connectivity: .disconnected)
        let contexts = [
            offline, ExchangeContext(mode: .onlyIfStored),
            ExchangeContext(connectivity: .disconnected, mode: .preferStored),
        ]
        for context in contexts {
            let rows: [(HTTPRequest.Method, HTTPFields)] = [
                (.get, [:]), (.head, [:]), (.get, [.range: "bytes=40-60"]), (.get, [.range: "x=1"]),
                (.get, [.range: "bytes=0-9", .ifRange: "\"2\""]),
            ]
            for (method, fields) in rows {
                let seen = try await bench.seen("/a", fields, method: method, context: context)
                #expect(seen == Seen(504, "", requests: 0), "\(method) \(fields)")
            }
            let inner = await bench.send("/a", [.range: "bytes=40-49"], context: context)
            #expect(inner.head.status == .partialContent)
            #expect(try await inner.body.collect(upTo: .kibibytes(1)) == Array(Self.body[40..<50]))
        }
        #expect(try await bench.seen("/a", [.cacheControl: "only-if-cached"]) == Seen(504, "", requests: 0))
        // HEAD asks about the whole, so parts do not answer it (§3.3).
        let head = try await bench.text("/a", method: .head).response
        #expect(head.head.status == .ok && head.head.headerFields[.contentLength] == "100")
        #expect(bench.transport.requests.count == 2)
        // The answer to HEAD about the whole leaves the parts usable.
        #expect(try await bench.seen("/a", [.range: "bytes=40-49"], context: offline).status == 206)
    }

    @Test("a range beyond the representation is 416")
    func notSatisfiable() async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        for range in ["bytes=100-", "bytes=100-200", "bytes=500-500"] {
            let (response, _) = try await bench.text("/a", [.range: range])
            #expect(response.head.status == .rangeNotSatisfiable)
            #expect(response.head.headerFields[.contentRange] == "bytes */100")
        }
        // §3.3: a part answers ranges "wholly within the incomplete response", so the 416 is the origin's.
        #expect(bench.transport.requests.count == 4)
    }

    @Test("If-Range, against a stored part", arguments: [("\"1\"", true), ("\"2\"", false), ("W/\"1\"", false)])
    func ifRange(_ condition: String, _ matches: Bool) async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { Self.origin.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=0-49"])
        let response = await bench.send("/a", [.range: "bytes=10-19", .ifRange: condition])
        // RFC 9110 §13.1.5: if it does not match strongly, "ignore the Range header field", so the whole is due.
        #expect(response.head.status == (matches ? .partialContent : .ok))
        let bytes = try await response.body.collect(upTo: .kibibytes(1))
        #expect(bytes == (matches ? Array(Self.body[10..<20]) : Self.body))
        #expect(bench.transport.requests.count == (matches ? 1 : 2))
    }

    @Test("if the complete length is unknown, only ranges with both ends are answered")
    func unknownLength() async throws {
        let bench = try Bench()
        var origin = Self.origin
        origin.tellsLength = false
        let fixed = origin
        bench.transport.on(Bench.base + "/a") { fixed.answer($0) }
        _ = try await bench.seen("/a", [.range: "bytes=10-29"])
        let inner = await bench.send("/a", [.range: "bytes=12-14"])
        #expect(inner.head.headerFields[.contentRange] == "bytes 12-14/*")
        #expect(try await inner.body.collect(upTo: .kibibytes(1)) == Array(Self.body[12..<15]))
        #expect(bench.transport.requests.count == 1)
        for range in ["bytes=12-30", "bytes=12-", "bytes=-5", "bytes=100-"] {
            #expect(try await bench.seen("/a", [.range: range]).requests == 1, "\(range)")
        }
    }
}
