import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

/// Which exchanges end at once, and which data are kept with the entries for that.
@Suite("Answers at once")
struct ImmediateAnswerTests {
    private static let tagged: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"a\""]

    private func begin(
        _ bench: Bench, _ path: String, _ fields: HTTPFields = [:], method: HTTPRequest.Method = .get,
        context: ExchangeContext = .init()
    ) -> ImmediateAnswer? {
        let head = HTTPRequest(
            method: method, scheme: "https", authority: "example.com", path: path, headerFields: fields)
        switch bench.cache.begin(EngineRequest(head: head, context: context)) {
        case .answered(let answer): return answer
        case .underWay: return nil
        }
    }

    struct Case: Sendable {
        var fields: HTTPFields = [:]
        var method = HTTPRequest.Method.get
        var context = ExchangeContext()
        var status: Int?
        var count: Int64 = 0
        var why: String

        static let all = [
            Case(status: 200, count: 10, why: "a fresh response"),
            Case(method: .head, status: 200, why: "HEAD has no content (RFC 9110 §9.3.2)"),
            Case(fields: [.ifNoneMatch: "\"a\""], status: 304, why: "RFC 9110 §13.1.2"),
            Case(fields: [.range: "bytes=2-4"], status: 206, count: 3, why: "RFC 9110 §14.2"),
            Case(fields: [.range: "bytes=0-1,4-5"], status: 200, count: 10, why: "several ranges are no range to us"),
            Case(fields: [.range: "bytes=90-"], why: "416 has a head of its own"),
            Case(fields: [.cacheControl: "no-cache"], why: "RFC 9111 §5.2.1.4"),
            Case(fields: [.ifMatch: "\"a\""], why: "the origin judges (RFC 9111 §4.3.2)"),
            Case(method: .post, why: "written through (RFC 9111 §4)"),
            Case(context: .init(partition: "other"), why: "another account's"),
            Case(context: .init(mode: .reload), why: "no look-up"),
            Case(context: .init(mode: .preferStored), status: 200, count: 10, why: "fresh anyway"),
        ]
    }

    @Test("a fresh response whose content is at hand ends the exchange", arguments: Case.all)
    func cases(_ row: Case) async throws {
        let bench = try Bench()
        bench.answer("/a", 200, Self.tagged, body: "0123456789")
        try await bench.fill("/a")
        bench.clock.advance(by: .seconds(7))
        let reports = bench.recorder.reports.count
        let answer = begin(bench, "/a", row.fields, method: row.method, context: row.context)
        #expect(answer?.head.status.code == row.status, "\(row.why)")
        #expect(Int64(answer?.region.count ?? 0) == row.count, "\(row.why)")
        // An exchange is reported once: here, or when its rest has run.
        #expect(bench.recorder.reports.count == reports + (row.status == nil ? 0 : 1), "\(row.why)")
        if let answer {
            #expect(answer.head.headerFields[.age] == "7")
            #expect(answer.cacheStatus.description == "Larder; hit; ttl=53")
        }
    }

    @Test("a stale response does not end it, nor one that a rule or a failing store withholds")
    func notFresh() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60, stale-while-revalidate=60"], body: "a")
        try await bench.fill("/a")
        #expect(begin(bench, "/a") != nil)
        bench.store.setFault(.opening)
        #expect(begin(bench, "/a") == nil)
        bench.store.setFault(nil)
        bench.clock.advance(by: .seconds(60))
        #expect(begin(bench, "/a") == nil)
    }

    @Test("derived data are dropped when the response changes")
    func updated() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .eTag: "\"a\""], body: "a")
        try await bench.fill("/a")
        #expect(begin(bench, "/a")?.head.headerFields[.eTag] == "\"a\"")
        let key = CacheKey(uri: Bench.base + "/a")
        var entry = try #require(try await bench.store.entries(for: key).first)
        entry.response.fields[.eTag] = "\"b\""
        entry.response.fields[.cacheControl] = "max-age=5"
        try await bench.store.update(entry.id, key: key, response: entry.response)
        #expect(begin(bench, "/a")?.head.headerFields[.eTag] == "\"b\"")
        bench.clock.advance(by: .seconds(6))
        #expect(begin(bench, "/a") == nil)
    }

    @Test("each context leaves out its own fields that are not replayed")
    func fieldsOmittedFromHits() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, [.cacheControl: "max-age=60", .setCookie: "id=1"], body: "a")
        try await bench.fill("/a")
        for _ in 1...2 {
            #expect(begin(bench, "/a")?.head.headerFields[.setCookie] == "id=1")
            let context = ExchangeContext(fieldsOmittedFromHits: [.setCookie])
            #expect(begin(bench, "/a", context: context)?.head.headerFields[.setCookie] == nil)
        }
    }

    @Test("the files of large bodies stay open for the next request, but not too many of them")
    func openFiles() async throws {
        let bench = try Bench(.disk)
        let body = String(repeating: "x", count: 100_000)
        let paths = (0..<OpenBodies.limit + 6).map { "/\($0)" }
        for path in paths {
            bench.answer(path, 200, Self.tagged, body: body)
            try await bench.fill(path)
            #expect(begin(bench, path) == nil)
            #expect(try await bench.text(path).text.utf8.count == body.utf8.count)
            #expect(begin(bench, path, [.range: "bytes=5-9"])?.region == 5..<10)
        }
        var open = 0
        for path in paths {
            let found = try await bench.store.entries(for: CacheKey(uri: Bench.base + path))
            open += found.count { DerivedEntryData.of($0, in: .private).file != nil }
        }
        #expect(open == OpenBodies.limit)
    }
}
