import CacheEngine
import HTTPTypes
import Locking
import Testing
import WireSupport

/// Status lines and field lines of origins.
@Suite("RFC 9112 §4 and §5: heads of responses", .serialized, .timeLimit(.minutes(60)))
struct ResponseHeadTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var head: String
        var code: Int?
        var reason = ""
        /// The value of `X`, octet by octet.
        var value: String?
        var testDescription: String { says }
    }

    static let statusLines: [Row] = [
        Row(says: "§4", head: "HTTP/1.1 200 Fine by me\r\n", code: 200, reason: "Fine by me"),
        Row(says: "§4: the reason may be absent", head: "HTTP/1.1 200 \r\n", code: 200),
        Row(says: "§4: the space too, by senders that are wrong", head: "HTTP/1.1 200\r\n", code: 200),
        Row(says: "RFC 9110 §15: unknown 2xx", head: "HTTP/1.1 299 Warm\r\n", code: 299, reason: "Warm"),
        Row(says: "RFC 9110 §15: unknown 4xx", head: "HTTP/1.1 499 Gone away\r\n", code: 499, reason: "Gone away"),
        Row(says: "RFC 9110 §15: unknown 5xx", head: "HTTP/1.1 599 Nobody\r\n", code: 599, reason: "Nobody"),
        Row(says: "RFC 9110 §15: beyond 599", head: "HTTP/1.1 999 Who knows\r\n", code: 999, reason: "Who knows"),
        Row(says: "RFC 9110 §2.5: a minor version of the future", head: "HTTP/1.7 200 OK\r\n", code: 200, reason: "OK"),
        Row(says: "§4: obs-text in the reason", head: "HTTP/1.1 200 \u{E4}\r\n", code: 200, reason: "\u{E4}"),
    ]

    static let fieldLines: [Row] = [
        Row(says: "§5", head: "HTTP/1.1 200 OK\r\nX:a\r\n", code: 200, reason: "OK", value: "a"),
        Row(says: "§5.1: OWS", head: "HTTP/1.1 200 OK\r\nX: \t a b \t \r\n", code: 200, reason: "OK", value: "a b"),
        Row(says: "RFC 9110 §5.5: empty", head: "HTTP/1.1 200 OK\r\nX:\r\n", code: 200, reason: "OK", value: ""),
        Row(
            says: "§5.1: a proxy removes whitespace before the colon", head: "HTTP/1.1 200 OK\r\nX \t: a\r\n",
            code: 200,
            reason: "OK", value: "a"),
        Row(
            says: "§5.2: obs-fold becomes SP", head: "HTTP/1.1 200 OK\r\nX: a\r\n\t  b\r\n c\r\nY: d\r\n", code: 200,
            reason: "OK", value: "a b c"),
        Row(
            says: "§2.2: a single LF may end a line", head: "HTTP/1.1 200 OK\nX: a\n", code: 200, reason: "OK",
            value: "a"),
        Row(
            says: "RFC 9110 §5.5: obs-text is opaque", head: "HTTP/1.1 200 OK\r\nX: \"\u{E4}\u{FF}\u{80}\"\r\n",
            code: 200,
            reason: "OK", value: "\"\u{E4}\u{FF}\u{80}\""),
    ]

    /// Browsers pass such lines over, and so does a proxy that stands before one.
    static let oddLines: [Row] = [
        "X", ": a", ":", "X(: a", "Powered By: x", "a@b.c: d", "<b>Warning</b>: x", "\"X\": a", "HTTP/1.1 200 OK",
        "X,A: b", "X\tA: b", "Gr\u{F6}\u{DF}e: 5", "X Y: a\r\n folded",
    ].map { line in
        Row(
            says: "no field: \(line)", head: "HTTP/1.1 200 OK\r\nX: a\r\n\(line)\r\n", code: 200, reason: "OK",
            value: "a")
    }

    static let malformed: [Row] = [
        Row(says: "no HTTP", head: "SSH-2.0-x\r\n"),
        Row(says: "§2.3: the name is case-sensitive", head: "http/1.1 200 OK\r\n"),
        Row(says: "another major version", head: "HTTP/2.0 200 OK\r\n"),
        Row(says: "§4: two digits", head: "HTTP/1.1 20 OK\r\n"),
        Row(says: "§4: four digits", head: "HTTP/1.1 2000 OK\r\n"),
        Row(says: "RFC 9110 §15: below 100", head: "HTTP/1.1 099 OK\r\n"),
        Row(says: "§4: no number", head: "HTTP/1.1 OK\r\n"),
        Row(says: "§2.2: whitespace before the first field", head: "HTTP/1.1 200 OK\r\n X: a\r\n"),
        Row(says: "no field, and perhaps about the framing", head: "HTTP/1.1 200 OK\r\nContent Length: 5\r\n"),
        Row(says: "no colon, and perhaps about the framing", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding chunked\r\n"),
        Row(says: "RFC 9110 §5.5: CR where there is no colon", head: "HTTP/1.1 200 OK\r\nX\ra\r\n"),
        Row(says: "RFC 9110 §5.5: NUL", head: "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\n"),
        Row(says: "RFC 9110 §5.5: CR", head: "HTTP/1.1 200 OK\r\nX: a\rb\r\n"),
    ]

    @Test("heads that are read, and heads that are refused", arguments: statusLines + fieldLines + oddLines + malformed)
    func head(_ row: Row) async throws {
        let end = row.head.contains("OK\nX") ? "Content-Length: 2\n\n" : "Content-Length: 2\r\n\r\n"
        let bench = try TransportBench(try await WireOrigin.start(answer: row.head + end + "ok"))
        let outcome = await bench.send()
        #expect(outcome.failure == (row.code == nil ? .malformedResponse : nil))
        #expect(outcome.response?.status.code == row.code)
        #expect(outcome.content == (row.code == nil ? "" : "ok"))
        guard row.code != nil else { return }
        #expect(outcome.response?.status.reasonPhrase == row.reason)
        let fields = outcome.response?.headerFields.filter { $0.name.canonicalName == "x" } ?? []
        #expect(fields.map { $0.withUnsafeBytesOfValue { Octets.text($0) } } == (row.value.map { [$0] } ?? []))
    }

    @Test("a head without an end is given up (RFC 9112 §3, §5.4: limits are the recipient's)")
    func endless() async throws {
        let line = "X: " + String(repeating: "a", count: 8_000) + "\r\n"
        let bench = try TransportBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\n" + String(repeating: line, count: 100)))
        #expect(await bench.send().failure == .malformedResponse)
        try await bench.origin.closed(0)
    }

    @Test("octets that no request asked for close the connection (RFC 9112 §9.2)")
    func unsolicited() async throws {
        let origin = try await WireOrigin.start { _, _ in
            .init(text: "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged")
        }
        let bench = try TransportBench(origin)
        for _ in 1...2 { #expect(await bench.send().response?.status == .noContent) }
        #expect(origin.received.count == 2)
    }
}

/// RFC 9110 §15.2.
@Suite("Interim responses of origins", .serialized, .timeLimit(.minutes(60)))
struct InterimResponseTests {
    private static let final = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test("all of them come in order, before the final one")
    func order() async throws {
        let seen = LockedBox<[String]>([])
        let bench = try TransportBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\nX: 1\r\n\r\n"
                    + "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 199 Soon\r\n\r\n" + Self.final))
        let outcome = await bench.send(onInterim: { interim in
            seen.withLock { $0.append("\(interim.status.code) \(interim.headerFields.map(\.value))") }
        })
        #expect(seen.withLock { $0 } == [#"100 []"#, #"102 ["1"]"#, #"103 ["</a>"]"#, "199 []"])
        #expect(outcome.content == "ok")
        #expect(await bench.send().content == "ok")
        #expect(bench.origin.received.count == 1)
    }

    @Test("RFC 9110 §15.2.2: 101 to a request without Upgrade is malformed")
    func switching() async throws {
        let bench = try TransportBench(
            try await WireOrigin.start(answer: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n" + Self.final))
        #expect(await bench.send().failure == .malformedResponse)
        try await bench.origin.closed(0)
    }

    @Test("1,000 are passed on, more are too many", arguments: [(1_000, true), (1_001, false)])
    func limit(count: Int, isEnough: Bool) async throws {
        let seen = LockedBox(0)
        let bench = try TransportBench(
            try await WireOrigin.start(
                answer: String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: count) + Self.final))
        let outcome = await bench.send(onInterim: { _ in seen.withLock { $0 += 1 } })
        #expect(outcome.failure == (isEnough ? nil : .malformedResponse))
        #expect(seen.withLock { $0 } == 1_000)
    }
}
