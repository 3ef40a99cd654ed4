import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Reports about clients that leave", .timeLimit(.minutes(5)))
struct ShortAnswerReportTests {
    @Test("a client that leaves after the stated length has the whole", arguments: ["max-age=60", "no-store"])
    func complete(_ cacheControl: String) async throws {
        let bench = try Bench()
        let body = ScriptedBody()
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: cacheControl], streaming: body, length: 3)
        }
        let source = await bench.send("/a").body.makeSource()
        body.send("abc")
        #expect(try await source.next() == Array("abc".utf8))
        source.cancel()
        // The origin's connection says so too, before what was stored is known.
        body.end()
        let report = try #require(try await bench.recorder.reports(atLeast: 1).first)
        #expect(report.isComplete && report.bodyBytes == 3 && report.status == 200)
    }

    @Test(
        "a client that leaves before the answer is not reported as 504, whatever the transport's error",
        arguments: [false, true])
    func cancelled(_ closes: Bool) async throws {
        let bench = try Bench()
        let gate = Gate()
        bench.transport.on(Bench.base + "/a") { _ in
            do {
                try await gate.pass()
            } catch  where closes {
                throw TransportError(code: .closedEarly, message: "The connection ended.")
            }
            return ScriptedTransport.answer(200, [:], body: "late")
        }
        let waiting = Task { await bench.send("/a") }
        try await bench.transport.requests(atLeast: 1)
        waiting.cancel()
        #expect(await waiting.value.failure?.code == .cancelled)
        let report = try #require(try await bench.recorder.reports(atLeast: 1).first)
        #expect(report.status == 499 && !report.isComplete && report.outcome == .failed)
        #expect(report.cacheStatus.detail == "cancelled")
    }
}
