import CacheEngine
import HTTPTypes
import Testing
import WireSupport

/// Messages and frames that break rules of RFC 9113.
@Suite("RFC 9113 §8.1.1 Malformed Messages, §5.4.1 Connection Error Handling", .serialized, .timeLimit(.minutes(60)))
struct MalformedStreamTests {
    typealias Frame = FrameOrigin.Frame

    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var method = "GET"
        var frames: @Sendable (UInt32) -> [Frame]
        var content = ""
        var failure: TransportError.Code?
        var testDescription: String { says }

        init(
            _ says: String, method: String = "GET", content: String = "",
            failure: TransportError.Code? = .malformedResponse,
            _ frames: @escaping @Sendable (UInt32) -> [Frame]
        ) {
            (self.says, self.method, self.frames, self.content) = (says, method, frames, content)
            self.failure = failure
        }
    }

    private static func lines(_ lines: [(String, String)]) -> @Sendable (UInt32) -> [Frame] {
        { [.lines(lines, on: $0), .data("hello", on: $0)] }
    }

    static let heads: [Row] = [
        Row("§8.3.2: no status", lines([("server", "x")])),
        Row("§8.3: a status twice", lines([(":status", "200"), (":status", "200")])),
        Row("§8.3: a status after a field", lines([("server", "x"), (":status", "200")])),
        Row("§8.3: control data of requests", lines([(":status", "200"), (":path", "/")])),
        Row("§8.3: unknown control data", lines([(":status", "200"), (":reason", "OK")])),
        Row("§8.3.2: a status of two digits", lines([(":status", "20")])),
        Row("§8.3.2: a status of four digits", lines([(":status", "2000")])),
        Row("RFC 9110 §15: a status below 100", lines([(":status", "099")])),
        Row("§8.6: 101") { [.head("101", on: $0)] },
        Row("RFC 9110 §15.5.8: 407", lines([(":status", "407")])),
        Row("§8.2.1: a name with capitals", lines([(":status", "200"), ("Server", "x")])),
        Row("§8.2.1: a name with a space", lines([(":status", "200"), ("a b", "x")])),
        Row("§8.2.1: a value with a line end", lines([(":status", "200"), ("server", "a\r\nb: c")])),
        Row("§8.2.1: a value with NUL", lines([(":status", "200"), ("server", "a\u{0}b")])),
        Row("§8.2.2: Connection", lines([(":status", "200"), ("connection", "close")])),
        Row("§8.2.2: Keep-Alive", lines([(":status", "200"), ("keep-alive", "5")])),
        Row("§8.2.2: Proxy-Connection", lines([(":status", "200"), ("proxy-connection", "close")])),
        Row("§8.2.2: Transfer-Encoding", lines([(":status", "200"), ("transfer-encoding", "chunked")])),
        Row("§8.2.2: Upgrade", lines([(":status", "200"), ("upgrade", "h3")])),
        Row("a thousand fields and one", lines([(":status", "200")] + (0...1_000).map { _ in ("a", "b") })),
        Row("a value within spaces", content: "hello", failure: nil, lines([(":status", "200"), ("server", " x ")])),
        Row("the longest head", content: "hello", failure: nil) { stream in
            // §6.5.2: 32 octets more for each field.
            let lines = ([(":status", "200")] + (0..<25).map { ("a\($0)", String(repeating: "b", count: 10_000)) })
            return Frame.blocks(lines, on: stream) + [.data("hello", on: stream)]
        },
    ]

    static let contents: [Row] = [
        Row("§8.1.1: content beyond its Content-Length", content: "hello") {
            [
                .head("200", [("content-length", "5")], on: $0), .data("hello", on: $0, isLast: false),
                .data("more", on: $0),
            ]
        },
        Row("§8.1.1: content in one frame that is longer") {
            [.head("200", [("content-length", "3")], on: $0), .data("hello", on: $0)]
        },
        Row("§8.1.1: content that ends before its Content-Length", content: "hello", failure: .closedEarly) {
            [.head("200", [("content-length", "9")], on: $0), .data("hello", on: $0)]
        },
        Row("§8.1.1: no content, with a Content-Length", failure: .closedEarly) {
            [.head("200", [("content-length", "9")], on: $0, isLast: true)]
        },
        Row("RFC 9112 §6.3: two lengths") {
            [.head("200", [("content-length", "5"), ("content-length", "6")], on: $0), .data("hello", on: $0)]
        },
        Row("RFC 9110 §8.6: a length that is none") {
            [.head("200", [("content-length", "+5")], on: $0), .data("hello", on: $0)]
        },
        Row("RFC 9110 §8.6: the same length twice", content: "hello", failure: nil) {
            [.head("200", [("content-length", "5, 5")], on: $0), .data("hello", on: $0)]
        },
        Row("§8.1: control data in trailers", content: "hello") {
            [.head(on: $0), .data("hello", on: $0, isLast: false), .lines([(":status", "200")], on: $0, isLast: true)]
        },
        Row("§8.1: an interim response that ends the stream") { [.head("103", on: $0, isLast: true)] },
        Row("interim responses without end") { stream in (0..<1_001).map { _ in .head("103", on: stream) } },
        Row("RFC 9110 §9.3.2: content to HEAD is none", method: "HEAD", failure: nil) {
            [.head("200", [("content-length", "5")], on: $0), .data("hello", on: $0)]
        },
        Row("RFC 9110 §15.3.5: content of 204 is none", failure: nil) {
            [.head("204", on: $0), .data("hello", on: $0)]
        },
        Row("RFC 9110 §15.4.5: 304", failure: nil) { [.head("304", [("content-length", "5")], on: $0, isLast: true)] },
        Row("an empty frame between", content: "hello", failure: nil) {
            [.head(on: $0), .data("", on: $0, isLast: false), .data("hello", on: $0, isLast: false), .data("", on: $0)]
        },
    ]

    /// Sends a request that is answered so, then another one.
    private func run(_ row: Row) async throws -> (FrameBench, TransportBench.Outcome) {
        let origin = try await FrameOrigin.start { request in
            let frames =
                request.path == "/" ? row.frames(request.stream) : [.head("204", on: request.stream, isLast: true)]
            return frames.map { .frame($0) }
        }
        let bench = try FrameBench(origin)
        let outcome = await bench.send(row.method, "/")
        #expect(outcome.failure == row.failure && outcome.content == row.content, "\(outcome)")
        #expect(await bench.send("GET", "/next").response?.status == .noContent)
        return (bench, outcome)
    }

    @Test("a message that is malformed ends its stream only", arguments: heads + contents)
    func message(_ row: Row) async throws {
        let (bench, outcome) = try await run(row)
        #expect(bench.origin.connections == 1)
        if row.failure == .malformedResponse {
            #expect(outcome.message?.hasPrefix("'shop.test:443' sent no valid HTTP response. ") == true)
        }
    }

    static let connections: [(Row, names: String)] = [
        (
            Row("§8.1: trailers that do not end the stream", content: "hello") {
                [.head(on: $0), .data("hello", on: $0, isLast: false), .lines([("a", "b")], on: $0)]
            }, "TrailersWithoutEndStream"
        ),
        (Row("§8.2.1: a name that is empty", lines([(":status", "200"), ("", "x")])), ""),
        (
            Row("§8.4: a promise, which was forbidden") {
                [.init(.pushPromise, flags: 4, stream: $0, [0, 0, 0, 2] + Frame.block([(":method", "GET")]))]
            }, "PushInViolationOfSetting"
        ),
        (
            Row("§6.10: CONTINUATION without end") { stream in
                [.init(.headers, stream: stream, Frame.block([(":status", "200")]))]
                    + (0..<40).map { _ in .init(.continuation, stream: stream, Frame.block([("a", "b")])) }
            }, "ExcessiveContinuationFrames"
        ),
        (
            Row("§6.5.2: a head beyond 256 KiB") { stream in
                let lines = ([(":status", "200")] + (0..<33).map { ("a\($0)", String(repeating: "b", count: 8_000)) })
                return Frame.blocks(lines, on: stream)
            }, ""
        ),
        (
            Row("§10.5: SETTINGS without end") { _ in (0..<1_100).map { _ in .init(.settings) } },
            "ExcessiveControlFrames"
        ),
        (
            Row("§10.5: PING without end") { _ in
                (0..<1_100).map { _ in .init(.ping, [0, 0, 0, 0, 0, 0, 0, 0]) }
            }, "ExcessiveControlFrames"
        ),
        (
            Row("§10.5: empty frames without end") { stream in
                [.head(on: stream)] + (0..<300).map { _ in .data("", on: stream, isLast: false) }
            }, "ExcessiveEmptyDataFrames"
        ),
        (
            Row("§6.9.1: a window beyond its limit") { _ in
                [.init(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF])]
            }, "InvalidFlowControlWindowSize"
        ),
        (Row("§6.5.2: a setting out of range") { _ in [.init(.settings, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF])] }, ""),
        (
            Row("§4.2: a frame that is too large") { stream in
                [.head(on: stream), .data(String(repeating: "a", count: 20_000), on: stream)]
            }, ""
        ),
        (Row("§6.1: content of no stream") { _ in [.data("hello", on: 0)] }, ""),
        (Row("§5.1: a stream that nobody opened") { _ in [.head(on: 99)] }, ""),
        (
            Row("RFC 7541 §2.3.3: an index beyond the table") {
                [.init(.headers, flags: 4, stream: $0, [0xFF, 0x80, 0x01])]
            }, ""
        ),
    ]

    @Test("what breaks a rule of the connection ends it, and is named", arguments: connections)
    func connection(_ row: Row, _ name: String) async throws {
        let (bench, outcome) = try await run(row)
        #expect(bench.origin.connections == 2)
        #expect(outcome.message?.contains("It broke a rule of HTTP/2 (\(name)") == true, "\(outcome.message ?? "")")
        try await bench.origin.closed(0)
    }

    @Test("all exchanges of a connection that is at fault end with it")
    func together() async throws {
        let origin = try await FrameOrigin.start { request in
            request.path == "/bad" ? [.frame(.init(.windowUpdate, [0, 0, 0, 0]))] : []
        }
        let bench = try FrameBench(origin)
        async let held = bench.send("GET", "/held")
        try await origin.requests(1)
        #expect(await bench.send("GET", "/bad").failure == .malformedResponse)
        #expect(await held.failure == .malformedResponse)
    }
}
