import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Explaining a decision")
struct ExplanationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var stored: HTTPFields?
        var age: Duration = .zero
        var request: HTTPFields = [:]
        var mode = CacheMode.protocolDefault
        var answer: Explanation.Answer
        /// Sections that the steps must name.
        var sections: [String] = []
        /// Text that one of the findings must contain.
        var finding = ""
        /// Text that one of the changes must contain; empty for no changes.
        var change = ""
        var testDescription: String { "\(stored?[.cacheControl] ?? "nothing") aged \(age) → \(answer)" }
    }

    static let tag: HTTPFields = [.eTag: "\"1\""]

    static func fields(_ cacheControl: String, _ more: HTTPFields = tag) -> HTTPFields {
        var fields = more
        fields[.cacheControl] = cacheControl
        return fields
    }

    static let rows: [Row] = [
        Row(
            answer: .forwarded, sections: ["RFC 9111 §2", "RFC 9111 §4"], finding: "uri-miss", change: "store refresh"),
        Row(
            stored: fields("max-age=3600"), age: .seconds(600), answer: .stored,
            sections: ["RFC 9111 §5.2.2.1", "RFC 9111 §4.2.3"], finding: "fresh for another 50 min",
            change: "In 50 min it is stale"),
        Row(
            stored: fields("max-age=60"), age: .seconds(90), answer: .validated, sections: ["RFC 9111 §4.2"],
            finding: "stale for 30 s", change: "max-age above 1 min 30 s"),
        Row(
            stored: fields("max-age=60", [:]), age: .seconds(90), answer: .forwarded, sections: ["RFC 9111 §4.2"],
            finding: "stale for 30 s", change: "With an ETag or Last-Modified"),
        Row(
            stored: fields("max-age=60, stale-while-revalidate=600"), age: .seconds(90),
            answer: .staleWhileRevalidating, sections: ["RFC 5861 §3"], finding: "10 min", change: "After the window"),
        Row(
            stored: fields("no-cache"), answer: .validated, sections: ["RFC 9111 §5.2.2.4"],
            finding: "If-None-Match: \"1\"", change: "Without no-cache"),
        Row(
            stored: fields("max-age=60"), request: [.cacheControl: "no-cache"], answer: .validated,
            sections: ["RFC 9111 §5.2.1.4"], change: "that request directive"),
        Row(
            stored: fields("max-age=60"), age: .seconds(90), request: [.cacheControl: "max-stale=60"], answer: .stale,
            sections: ["RFC 9111 §5.2.1.2"], finding: "accepts 1 min of staleness", change: "Without max-stale"),
        Row(
            stored: fields("max-age=60"), age: .seconds(90), request: [.cacheControl: "only-if-cached"],
            answer: .failed, sections: ["RFC 9111 §5.2.1.7"], change: "max-age above"),
        Row(
            stored: fields("max-age=60"), age: .seconds(90), mode: .preferStored, answer: .stale,
            sections: ["Fetch §2.2.5"], finding: "'force-cache': a stored response is used whatever its age",
            change: "Without the cache mode force-cache it would be validated."),
        Row(stored: fields("max-age=60"), mode: .reload, answer: .forwarded, sections: ["Fetch §2.2.5"]),
        Row(
            stored: fields("max-age=60"), request: [.ifMatch: "\"1\""], answer: .forwarded,
            sections: ["RFC 9111 §4.3.2"]),
    ]

    @Test("the answer, its sections and the changes that would lead to another", arguments: rows)
    func explains(_ row: Row) async throws {
        let bench = try Bench()
        if let stored = row.stored {
            bench.answer("/a", 200, stored, body: "a")
            try await bench.fill("/a")
        }
        bench.clock.advance(by: row.age)
        let sent = bench.transport.requests.count
        let reports = bench.recorder.reports.count
        let explanation = await bench.cache.explain(
            EngineRequest(
                head: HTTPRequest(
                    method: .get, scheme: "https", authority: "example.com", path: "/a", headerFields: row.request),
                context: ExchangeContext(mode: row.mode)))
        #expect(explanation.answer == row.answer)
        for section in row.sections { #expect(explanation.steps.map(\.section).contains(section)) }
        #expect(row.finding.isEmpty || explanation.steps.contains { $0.finding.contains(row.finding) })
        #expect(
            row.change.isEmpty
                ? explanation.changes.isEmpty : explanation.changes.contains { $0.contains(row.change) })
        #expect(bench.transport.requests.count == sent && bench.recorder.reports.count == reports)
    }

    @Test("an explanation foretells what the cache then does", arguments: rows)
    func foretells(_ row: Row) async throws {
        let bench = try Bench()
        if let stored = row.stored {
            bench.answer("/a", 200, stored, body: "a")
            try await bench.fill("/a")
        } else {
            bench.answer("/a", 200, [:], body: "a")
        }
        bench.clock.advance(by: row.age)
        let request = EngineRequest(
            head: HTTPRequest(
                method: .get, scheme: "https", authority: "example.com", path: "/a", headerFields: row.request),
            context: ExchangeContext(mode: row.mode))
        let before = bench.transport.requests.count
        let explanation = await bench.cache.explain(request)
        let response = await bench.cache.respond(to: request)
        let isAsked = bench.transport.requests.count > before
        switch explanation.answer {
        case .stored, .stale: #expect(response.cacheStatus.isHit && !isAsked)
        case .staleWhileRevalidating: #expect(response.cacheStatus.isHit)
        case .validated, .completed, .forwarded: #expect(isAsked)
        case .failed: #expect(response.failure != nil && !isAsked)
        }
        response.body.makeSource().cancel()
        await bench.cache.waitForBackgroundWork()
    }

    @Test(
        "durations have at most two units",
        arguments: [
            (Duration.zero, "0 s"), (.milliseconds(400), "less than a second"), (.seconds(59), "59 s"),
            (.seconds(60), "1 min"), (.seconds(3_661), "1 h 1 min"), (.seconds(90_000), "1 d 1 h"),
            (.seconds(86_405), "1 d"), (.seconds(-30), "-30 s"), (.seconds(2_147_483_648), "more than 50 years"),
        ])
    func durations(_ duration: Duration, _ text: String) {
        #expect(ReadableDuration.text(duration) == text)
    }
}
