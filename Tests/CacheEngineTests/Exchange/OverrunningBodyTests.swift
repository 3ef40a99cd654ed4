import CacheEngine
import CacheTesting
import HTTPTypes
import Testing

/// RFC 9112 §6.3: the stated length is the content; bytes that follow do not belong to it.
@Suite("A transport that delivers more than the stated length", .timeLimit(.minutes(5)))
struct OverrunningBodyTests {
    @Test(
        "is cut there, and the stated length is the whole, also in the store",
        arguments: [["conten", "tmore"], ["content", "more"], ["contentmore"]])
    func overrun(_ pieces: [String]) async throws {
        let bench = try Bench()
        bench.transport.on(Bench.base + "/a") { _ in
            // Like a transport's body: once cancelled, it has no end.
            let body = BodyPipe(onDemand: {}, onCancel: {})
            for piece in pieces { _ = body.write(Array(piece.utf8)) }
            body.finish()
            return TransportResponse(
                head: HTTPResponse(
                    status: .ok, headerFields: [.cacheControl: "max-age=600", .contentLength: "7"]),
                body: body, bodyLength: 7)
        }
        #expect(try await bench.text("/a").text == "content")
        await bench.cache.waitForBackgroundWork()
        let (response, text) = try await bench.text("/a")
        #expect(response.cacheStatus.isHit && text == "content")
        #expect(bench.recorder.reports.allSatisfy { $0.isComplete })
    }
}
