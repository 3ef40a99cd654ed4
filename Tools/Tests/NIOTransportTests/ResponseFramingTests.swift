import CacheEngine
import HTTPTypes
import Testing
import WireSupport

/// What the transport takes for a response's content, and what it does with the connection afterwards.
@Suite("RFC 9112 §6 Message Body: responses of origins", .serialized, .timeLimit(.minutes(60)))
struct ResponseFramingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        var answer: String
        var closes = false
        var method = "GET"
        var content = ""
        var failure: TransportError.Code?
        /// Whether the next request may use the same connection; `nil` where there is no next one.
        var isReusable: Bool?
        var testDescription: String { says }
    }

    private static func ok(_ fields: String, _ rest: String, version: String = "HTTP/1.1") -> String {
        "\(version) 200 OK\r\n\(fields)\r\n\(rest)"
    }

    private static let next = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"

    static let lengths: [Row] = [
        Row(says: "§6.3 rule 6", answer: ok("Content-Length: 5\r\n", "hello"), content: "hello", isReusable: true),
        Row(says: "§6.3 rule 6, empty", answer: ok("Content-Length: 0\r\n", ""), isReusable: true),
        Row(
            says: "§6.3: octets after the end are no content, and no response to anything",
            answer: ok("Content-Length: 5\r\n", "helloand more"), content: "hello", isReusable: false),
        Row(
            says: "§11.1: a forged second response reaches no request",
            answer: ok("Content-Length: 5\r\n", "hello" + ok("Content-Length: 6\r\n", "forged")), content: "hello",
            isReusable: false),
        Row(
            says: "§8: cut off", answer: ok("Content-Length: 5\r\n", "hel"), closes: true, content: "hel",
            failure: .closedEarly),
        Row(
            says: "§6.3 rule 5: a list of equal values", answer: ok("Content-Length: 5, 5\r\n", "hello"),
            content: "hello", isReusable: true),
        Row(
            says: "§6.3 rule 5: lines of equal values",
            answer: ok("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), content: "hello", isReusable: true),
        Row(
            says: "§6.3 rule 5: a list that differs", answer: ok("Content-Length: 5, 6\r\n", "hello"),
            failure: .malformedResponse),
        Row(
            says: "§6.3 rule 5: lines that differ", answer: ok("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"),
            failure: .malformedResponse),
        Row(
            says: "§6.3 rule 5: one of two is invalid", answer: ok("Content-Length: 5, x\r\n", "hello"),
            failure: .malformedResponse),
        Row(
            says: "§6.3 rule 8: until the connection is closed", answer: ok("", "hello"), closes: true,
            content: "hello", isReusable: false),
        Row(
            says: "§9.3: the origin closes", answer: ok("Connection: close\r\nContent-Length: 5\r\n", "hello"),
            content: "hello", isReusable: false),
        Row(
            says: "§6.3 rule 4: a coding that no registry knows ends with the connection",
            answer: ok("Transfer-Encoding: xchunked\r\n", "hello"), closes: true, content: "hello", isReusable: false),
        Row(
            says: "§6.3 rule 4: with a length, such a coding ends with that: servers state identity",
            answer: ok("Transfer-Encoding: identity\r\nContent-Length: 5\r\n", "hello"), content: "hello",
            isReusable: false),
        Row(
            says: "§9.3: HTTP/1.0 does not persist", answer: ok("Content-Length: 5\r\n", "hello", version: "HTTP/1.0"),
            content: "hello", isReusable: false),
        Row(
            says: "§9.3: HTTP/1.0 with keep-alive persists",
            answer: ok("Connection: keep-alive\r\nContent-Length: 5\r\n", "hello", version: "HTTP/1.0"),
            content: "hello", isReusable: true),
    ]

    static let invalidLengths: [Row] = ["+5", "-5", "0x5", "5 5", "5a", "", "5.0", "99999999999999999999"].map {
        Row(
            says: "RFC 9110 §8.6: Content-Length = 1*DIGIT, not '\($0)'",
            answer: ok("Content-Length: \($0)\r\n", "hello"),
            failure: .malformedResponse)
    }

    static let withoutContent: [Row] = [
        Row(
            says: "§6.3 rule 1: HEAD", answer: ok("Content-Length: 5\r\n", ""), method: "HEAD", isReusable: true),
        Row(
            says: "§6.3 rule 1: HEAD, whatever the coding", answer: ok("Transfer-Encoding: gzip, chunked\r\n", ""),
            method: "HEAD", isReusable: true),
        Row(
            says: "§6.3 rule 1: content to HEAD is none", answer: ok("Content-Length: 5\r\n", "hello"), method: "HEAD",
            isReusable: false),
        Row(
            says: "§6.3 rule 1: 204", answer: "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", isReusable: true),
        Row(
            says: "RFC 9110 §15.3.6: 205 has no content", answer: "HTTP/1.1 205 Reset Content\r\n\r\n",
            isReusable: false),
        Row(
            says: "§6.3 rule 1: 304", answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 500\r\n\r\n",
            isReusable: true),
        Row(
            says: "§6.3 rule 1: 304 with content",
            answer: "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\nhello",
            isReusable: false),
    ]

    static let codings: [Row] = [
        Row(
            says: "§7.1", answer: ok("Transfer-Encoding: chunked\r\n", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"),
            content: "hello", isReusable: true),
        Row(
            says: "§7: coding names are case-insensitive",
            answer: ok("Transfer-Encoding: CHUNKED\r\n", "5\r\nhello\r\n0\r\n\r\n"), content: "hello", isReusable: true),
        Row(
            says: "§7.1.1: chunk extensions are ignored",
            answer: ok("Transfer-Encoding: chunked\r\n", "5;a=b;c=\"d\"\r\nhello\r\n0;e\r\n\r\n"), content: "hello",
            isReusable: true),
        Row(
            says: "§6.3 rule 3: Transfer-Encoding overrides Content-Length",
            answer: ok("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
            content: "hello", isReusable: false),
        Row(
            says: "§2.2: LF alone ends a line, also of chunks and before the status line",
            answer: "\n\r\n" + ok("Transfer-Encoding: chunked\r\n", "5\nhello\n0\n\n"), content: "hello",
            isReusable: true),
        Row(
            says: "§6.1: chunked, stated twice, is applied once",
            answer: ok("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
            content: "hello", isReusable: false),
        Row(
            says: "§7.1: octets behind the last chunk",
            answer: ok("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\nmore"), content: "hello",
            isReusable: false),
        Row(
            says: "§8: no last chunk", answer: ok("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\n"), closes: true,
            content: "hello", failure: .closedEarly),
        Row(
            says: "§8: cut off in a chunk", answer: ok("Transfer-Encoding: chunked\r\n", "5\r\nhel"), closes: true,
            content: "hel", failure: .closedEarly),
        Row(
            says: "§6.1: Transfer-Encoding in HTTP/1.0: the connection closes after the message",
            answer: ok(
                "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n",
                version: "HTTP/1.0"), content: "hello", isReusable: false),
    ]

    static let unknownCodings: [Row] = [
        "gzip", "gzip, chunked", "chunked, gzip", "chunked, gzip, chunked", "chunked;a=b", "",
    ].map {
        Row(
            says: "§6.1: '\($0)' is not understood, so nothing of it is content",
            answer: ok("Transfer-Encoding: \($0)\r\n", "5\r\nhello\r\n0\r\n\r\n"), failure: .malformedResponse)
    }

    static let badChunks: [Row] = [
        "zz\r\nhello\r\n", "-5\r\nhello\r\n", "+5\r\nhello\r\n", "0x5\r\nhello\r\n", "\r\nhello\r\n",
        "FFFFFFFFFFFFFFFFF\r\nhello\r\n", "8000000000000000\r\nhello\r\n",
        "5;a\rb\r\nhello\r\n", " 5\r\nhello\r\n",
    ].map {
        Row(
            says: "§7.1: no chunk: \($0.debugDescription)",
            answer: ok("Transfer-Encoding: chunked\r\n", $0 + "0\r\n\r\n"),
            failure: .malformedResponse)
    }

    static let badChunkEnds: [Row] = ["5\r\nhelloX", "5\r\nhello\n\n0\r\n\r\n", "5\r\nhello\rX"].map {
        Row(
            says: "§7.1: no end of a chunk: \($0.debugDescription)", answer: ok("Transfer-Encoding: chunked\r\n", $0),
            content: "hello", failure: .malformedResponse)
    }

    @Test(
        "content, its end, and whether the connection is used again",
        arguments: lengths + invalidLengths + withoutContent + codings + unknownCodings + badChunks + badChunkEnds)
    func framing(_ row: Row) async throws {
        let bench = try TransportBench(
            try await WireOrigin.start { _, number in
                number == 1 ? .init(text: row.answer, closes: row.closes) : .init(text: Self.next)
            })
        let outcome = await bench.send(row.method)
        #expect(outcome.content == row.content)
        #expect(outcome.failure == row.failure)
        if row.failure == .malformedResponse { try await bench.origin.closed(0) }
        guard let isReusable = row.isReusable else { return }
        if !isReusable { try await bench.origin.closed(0) }
        let second = await bench.send("GET")
        #expect(second.content == "next")
        #expect(bench.origin.received.count == (isReusable ? 1 : 2))
    }

    @Test(
        "a length that was overridden is not handed on (RFC 9112 §6.3), one that was repeated is handed on once",
        arguments: [
            ("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n", nil),
            ("Content-Length: 5, 5\r\n", "hello", "5"),
            ("Content-Length: 5\r\nContent-Length: 5\r\n", "hello", "5"),
            ("Content-Length: 005\r\n", "hello", "5"),
        ] as [(String, String, String?)])
    func handedOn(fields: String, rest: String, length: String?) async throws {
        let bench = try TransportBench(try await WireOrigin.start(answer: Self.ok(fields, rest)))
        let outcome = await bench.send()
        #expect(outcome.content == "hello")
        #expect(outcome.response?.headerFields[.contentLength] == length)
        #expect(outcome.response?.headerFields[values: .contentLength].count == (length == nil ? 0 : 1))
        #expect(outcome.statedLength == length.flatMap { Int64($0) })
    }
}
