import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("HEAD first, as long as it pays", .timeLimit(.minutes(5)))
struct HeadProbeHistoryTests {
    @Test("after three wasted HEADs in a row the host is asked by GET for an hour, then by HEAD again")
    func pays() async throws {
        let bench = try await HeadFirst.bench(origin: HeadFirst.origin(405, [:]))
        func methods() async throws -> [String] {
            let before = bench.transport.requests.count
            bench.clock.advance(by: .seconds(100))
            _ = try await bench.seen("/a")
            return HeadFirst.sent(bench, since: before)
        }
        for _ in 1...3 { #expect(try await methods() == HeadFirst.validated) }
        for _ in 1...3 { #expect(try await methods() == ["GET?"]) }
        bench.clock.advance(by: HeadProbeHistory.pause)
        // One HEAD tries, and decides for another hour.
        #expect(try await methods() == HeadFirst.validated)
        #expect(try await methods() == ["GET?"])
        bench.clock.advance(by: HeadProbeHistory.pause)
        bench.transport.on(Bench.base + "/a", HeadFirst.origin(200, [.eTag: "\"2\"", .cacheControl: "max-age=60"]))
        #expect(try await methods() == HeadFirst.saved)
        #expect(try await methods() == HeadFirst.saved)
    }

    @Test("a HEAD that saves a GET resets the count; beyond the limit the oldest host is forgotten")
    func trials() {
        let trials = HeadProbeHistory()
        func note(_ host: String, _ saved: [Bool], at uptime: Int = 0) {
            for saved in saved { trials.note(host, saved: saved, at: .seconds(uptime)) }
        }
        note("a.test", [false, false, true, false, false])
        #expect(trials.mayAsk("a.test", at: .zero))
        note("a.test", [false])
        #expect(!trials.mayAsk("a.test", at: .seconds(3_599)) && trials.mayAsk("a.test", at: .seconds(3_600)))
        #expect(trials.mayAsk("b.test", at: .zero))
        for number in 0...HeadProbeHistory.limit { note("\(number).test", [false, false, false], at: number) }
        #expect(trials.mayAsk("0.test", at: .seconds(300)))
        #expect(!trials.mayAsk("2.test", at: .seconds(300)))
    }

    @Test("an explanation says that HEAD comes first, or why it does not")
    func explained() async throws {
        let bench = try await HeadFirst.bench(origin: HeadFirst.origin(405, [:]))
        func explanation() async -> Explanation {
            await bench.cache.explain(
                EngineRequest(
                    head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")))
        }
        let first = await explanation()
        #expect(first.answer == .validated && first.summary.contains("is asked by HEAD with If-None-Match: \"1\""))
        #expect(first.cacheStatus == "Larder; fwd=stale; detail=slow/head")
        for _ in 1...3 {
            _ = try await bench.seen("/a")
            bench.clock.advance(by: .seconds(100))
        }
        let later = await explanation()
        #expect(later.summary.contains("the origin is asked with If-None-Match"))
        #expect(later.steps.contains { $0.title == "HEAD first" && $0.finding.contains("the last 3") })
        #expect(later.cacheStatus == "Larder; fwd=stale; detail=slow")
    }
}
