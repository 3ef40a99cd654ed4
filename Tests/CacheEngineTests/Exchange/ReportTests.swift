import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Locking
import Testing

@testable import CacheEngine

@Suite("Exactly one report for each exchange", .timeLimit(.minutes(5)))
struct ReportTests {
    private static let fresh: HTTPFields = [.cacheControl: "max-age=60", .eTag: "\"1\""]

    @Test("outcome, status, bytes and completeness, for every way an exchange can end")
    func outcomes() async throws {
        let bench = try Bench()
        bench.answers(
            "/a",
            [
                { _ in ScriptedTransport.answer(200, Self.fresh, body: "0123456789") },
                { _ in ScriptedTransport.answer(304, Self.fresh) }, Bench.unreachable,
            ])
        bench.answer("/none", 404, [.cacheControl: "no-store"], body: "none")
        try await bench.fill("/a")
        _ = try await bench.text("/a")
        _ = try await bench.text("/a", [.range: "bytes=2-4"])
        _ = try await bench.text("/a", method: .head)
        _ = try await bench.text("/a", [.ifNoneMatch: "\"1\""])
        bench.clock.advance(by: .seconds(100))
        _ = try await bench.text("/a")
        bench.clock.advance(by: .seconds(100))
        _ = try await bench.text("/a")
        _ = try await bench.text("/none")
        let (_, failed) = try await bench.text("/gone")

        let reports = bench.recorder.reports
        #expect(
            reports.map(\.outcome)
                == [.stored, .hit, .hit, .hit, .hit, .validated, .staleHit, .forwarded, .failed])
        #expect(reports.map(\.status) == [200, 200, 206, 200, 304, 200, 200, 404, 504])
        #expect(reports.map(\.bodyBytes) == [10, 10, 3, 0, 0, 10, 10, 4, Int64(failed.utf8.count)])
        #expect(reports.map(\.originBytes) == [10, 0, 0, 0, 0, 0, 0, 4, 0])
        #expect(reports.allSatisfy { $0.isComplete })
        #expect(reports.map(\.uri).prefix(7).allSatisfy { $0 == "https://example.com/a" })
        #expect(reports[7].notStored == .noStoreInResponse)
        #expect(reports.map { $0.failure != nil } == reports.map { $0.outcome == .failed })
    }

    /// An observer that listens when told so.
    private final class Fickle: ExchangeObserver {
        let wants = AtomicFlag(false)
        let recorder = ReportRecorder()
        var isListening: Bool { wants.value }

        func record(_ report: ExchangeReport) { recorder.record(report) }
    }

    @Test("an exchange that began while nobody listened makes no report, whatever its answer")
    func unheard() async throws {
        let observer = Fickle()
        let bench = try Bench { $0.observer = observer }
        let body = ScriptedBody()
        bench.answer("/a", 200, Self.fresh, body: "stored")
        bench.answer("/none", 404, [.cacheControl: "no-store"], body: "none")
        bench.transport.on(Bench.base + "/slow") { _ in ScriptedTransport.answer(200, [:], streaming: body) }
        try await bench.fill("/a")
        for path in ["/a", "/none", "/gone"] { _ = try await bench.text(path) }
        let slow = await bench.send("/slow")
        #expect(observer.recorder.reports.isEmpty)
        observer.wants.value = true
        bench.clock.advance(by: .seconds(1))
        _ = try await bench.text("/a")
        body.end()
        _ = try await Bench.read(slow)
        #expect(observer.recorder.reports.map(\.uri) == ["https://example.com/a"])
        #expect(observer.recorder.reports.first?.start == .seconds(1))
    }

    @Test("a stream of reports listens as long as it has a reader, or the next observer listens")
    func streams() async throws {
        let next = Fickle()
        let stream = ReportStream(next: next)
        #expect(!stream.isListening)
        next.wants.value = true
        #expect(stream.isListening)
        next.wants.value = false
        let bench = try Bench { $0.observer = stream }
        bench.answer("/a", 200, Self.fresh, body: "x")
        _ = try await bench.text("/a")
        do {
            let (first, second) = (stream.reports(), stream.reports())
            #expect(stream.isListening)
            _ = try await bench.text("/none")
            for reports in [first, second] {
                var iterator = reports.makeAsyncIterator()
                #expect(await iterator.next()?.uri == "https://example.com/none")
            }
        }
        #expect(!stream.isListening)
    }

    @Test("a report has the request's client, destination, rule and method")
    func labels() async throws {
        let rule = Rule("live", .bypass, when: .pathPrefix("/live/"))
        let bench = try Bench(rules: RuleList([rule]))
        bench.answer("/live/a", 200, Self.fresh, body: "x")
        let context = ExchangeContext(view: "tab 1", document: "https://shop.test/", destination: .image)
        let (response, _) = try await bench.text(
            "/live/a", [.referer: "https://shop.test/a"], method: .post, context: context)
        let report = try #require(bench.recorder.reports.first)
        #expect(
            report.view == "tab 1" && report.document == "https://shop.test/" && report.destination == .image
                && report.method == .post)
        #expect(report.referrer == "https://shop.test/a" && report.visit == nil)
        #expect(report.rule == "live" && report.outcome == .forwarded)
        #expect(report.cacheStatus == response.cacheStatus)
        #expect(report.cacheStatus.description == "Larder; fwd=bypass; detail=live")
    }

    @Test("times are measured on the clock that never goes back")
    func times() async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            bench.clock.advance(by: .milliseconds(30))
            return ScriptedTransport.answer(200, Self.fresh, streaming: body)
        }
        bench.clock.advance(by: .seconds(5))
        let response = await bench.send("/a")
        #expect(bench.recorder.reports.isEmpty)
        bench.clock.advance(by: .milliseconds(70))
        bench.clock.setWallTime(bench.clock.now + .seconds(-3_600))
        body.end()
        _ = try await Bench.read(response)
        let report = try #require(try await bench.recorder.reports(atLeast: 1).first)
        #expect(report.start == .seconds(5))
        #expect(report.timeToHead == .milliseconds(30))
        #expect(report.duration == .milliseconds(100))
    }

    @Test("a body that is cancelled, released or cut off is reported once, as incomplete", arguments: 0..<3)
    func incomplete(_ way: Int) async throws {
        for cacheControl in ["max-age=60", "no-store"] {
            let bench = try Bench()
            let body = ScriptedBody()
            bench.transport.on(Bench.base + "/a") { _ in
                ScriptedTransport.answer(200, [.cacheControl: cacheControl], streaming: body)
            }
            body.send("abc")
            do {
                let source = await bench.send("/a").body.makeSource()
                #expect(try await source.next() == Array("abc".utf8))
                switch way {
                case 0:
                    source.cancel()
                    source.cancel()
                case 1: break
                default:
                    body.end(throwing: TransportError(code: .closedEarly, message: "cut"))
                    await #expect(throws: TransportError.self) { try await source.next() }
                }
            }
            let reports = try await bench.recorder.reports(atLeast: 1)
            #expect(reports.count == 1)
            #expect(reports.first?.isComplete == false && reports.first?.bodyBytes == 3)
        }
    }

    @Test("reading on after the end reports nothing more")
    func once() async throws {
        let bench = try Bench()
        bench.answer("/a", 200, Self.fresh, body: "x")
        let source = await bench.send("/a").body.makeSource()
        while try await source.next() != nil {}
        #expect(try await source.next() == nil)
        source.cancel()
        await bench.cache.waitForBackgroundWork()
        #expect(bench.recorder.reports.count == 1)
        #expect(bench.recorder.reports.first?.isComplete == true)
    }
}
