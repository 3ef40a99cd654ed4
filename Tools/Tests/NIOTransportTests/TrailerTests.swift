import HTTPTypes
import Testing
import WireSupport

@Suite("RFC 9110 §6.5 Trailer Fields of an origin's response", .serialized, .timeLimit(.minutes(5)))
struct TrailerTests {
    @Test("they come behind the content, and never among the fields")
    func transport() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
                    + "5\r\nhello\r\n0\r\nX-Sum: 42\r\nServer-Timing: a;dur=1\r\n\r\n"))
        let outcome = await bench.send()
        #expect(outcome.content == "hello")
        #expect(outcome.trailers?.map { "\($0.name)=\($0.value)" } == ["X-Sum=42", "Server-Timing=a;dur=1"])
        #expect(
            outcome.response?.headerFields.map(\.name.canonicalName) == [
                "transfer-encoding", "trailer",
            ])
    }

    @Test("without any there are none")
    func none() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"))
        #expect(await bench.send().trailers == nil)
    }
}
