import CacheTesting
import CachingProxy
import HTTPTypes
import Testing
import WireSupport

/// Requests and frames of clients that break rules of RFC 9113.
@Suite("RFC 9113 §8.1.1, §10: clients that break rules", .serialized, .timeLimit(.minutes(60)))
struct ClientStreamFaultTests {
    typealias Frame = FrameClient.Frame

    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        /// The answer's status; `nil` where the stream is reset.
        var status: String?
        var frames: [Frame]
        var testDescription: String { says }

        init(_ says: String, status: String? = "400", _ frames: [Frame]) {
            (self.says, self.status, self.frames) = (says, status, frames)
        }
    }

    private static func lines(_ change: (inout [(String, String)]) -> Void) -> [Frame] {
        var lines = [(":method", "GET"), (":scheme", "https"), (":authority", "shop.test"), (":path", "/")]
        change(&lines)
        return Frame.blocks(lines, on: 1, isLast: true)
    }

    private static func post(_ length: String, _ pieces: String...) -> [Frame] {
        [FrameClient.head("/", "POST", [("content-length", length)], on: 1, isLast: false)]
            + pieces.enumerated().map { .data($1, on: 1, isLast: $0 == pieces.count - 1) }
    }

    static let rows: [Row] = [
        Row("§8.3.1: no method", lines { $0.remove(at: 0) }),
        Row("§8.3.1: no scheme", lines { $0.remove(at: 1) }),
        Row("§8.3.1: no path", lines { $0.remove(at: 3) }),
        Row("§8.3.1: an empty path", lines { $0[3].1 = "" }),
        Row("§8.3.1: a path without a slash", lines { $0[3].1 = "evil.test/" }),
        Row("§8.3.1: an absolute path", lines { $0[3].1 = "https://evil.test/" }),
        Row("§8.3.1: a path with a space", lines { $0[3].1 = "/ HTTP/1.1" }),
        Row("§8.3.1: a path with a line end", lines { $0[3].1 = "/\r\nx: y" }),
        Row(
            "RFC 9112 §3: a path beyond 64 KiB", status: "414",
            lines { $0[3].1 = "/" + String(repeating: "a", count: 65_536) }),
        Row("§8.3.1: another scheme", lines { $0[1].1 = "http" }),
        Row("RFC 9110 §7.4: another host than the tunnel's", status: "421", lines { $0[2].1 = "evil.test" }),
        Row("RFC 9110 §7.4: another port than the tunnel's", status: "421", lines { $0[2].1 = "shop.test:8443" }),
        Row("RFC 9110 §7.4: no host", status: "421", lines { $0.remove(at: 2) }),
        Row("§8.3.1: a host with a user", lines { $0[2].1 = "user@shop.test" }),
        Row("§8.3.1: Host that differs", lines { $0.append(("host", "evil.test")) }),
        Row("§8.3.1: Host twice", lines { $0 += [("host", "shop.test"), ("host", "shop.test")] }),
        Row(
            "§8.3.1: Host alone", status: "200",
            lines { lines in
                lines.remove(at: 2)
                lines.append(("host", "shop.test"))
            }),
        Row("§8.3: a method twice", lines { $0.insert((":method", "POST"), at: 1) }),
        Row("§8.3: control data after a field", lines { $0.insert(("accept", "*/*"), at: 1) }),
        Row("§8.3: control data of answers", lines { $0.append((":status", "200")) }),
        Row("RFC 8441: a protocol", lines { $0.append((":protocol", "websocket")) }),
        Row(
            "§8.5: CONNECT",
            [
                .lines([(":method", "CONNECT"), (":authority", "evil.test:443")], on: 1, isLast: true)
            ]),
        Row("a method that is no token", lines { $0[0].1 = "GET /" }),
        Row("§8.2.1: a name with capitals", lines { $0.append(("Accept", "*/*")) }),
        Row("§8.2.1: a name with a colon", lines { $0.append(("a:b", "c")) }),
        Row("§8.2.1: a value with a line end", lines { $0.append(("accept", "a\r\nb: c")) }),
        Row("§8.2.1: a value with a control", lines { $0.append(("accept", "a\u{1}b")) }),
        Row("§8.2.1: a value that begins with a space", lines { $0.append(("accept", " a")) }),
        Row("§8.2.2: Connection", lines { $0.append(("connection", "keep-alive")) }),
        Row("§8.2.2: Transfer-Encoding", lines { $0.append(("transfer-encoding", "chunked")) }),
        Row("§8.2.2: Upgrade", lines { $0.append(("upgrade", "websocket")) }),
        Row("§8.2.2: Keep-Alive", lines { $0.append(("keep-alive", "5")) }),
        Row("§8.2.2: Proxy-Connection", lines { $0.append(("proxy-connection", "close")) }),
        Row("§8.2.2: TE other than trailers", lines { $0.append(("te", "gzip")) }),
        Row("a thousand fields and one", status: "431", lines { $0 += (0..<1_000).map { _ in ("a", "b") } }),
        Row("§8.1.1: content beyond its Content-Length", post("5", "hello", "more")),
        Row("§8.1.1: content that ends before its Content-Length", post("9", "hello")),
        Row("§8.1.1: a Content-Length and no content", lines { $0.append(("content-length", "5")) }),
        Row(
            "RFC 9112 §6.3: two lengths",
            [
                FrameClient.head(
                    "/", "POST", [("content-length", "5"), ("content-length", "6")], on: 1, isLast: false),
                .data("hello", on: 1),
            ]),
        Row("RFC 9110 §8.6: a length that is none", post("+5", "hello")),
        Row(
            "RFC 9110 §9.3.8: TRACE with content",
            [
                FrameClient.head("/", "TRACE", on: 1, isLast: false), .data("hello", on: 1),
            ]),
        Row(
            "RFC 9110 §7.6.3: a request that was here already", status: "200", lines { $0.append(("via", "1.1 other")) }
        ),
    ]

    @Test("a request that is malformed ends its stream only, and nothing of it goes on", arguments: rows)
    func request(_ row: Row) async throws {
        let (bench, origin) = try await StreamBench.start { _ in
            [.head(200, [:], .length(5)), .bytes(Array("hello".utf8))]
        }
        let client = try await bench.connect()
        let answer = try await client.ask(row.frames)
        #expect(answer.status == row.status, "\(answer)")
        #expect(!origin.received.contains { $0.isComplete } || row.status == "200")
        if row.status != "200" { #expect(bench.refusals.withLock { $0.count } <= 1) }
        let next = try await client.ask([FrameClient.head("/next", on: 3)], on: 3)
        #expect(next.status == "200" && client.goAway == nil, "\(next)")
    }

    static let floods: [Row] = [
        Row("§10.5: SETTINGS without end", (0..<1_100).map { _ in .init(.settings) }),
        Row("§10.5: PING without end", (0..<1_100).map { _ in .init(.ping, [0, 0, 0, 0, 0, 0, 0, 0]) }),
        Row("§10.5: PRIORITY without end", (0..<1_100).map { .init(.priority, stream: $0 * 2 + 1, [0, 0, 0, 0, 7]) }),
        Row(
            "§10.5: empty frames without end",
            [FrameClient.head("/", "POST", on: 1, isLast: false)]
                + (0..<300).map { _ in .data("", on: 1, isLast: false) }),
        Row(
            "§6.10: CONTINUATION without end",
            [.init(.headers, stream: 1, Frame.block([(":method", "GET")]))]
                + (0..<40).map { _ in .init(.continuation, stream: 1, Frame.block([("a", "b")])) }),
        Row(
            "§6.5.2: a head beyond 256 KiB",
            [
                .init(
                    .headers, stream: 1,
                    Frame.block([(":method", "GET"), ("a", String(repeating: "a", count: 16_000))]))
            ]
                + (0..<15).map { _ in
                    .init(.continuation, stream: 1, Frame.block([("a", String(repeating: "b", count: 16_000))]))
                }
                + [
                    .init(
                        .continuation, flags: 4, stream: 1,
                        Frame.block((0..<2).map { _ in ("a", String(repeating: "b", count: 8_000)) }))
                ]),
        Row("§6.9.1: a window beyond its limit", [.init(.windowUpdate, [0x7F, 0xFF, 0xFF, 0xFF])]),
        Row("§6.9: no room at all", [.init(.windowUpdate, [0, 0, 0, 0])]),
        Row("§6.5.2: a window out of range", [.init(.settings, [0, 4, 0xFF, 0xFF, 0xFF, 0xFF])]),
        Row("§5.1.1: a stream of the server", [FrameClient.head(on: 2)]),
        Row("§6.1: content of no stream", [.data("hello", on: 0)]),
        Row("§5.1: content of a stream that nobody opened", [.data("hello", on: 99)]),
        Row("§8.4: a promise", [.init(.pushPromise, flags: 4, stream: 1, [0, 0, 0, 2])]),
        Row("RFC 7541 §2.3.3: an index beyond the table", [.init(.headers, flags: 5, stream: 1, [0xFF, 0x80, 0x01])]),
    ]

    @Test("what breaks a rule of the connection ends it", arguments: floods)
    func connection(_ row: Row) async throws {
        let (bench, origin) = try await StreamBench.start { _ in [.head(200, [:], .length(0))] }
        let client = try await bench.connect()
        try await client.send(row.frames)
        try await client.closed()
        #expect(origin.received.isEmpty)
        let other = try await bench.connect()
        #expect(try await other.ask([FrameClient.head(on: 1)]).status == "200")
    }
}
