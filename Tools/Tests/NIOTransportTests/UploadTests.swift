import CacheEngine
import HTTPTypes
import Testing
import WireSupport

@Suite("Requests with content", .serialized, .timeLimit(.minutes(60)))
struct UploadTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private static func body(_ text: String, length: Int64?) -> RequestBody {
        let pipe = BodyPipe(onDemand: {}, onCancel: {})
        _ = pipe.write(Octets.bytes(text))
        pipe.finish()
        return RequestBody(pipe, length: length)
    }

    @Test(
        "a body of the announced length, or in chunks",
        arguments: [
            (5 as Int64?, "Content-Length: 5\r\n\r\nhello"),
            (nil, "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
        ])
    func framing(length: Int64?, end: String) async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: Self.ok))
        let outcome = await bench.send(
            "POST", fields: [.contentLength: "7", .transferEncoding: "gzip"], body: Self.body("hello", length: length))
        #expect(outcome.content == "ok")
        #expect(bench.origin.received.joined().hasSuffix("\r\n" + end))
        #expect(
            bench.origin.received.joined().lowercased().ranges(of: "content-length").count == (length == nil ? 0 : 1))
    }

    @Test(
        "a body of another length than announced never reaches the origin whole (RFC 9112 §11.2)",
        arguments: [("hello, GET / HTTP/1.1\r\n\r\n", 5 as Int64), ("hell", 5)])
    func lengths(text: String, length: Int64) async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: Self.ok))
        #expect(await bench.send("POST", body: Self.body(text, length: length)).failure == .malformedRequest)
        try await bench.origin.closed(0)
        #expect(!bench.origin.received.joined().contains("GET /"))
    }

    @Test("an address that would make two requests of one is refused", arguments: ["/a b", "/a\u{E4}"])
    func target(_ path: String) async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: Self.ok))
        #expect(await bench.send("GET", path).failure == .malformedRequest)
        #expect(bench.origin.received.joined().isEmpty)
    }
}
