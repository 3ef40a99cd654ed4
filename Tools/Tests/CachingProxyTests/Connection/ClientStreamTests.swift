import CacheTesting
import CachingProxy
import HTTPTypes
import NIOCore
import Testing
import WireSupport

/// Exchanges of clients that choose HTTP/2 inside an intercepted tunnel.
@Suite("RFC 9113 towards clients", .serialized, .timeLimit(.minutes(60)))
struct ClientStreamTests {
    typealias Frame = FrameClient.Frame

    private static let hello = OriginStep.bytes(Array("hello".utf8))
    private static let ok: TransportConformance.Script = { _ in [.head(200, [:], .length(5)), hello] }

    // MARK: The same as in HTTP/1.1

    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var method = "GET"
        var path = "/"
        var fields: [(String, String)] = []
        var content: String?
        var steps: [OriginStep]
        var testDescription: String { says }
    }

    private static var two: HTTPFields {
        var fields: HTTPFields = [.vary: "Accept", .cacheControl: "max-age=60"]
        fields[values: .setCookie] = ["a=1", "b=2"]
        return fields
    }

    static let rows: [Row] = [
        Row(says: "a text", steps: [.head(200, two, .length(5)), hello]),
        Row(says: "no content", steps: [.head(200, [:], .length(0))]),
        Row(says: "of no stated length", steps: [.head(200, [:], .chunked), hello, hello]),
        Row(
            says: "a mebibyte",
            steps: [
                .head(200, [:], .length(1_048_576)), .bytes([UInt8](repeating: 0x61, count: 1_048_576)),
            ]),
        Row(says: "404", steps: [.head(404, [:], .length(5)), hello]),
        Row(says: "301", steps: [.head(301, [.location: "/there"], .length(0))]),
        Row(says: "HEAD", method: "HEAD", steps: [.head(200, [.contentLength: "500"], .empty)]),
        Row(says: "204", steps: [.head(204, [:], .empty)]),
        Row(says: "103", steps: [.interim(103, [.location: "/a"]), .head(200, [:], .length(5)), hello]),
        Row(says: "a form", method: "POST", content: "a=b", steps: [.head(200, [:], .length(5)), hello]),
        Row(
            says: "a query and fields", path: "/a%20b?c=d", fields: [("accept", "*/*"), ("te", "trailers")],
            steps: [
                .head(200, [:], .length(5)), hello,
            ]),
        Row(says: "a cookie", fields: [("cookie", "a=1; b=2")], steps: [.head(200, [:], .length(0))]),
        Row(says: "no answer", steps: [.breakOff]),
        Row(says: "OPTIONS *", method: "OPTIONS", path: "*", steps: [.head(200, [:], .length(0))]),
    ]

    @Test("the same exchange over both versions", arguments: rows)
    func difference(_ row: Row) async throws {
        let (first, firstOrigin) = try await StreamBench.start { _ in row.steps }
        let (second, secondOrigin) = try await StreamBench.start { _ in row.steps }
        let old = try await first.connect(["http/1.1"])
        let length = row.content.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
        try await old.send(
            text: "\(row.method) \(row.path) HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\(length)"
                + row.fields.map { "\($0): \($1)\r\n" }.joined() + "\r\n" + (row.content ?? ""))
        try await old.closed()
        var rest = old.text
        var interim: [String] = []
        while rest.hasPrefix("HTTP/1.1 1"), let response = WireResponse(rest) {
            interim.append(Self.shown(response.fields.map { ($0.name, $0.value) }).joined())
            rest = response.rest
        }
        let before = try #require(WireResponse(rest))
        let new = try await second.connect()
        var fields = row.fields
        if let content = row.content { fields.append(("content-length", String(content.utf8.count))) }
        var frames = [FrameClient.head(row.path, row.method, fields, on: 1, isLast: row.content == nil)]
        if let content = row.content { frames.append(.data(content, on: 1)) }
        let after = try await new.ask(frames)
        #expect(after.status == String(before.status))
        let lines = after.fields.map { line in
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            return (parts[0], String(parts[1].dropFirst()))
        }
        #expect(Self.shown(before.fields.map { ($0.name, $0.value) }) == Self.shown(lines))
        let isChunked = before["transfer-encoding"] == "chunked"
        #expect(isChunked || before.rest == after.text)
        #expect(interim.count == after.interim.count)
        let received = [firstOrigin, secondOrigin].map { origin in
            origin.received.map { request in
                "\(request.method) \(request.target) \(request.content) "
                    + Self.shown(request.fields.map { ($0.name.canonicalName, $0.value) }).joined(separator: ", ")
            }
        }
        #expect(received[0] == received[1])
    }

    /// Sorted, without what the versions say otherwise, and without times.
    private static func shown(_ fields: [(name: String, value: String)]) -> [String] {
        fields.filter { !["connection", "transfer-encoding", "via", "date", "te", "host"].contains($0.name) }
            .map { "\($0.name): \($0.value)" }.sorted()
    }

    @Test("RFC 9110 §7.6.3: Via tells the client's version")
    func via() async throws {
        let (bench, origin) = try await StreamBench.start(Self.ok)
        let client = try await bench.connect()
        #expect(try await client.ask([FrameClient.head(on: 1)]).text == "hello")
        #expect(origin.received[0].fields[.via]?.hasPrefix("2 larder-") == true)
    }

    @Test("§8.2.3: a cookie in several lines is one; §8.1: trailers pass both ways")
    func linesAndTrailers() async throws {
        let trailers = HTTPFields([HTTPField(name: try #require(HTTPField.Name("x-sum")), value: "42")])
        let (bench, origin) = try await StreamBench.start { _ in
            [.head(200, [:], .chunked), Self.hello, .trailers(trailers)]
        }
        let client = try await bench.connect()
        let answer = try await client.ask([
            FrameClient.head("/", "POST", [("cookie", "a=1"), ("cookie", "b=2")], on: 1, isLast: false),
            .data("he", on: 1, isLast: false), .data("llo", on: 1, isLast: false),
            .lines([("x-own", "1")], on: 1, isLast: true),
        ])
        #expect(answer.text == "hello" && answer.trailers == ["x-sum: 42"])
        let received = origin.received[0]
        #expect(received.fields.filter { $0.name == .cookie }.map(\.value) == ["a=1; b=2"])
        #expect(received.content == Array("hello".utf8) && received.isComplete)
    }

    @Test("an answer from the store")
    func stored() async throws {
        let (bench, origin) = try await StreamBench.start { _ in
            [.head(200, [.cacheControl: "max-age=600"], .length(5)), Self.hello]
        }
        let client = try await bench.connect()
        for stream: UInt32 in [1, 3] {
            #expect(try await client.ask([FrameClient.head(on: stream)], on: stream).text == "hello")
        }
        #expect(client.answers[3]?.field("cache-status")?.contains("hit") == true)
        #expect(origin.received.count == 1)
    }

    @Test("§8.1: an answer without the rest of the request ends the stream with NO_ERROR")
    func early() async throws {
        let (bench, _) = try await StreamBench.start { _ in
            [.head(413, [:], .length(2)), .bytes(Array("no".utf8))]
        }
        let client = try await bench.connect()
        let answer = try await client.ask([
            FrameClient.head("/early", "POST", [("content-length", "1000000")], on: 1, isLast: false),
            .data("begin", on: 1, isLast: false),
        ])
        #expect(answer.status == "413" && answer.text == "no")
        try await client.wait { $0.answers[1]?.reset == 0 }
        #expect(try await client.ask([FrameClient.head("/early", on: 3)], on: 3).status == "413")
    }

    @Test(
        "§4.1, §6.5.2: frames and settings of unknown types are ignored; RFC 9218 §7.1", arguments: [0x0B, 0x10, 0x2A])
    func unknown(_ kind: UInt8) async throws {
        let (bench, _) = try await StreamBench.start(Self.ok)
        let client = try await bench.connect(settings: [(9, 1), (0x1A2A, 7)])
        var frame = Frame(.data, Array("\u{0}\u{0}\u{0}\u{1}u=1".utf8))
        frame.kind = kind
        #expect(try await client.ask([frame, FrameClient.head(on: 1)]).text == "hello")
        frame.stream = 3
        #expect(try await client.ask([FrameClient.head(on: 3), frame], on: 3).text == "hello")
        #expect(client.goAway == nil)
    }

    @Test("RFC 8441 is not offered, so that WebSockets come over HTTP/1.1")
    func settings() async throws {
        let (bench, _) = try await StreamBench.start(Self.ok)
        let client = try await bench.connect()
        #expect(client.settings[8] == nil && client.settings[3] == 256 && client.settings[6] == 262_144)
    }

    @Test(
        "§6.10: a head longer than a frame goes by HTTP/1.1 where nothing is repeated, and costs no other request",
        arguments: ["GET", "POST"])
    func longHead(_ method: String) async throws {
        // No two lines alike, as one that comes again takes an octet.
        let lines = (100..<190).map { ("link", "\($0)" + String(repeating: "~", count: 200)) }
        let origin = try await FrameOrigin.start { request in
            let head = [(":status", "200"), ("content-length", "5")] + (request.path == "/long" ? lines : [])
            let frames = Frame.blocks(head, on: request.stream) + [.data("hello", on: request.stream)]
            return frames.map { .frame($0) }
        }
        let bench = try await StreamBench(port: origin.port)
        let client = try await bench.connect()
        try await client.send([FrameClient.head("/long", method, on: 1), FrameClient.head("/short", on: 3)])
        // HTTP_1_1_REQUIRED, and INTERNAL_ERROR.
        #expect(try await client.answer(on: 1).reset == (method == "GET" ? 13 : 2))
        #expect(try await client.answer(on: 3).text == "hello")
        try await client.wait { $0.goAway == 0 }
        let next = try await bench.connect(["h2", "http/1.1"])
        try await next.send(text: "\(method) /long HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 0\r\n\r\n")
        try await next.wait { $0.text.hasSuffix("hello") }
        #expect(next.text.count > 18_000)
    }

    @Test("§8.1: a refusal has its content, and its stream is reset behind it")
    func refusalContent() async throws {
        let (bench, _) = try await StreamBench.start(Self.ok)
        let client = try await bench.connect()
        let head = [(":method", "POST"), (":scheme", "https"), (":authority", "other.test"), (":path", "/")]
        let answer = try await client.ask([Frame.lines(head, on: 1, isLast: false)])
        #expect(answer.status == "421" && answer.hasEnded)
        #expect(answer.field("content-length") == String(answer.content.count) && !answer.content.isEmpty)
        try await client.wait { $0.answers[1]?.reset == 0 }
    }

    // MARK: Many streams

    @Test("a thousand requests on one connection, a hundred at once")
    func thousand() async throws {
        let (bench, _) = try await StreamBench.start { request in
            [.head(200, [:], .chunked), .bytes(Array(request.target.utf8))]
        }
        let client = try await bench.connect()
        for round: UInt32 in 0..<10 {
            let streams = (0..<100).map { round * 200 + $0 * 2 + 1 }
            try await client.send(streams.map { FrameClient.head("/\($0)", on: $0) })
            for stream in streams { #expect(try await client.answer(on: stream).text == "/\(stream)") }
        }
    }

    @Test("§5.1.2: more streams than are allowed are no requests")
    func tooMany() async throws {
        let (bench, origin) = try await StreamBench.start { _ in [.silence] }
        let client = try await bench.connect()
        try await client.send((0..<257).map { FrameClient.head(on: UInt32($0) * 2 + 1) })
        try await client.wait { $0.goAway != nil || $0.answers[513]?.reset != nil }
        while origin.received.count < 256, client.goAway == nil { await Task.yield() }
        #expect(origin.received.count <= 256)
    }

    @Test("a client that does not read an answer stops that answer only")
    func unread() async throws {
        let (bench, origin) = try await StreamBench.start { request in
            request.target == "/long"
                ? [.head(200, [:], .length(1_073_741_824)), .zeros(1_073_741_824)]
                : [.head(200, [:], .length(5)), Self.hello]
        }
        let client = try await bench.connect(isGenerous: false)
        try await client.send((0..<10).map { FrameClient.head("/long", on: $0 * 2 + 1) })
        try await client.wait { client in (0..<10).allSatisfy { client.answers[$0 * 2 + 1]?.content.count == 65_535 } }
        try await origin.settle()
        for stream in stride(from: UInt32(101), to: 141, by: 2) {
            #expect(try await client.ask([FrameClient.head("/x", on: stream)], on: stream).text == "hello")
        }
        #expect(origin.sentBytes < 10 * 4_194_304)
        client.close()
    }

    @Test("a client that gives up every request holds nothing, and is stopped")
    func rapidReset() async throws {
        let (bench, origin) = try await StreamBench.start { _ in [.silence] }
        let client = try await bench.connect()
        var stream: UInt32 = 1
        while client.goAway == nil, stream < 8_000 {
            try? await client.send([FrameClient.head(on: stream), .reset(.cancel, on: stream)])
            stream += 2
        }
        try await client.wait { $0.goAway != nil }
        #expect(client.goAway == 11, "ENHANCE_YOUR_CALM")
        try await client.closed()
        let other = try await bench.connect()
        try await other.send([FrameClient.head("/other", on: 1)])
        while !origin.received.contains(where: { $0.target == "/other" }) { await Task.yield() }
    }

    @Test("an origin that stops reading an upload holds no other request up, and the client is stopped")
    func unreadUpload() async throws {
        let origin = try await FrameOrigin.start(isGenerous: false) { request in
            [.frame(.head(on: request.stream)), .frame(.data("ok", on: request.stream))]
        }
        let bench = try await StreamBench(port: origin.port)
        let client = try await bench.connect()
        // All that a client may send without more room.
        try await client.send([FrameClient.head("/upload", "POST", on: 1, isLast: false)])
        let piece = String(repeating: "a", count: 16_384)
        for _ in 0..<16 { try await client.send([.data(piece, on: 1, isLast: false)]) }
        while origin.received < 65_535 { await Task.yield() }
        for stream in stride(from: UInt32(3), to: 43, by: 2) {
            #expect(try await client.ask([FrameClient.head("/x", on: stream)], on: stream).text == "ok")
        }
        #expect(origin.received == 65_535)
        // A client that sends on all the same breaks a rule (§6.9.1).
        for _ in 0..<48 { try? await client.send([.data(piece, on: 1, isLast: false)]) }
        try await client.closed()
    }

    // MARK: The end

    @Test("what is under way when the proxy stops is answered, and nothing more is taken")
    func ending() async throws {
        let (bench, origin) = try await StreamBench.start { _ in [.head(200, [:], .length(100_000)), .zeros(100_000)] }
        let client = try await bench.connect(isGenerous: false)
        try await client.send([FrameClient.head(on: 1)])
        try await client.wait { $0.answers[1]?.content.count == 65_535 }
        let ended = Task { await bench.listener.close(within: .seconds(600)) }
        try await client.wait { $0.goAway == 0 }
        try await client.send([FrameClient.head("/late", on: 3)])
        // Now there is room for the rest.
        try await client.send([.init(.windowUpdate, stream: 1, [0, 1, 0, 0])])
        #expect(try await client.answer(on: 1).content.count == 100_000)
        try await client.closed()
        await ended.value
        #expect(origin.received.count == 1)
    }

    @Test("a connection without a request is closed after a while")
    func idle() async throws {
        // On a busy machine a short limit ends the connection before it is set up; that says nothing.
        for limit in [20, 200, 2_000, 20_000] as [Int64] {
            var limits = ProxyConfiguration.Limits()
            limits.idle = .milliseconds(limit)
            let (bench, _) = try await StreamBench.start(limits: limits, Self.ok)
            guard let client = try? await bench.connect() else { continue }
            try await client.closed()
            #expect(client.goAway == 0)
            return
        }
        Issue.record("It was closed each time before it was set up.")
    }
}
