import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("RFC 9111 §4, §4.2.3: clocks that are set", .timeLimit(.minutes(5)))
struct ClockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var seconds: Int64
        var presented: HTTPFields = [:]
        var stored = "max-age=600"
        /// The `Age` of a hit; `nil` if the origin must be asked.
        var age: String?
        var source: String
        var testDescription: String { "\(seconds) s, \(stored), \(presented): \(age ?? "asks"), as \(source)" }
    }

    private static let rows: [Row] = [
        Row(seconds: 30, age: "30", source: "§4.2.3 resident_time"),
        Row(seconds: 0, age: "0", source: "§4.2.3"),
        // Time servers correct clocks a little all the time.
        Row(seconds: -1, age: "0", source: "§5.1: a non-negative integer"),
        Row(seconds: -60, age: "0", source: "within the tolerance"),
        Row(
            seconds: -61, age: nil,
            source: "§4 \"does not have a clock available MUST NOT use stored responses without revalidating\""),
        Row(seconds: -100_000_000, age: nil, source: "§4, the same"),
        Row(seconds: -61, presented: [.cacheControl: "max-stale"], age: nil, source: "§4 \"upon every use\""),
        Row(
            seconds: -61, stored: "max-age=600, stale-while-revalidate=60", age: nil, source: "§4 \"upon every use\""),
        Row(seconds: -61, stored: "max-age=600, immutable", age: nil, source: "§4 \"upon every use\""),
        Row(seconds: 100_000_000, age: nil, source: "§4.2: stale"),
        Row(
            seconds: 100_000_000, presented: [.cacheControl: "max-stale"], age: "100000000",
            source: "§5.2.1.2 \"of any age\""),
    ]

    @Test("how a stored response is used after the clock was set", arguments: rows, CacheKind.allCases)
    func set(_ row: Row, _ kind: CacheKind) async throws {
        let bench = try Bench(cacheKind: kind)
        bench.answer("/a", 200, [.cacheControl: row.stored, .eTag: "\"1\""], body: "x")
        try await bench.fill("/a")
        bench.clock.setWallTime(bench.clock.now + .seconds(row.seconds))
        bench.answer("/a", 304, [.eTag: "\"1\"", .cacheControl: row.stored])
        let (response, text) = try await bench.text("/a", row.presented)
        #expect(text == "x")
        #expect(bench.transport.requests.count == (row.age == nil ? 2 : 1))
        if let age = row.age {
            #expect(response.head.headerFields[.age] == age)
        } else {
            // Once validated, the age counts by the new clock.
            #expect(try await bench.seen("/a") == Seen(200, "x", requests: 0))
            bench.clock.advance(by: .seconds(599))
            #expect(try await bench.seen("/a") == Seen(200, "x", requests: 0))
            bench.clock.advance(by: .seconds(1))
            #expect(try await bench.seen("/a") == Seen(200, "x", requests: 1))
        }
    }

    @Test("a clock that is set while the origin answers makes no age negative and prolongs no freshness")
    func setMeanwhile() async throws {
        for seconds in [-3_600, 3_600] as [Int64] {
            let bench = try Bench()
            bench.transport.on(Bench.base + "/a") { _ in
                bench.clock.setWallTime(bench.clock.now + .seconds(seconds))
                return ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .eTag: "\"1\""], body: "x")
            }
            try await bench.fill("/a")
            let (response, _) = try await bench.text("/a", context: ExchangeContext(mode: .preferStored))
            let age = try #require(response.head.headerFields[.age].flatMap { Int64($0) })
            #expect(age >= 0)
            bench.clock.advance(by: .seconds(600))
            bench.answer("/a", 304, [.eTag: "\"1\""])
            #expect(try await bench.seen("/a").requests == 1)
        }
    }

    @Test("§4.2.3: an Age from the origin counts, and a Date ahead of the clock gives no age")
    func initialAge() async throws {
        let rows: [(HTTPFields, Int64)] = [
            ([.age: "500"], 100), ([.age: "0"], 600),
            // apparent_age = max(0, response_time - date_value)
            ([.date: "Tue, 14 Nov 2023 22:05:00 GMT"], 100), ([.date: "Tue, 14 Nov 2023 23:13:20 GMT"], 600),
            ([.age: "300", .date: "Tue, 14 Nov 2023 22:05:00 GMT"], 100),
            ([.age: "500", .date: "Tue, 14 Nov 2023 22:13:20 GMT"], 100),
        ]
        for (fields, left) in rows {
            let bench = try Bench()
            var fields = fields
            fields[.cacheControl] = "max-age=600"
            bench.answer("/a", 200, fields, body: "x")
            try await bench.fill("/a")
            bench.clock.advance(by: .seconds(left - 1))
            #expect(try await bench.seen("/a").requests == 0, "\(fields)")
            bench.clock.advance(by: .seconds(1))
            #expect(try await bench.seen("/a").requests == 1, "\(fields)")
        }
    }
}
