import CacheEngine
@testable import CachingProxy
@testable import HTTPMessages
import HTTPTypes
import Testing
import WireSupport

@Suite("RFC 9110 §6.5 Trailer Fields", .serialized, .timeLimit(.minutes(60)))
struct TrailerTests {
    private static let chunked =
        "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n"
        + "5\r\nhello\r\n0\r\nX-Sum: 42\r\nServer-Timing: a;dur=1\r\n\r\n"

    @Test("§6.5.1: what is needed before the content is dropped, and what Connection nominates")
    func refused() {
        let trailers: HTTPFields = [
            .contentLength: "5", .transferEncoding: "chunked", .setCookie: "a=b", .cacheControl: "max-age=1",
            .authorization: "x", .wwwAuthenticate: "y", .contentType: "text/html", .vary: "*", .age: "1",
            .eTag: "\"a\"",
            .connection: "close", .trailer: "x", .expires: "0", .location: "/", .contentEncoding: "gzip",
        ]
        #expect(TrailerFields.forwardable(trailers).map(\.name) == [.eTag])
        let options = ([.connection: "close, ETag"] as HTTPFields).connectionOptions
        #expect(TrailerFields.forwardable(trailers, connection: options).isEmpty)
    }

    @Test("§6.5.2: the trailers of a request reach the origin, if they may")
    func request() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
        let answer = try await bench.ask(
            "POST", fields: "Transfer-Encoding: chunked\r\n",
            content: "5\r\nhello\r\n0\r\nX-Sum: 42\r\nContent-Length: 7\r\nAuthorization: x\r\n\r\n")
        #expect(answer?.status == 200)
        #expect(bench.origin.received.joined().hasSuffix("5\r\nhello\r\n0\r\nX-Sum: 42\r\n\r\n"))
    }

    @Test(
        "those of a response reach an HTTP/1.1 client, stored or not", arguments: ["no-store", "max-age=60"])
    func response(control: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: Self.chunked.replacing("no-store", with: control)))
        let answer = try await bench.ask()
        #expect(answer?.rest == "5\r\nhello\r\n0\r\nX-Sum: 42\r\nServer-Timing: a;dur=1\r\n\r\n")
        #expect(answer?["trailer"] == "X-Sum")
        #expect(answer?["x-sum"] == nil)
    }

    /// The proxy's last step, with an engine that hands the transport's body on as it is.
    @Test("they go out behind the last chunk", arguments: [true, false])
    func answer(hasTrailers: Bool) {
        var writer = AnswerWriter(.chunked, closes: false)
        _ = writer.content(.init(string: "hello"))
        let fields: HTTPFields = hasTrailers ? [.eTag: "\"a\""] : [:]
        let end = writer.end(fields).map { String(buffer: $0) }
        #expect(end == (hasTrailers ? "0\r\nETag: \"a\"\r\n\r\n" : "0\r\n\r\n"))
    }
}
