import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

@Suite("Back-pressure: a slow client slows the origin down", .timeLimit(.minutes(5)))
struct BackPressureTests {
    enum Storing: CaseIterable, Sendable {
        case works, fails, refused, notAllowed
    }

    @Test("the origin's body is never pulled further ahead than the lead and one piece", arguments: Storing.allCases)
    func neverFurtherAhead(_ storing: Storing) async throws {
        let bench = try Bench(.disk)
        switch storing {
        case .works: break
        case .fails: bench.store.setFault(.appending(beyond: 200_000))
        case .refused: bench.store.setFault(.receiving)
        case .notAllowed: break
        }
        let piece = [UInt8](repeating: 7, count: 100_000)
        let total: Int64 = 60 * 100_000
        let consumed = Consumed()
        let body = ScriptedBody(Array(repeating: piece, count: 60), consumed: { consumed.value })
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(
                200, [.cacheControl: storing == .notAllowed ? "no-store" : "max-age=60"], streaming: body)
        }
        let source = await bench.send("/a").body.makeSource()
        let isSpooled = storing == .works || storing == .fails
        if isSpooled {
            // The reader stands still, so a pump that ignores it has every chance to run ahead.
            try await body.pulled(atLeast: SpooledBody.lead)
        }
        for _ in 0..<500 { await Task.yield() }
        #expect(body.pulledBytes <= (isSpooled ? SpooledBody.lead + 100_000 : 0))
        while let bytes = try await source.next() {
            consumed.add(bytes.count)
            for _ in 0..<5 { await Task.yield() }
        }
        #expect(consumed.value == total)
        if storing == .works { try await bench.store.commits(atLeast: 1) }
        // The reader counts a piece a moment after it has taken it, so one more piece is allowed.
        #expect(body.furthestAhead <= (isSpooled ? SpooledBody.lead + 200_000 : 200_000))
    }

    @Test("a client that stops and then leaves stops the origin")
    func leaving() async throws {
        let bench = try Bench()
        let body = ScriptedBody(Array(repeating: [UInt8](repeating: 7, count: 100_000), count: 60))
        bench.transport.on(Bench.base + "/a") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=60"], streaming: body)
        }
        let response = await bench.send("/a")
        try await body.pulled(atLeast: SpooledBody.lead)
        response.body.makeSource().cancel()
        try await body.cancelled()
        await bench.landed("/a")
        #expect(bench.store.commits == 0)
        #expect(bench.recorder.reports.map(\.isComplete) == [false])
    }

    @Test("an answer that is released without being cancelled stops the origin too")
    func forgotten() async throws {
        let bench = try Bench()
        for (path, cacheControl) in [("/a", "max-age=60"), ("/b", "no-store")] {
            let body = ScriptedBody()
            bench.transport.on(Bench.base + path) { _ in
                // An unstored body has to notice itself that it is released; a pipe does.
                let pipe = BodyPipe(onDemand: {}, onCancel: { body.cancel() })
                return TransportResponse(
                    head: HTTPResponse(status: .ok, headerFields: [.cacheControl: cacheControl]), body: pipe,
                    bodyLength: nil)
            }
            do { _ = await bench.send(path) }
            try await body.cancelled()
        }
        #expect(try await bench.recorder.reports(atLeast: 2).map(\.isComplete) == [false, false])
    }
}
