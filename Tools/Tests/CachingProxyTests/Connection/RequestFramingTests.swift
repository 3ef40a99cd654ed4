import Testing
import WireSupport

/// Odd requests to the proxy: each is refused, or reaches the origin in one unambiguous form.
@Suite("RFC 9112 §11.2 Request Smuggling", .serialized, .timeLimit(.minutes(60)))
struct RequestFramingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        /// What the client sends; `PROXY` stands for a good start of request line and `Host`.
        var request: String
        var status: Int
        /// The end of what the origin received; `nil` when it must receive nothing.
        var received: String?
        var testDescription: String { says }
    }

    private static func post(_ fields: String, _ content: String, version: String = "HTTP/1.1") -> String {
        "POST http://shop.test/a \(version)\r\nHost: shop.test\r\n\(fields)\r\n\(content)"
    }

    private static func get(_ fields: String, host: String = "Host: shop.test\r\n") -> String {
        "GET http://shop.test/a HTTP/1.1\r\n\(host)\(fields)\r\n"
    }

    private static let smuggled = "GET /secret HTTP/1.1\r\nHost: shop.test\r\n\r\n"

    static let lines: [Row] = [
        Row(says: "§2.2: bare LF", request: "GET http://shop.test/ HTTP/1.1\nHost: shop.test\n\n", status: 400),
        Row(
            says: "§2.2: bare LF after a field", request: get("X: a\nTransfer-Encoding: chunked\r\n"), status: 400),
        Row(says: "§2.2: bare CR", request: get("X: a\rTransfer-Encoding: chunked\r\n"), status: 400),
        Row(
            says: "§2.2: one empty line before is ignored", request: "\r\n" + get(""), status: 200, received: "\r\n\r\n"
        ),
        Row(
            says: "§2.2: whitespace before the first field",
            request: "GET http://shop.test/ HTTP/1.1\r\n Host: x\r\n\r\n",
            status: 400),
        Row(says: "§5.2: obs-fold", request: get("X: a\r\n b\r\n"), status: 400),
        Row(says: "§5.1: space before the colon", request: get("X : a\r\n"), status: 400),
        Row(
            says: "§5.1: space before the colon of the framing",
            request: post("Content-Length: 5\r\nTransfer-Encoding : chunked\r\n", "0\r\n\r\n"), status: 400),
        Row(
            says: "§5.1: tab before the colon of the framing",
            request: post("Transfer-Encoding\t: chunked\r\n", "0\r\n\r\n"),
            status: 400),
        Row(says: "RFC 9110 §5.1: no name", request: get(": a\r\n"), status: 400),
        Row(says: "RFC 9110 §5.1: no token", request: get("X\u{B}: a\r\n"), status: 400),
        Row(says: "RFC 9110 §5.5: NUL", request: get("X: a\u{0}b\r\n"), status: 400),
        Row(says: "§5: no colon", request: get("X\r\n"), status: 400),
    ]

    static let requestLines: [Row] = [
        Row(says: "§3: two spaces", request: "GET  http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n", status: 400),
        Row(says: "§3: a tab", request: "GET\thttp://shop.test/\tHTTP/1.1\r\nHost: shop.test\r\n\r\n", status: 400),
        Row(
            says: "§3.2: whitespace in the target",
            request: "GET http://shop.test/a b HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(says: "§3: no version", request: "GET http://shop.test/\r\n\r\n", status: 400),
        Row(says: "§3.1: no token", request: "GE(T http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n", status: 400),
        Row(
            says: "RFC 9110 §15.6.6: another major version",
            request: "GET http://shop.test/ HTTP/2.0\r\nHost: shop.test\r\n\r\n", status: 505),
        Row(
            says: "RFC 3986 §2: octets beyond ASCII in the target",
            request: "GET http://shop.test/\u{E4} HTTP/1.1\r\nHost: shop.test\r\n\r\n", status: 400),
    ]

    static let hosts: [Row] = [
        Row(says: "§3.2: no Host", request: get("", host: ""), status: 400),
        Row(says: "§3.2: two Hosts", request: get("Host: shop.test\r\n"), status: 400),
        Row(says: "§3.2: two different Hosts", request: get("Host: other.test\r\n"), status: 400),
        Row(says: "§3.2: an invalid Host", request: get("", host: "Host: shop.test/x\r\n"), status: 400),
        Row(
            says: "§3.2.2: the target overrides Host",
            request: get("Connection: close\r\n", host: "Host: other.test\r\n"),
            status: 200, received: "\r\n\r\n"),
        Row(
            says: "§3.2.2: an authority with a backslash", request: get("").replacing("test/a", with: "test\\x/a"),
            status: 400),
    ]

    static let framing: [Row] = [
        Row(
            says: "§6.3 rule 3: CL.TE",
            request: post("Content-Length: 6\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nG"),
            status: 400),
        Row(
            says: "§6.3 rule 3: TE.CL",
            request: post("Transfer-Encoding: chunked\r\nContent-Length: 4\r\n", "0\r\n\r\n"),
            status: 400),
        Row(
            says: "§6.3 rule 5: different lengths",
            request: post("Content-Length: 5\r\nContent-Length: 0\r\n", "hello"), status: 400),
        Row(
            says: "§6.3 rule 5: a list of different lengths", request: post("Content-Length: 5, 0\r\n", "hello"),
            status: 400),
        Row(says: "RFC 9110 §8.6: a sign", request: post("Content-Length: +5\r\n", "hello"), status: 400),
        Row(says: "RFC 9110 §8.6: hexadecimal", request: post("Content-Length: 0x5\r\n", "hello"), status: 400),
        Row(
            says: "RFC 9110 §8.6: too long a length", request: post("Content-Length: 18446744073709551617\r\n", "h"),
            status: 400),
        Row(
            says: "§6.3 rule 5: equal lengths are one",
            request: post("Content-Length: 5, 5\r\nConnection: close\r\n", "hello"),
            status: 200, received: "\r\n\r\nhello"),
        Row(
            says: "§6.1: an unknown coding under chunked",
            request: post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
            status: 501),
        Row(
            says: "§6.1: an unknown coding in a line of its own",
            request: post("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), status: 501),
        Row(
            says: "§6.3 rule 4: chunked is not the last coding",
            request: post("Transfer-Encoding: gzip\r\n", "0\r\n\r\n"),
            status: 400),
        Row(
            says: "§6.3 rule 4: chunked is not the last of two",
            request: post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"), status: 400),
        Row(
            says: "§7.1: chunked twice", request: post("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n"),
            status: 400),
        Row(says: "§7: xchunked", request: post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), status: 400),
        Row(says: "§7: a quoted coding", request: post("Transfer-Encoding: \"chunked\"\r\n", "0\r\n\r\n"), status: 400),
        Row(
            says: "§6.1: Transfer-Encoding in HTTP/1.0",
            request: post("Transfer-Encoding: chunked\r\n", "0\r\n\r\n", version: "HTTP/1.0"), status: 400),
        Row(
            says: "§7.1: extensions are dropped",
            request: post("Transfer-Encoding: chunked\r\nConnection: close\r\n", "5;a=\"b;\"\r\nhello\r\n0;x\r\n\r\n"),
            status: 200, received: "5\r\nhello\r\n0\r\n\r\n"),
        Row(
            says: "§7.1: chunks that claim more than they are",
            request: post("Transfer-Encoding: chunked\r\n", "3\r\nhello\r\n0\r\n\r\n"), status: 400, received: ""),
        Row(
            says: "§7.1: no chunk at all", request: post("Transfer-Encoding: chunked\r\n", "zz\r\n"), status: 400,
            received: ""),
        Row(
            says: "§7.1: bare LF in an extension",
            request: post("Transfer-Encoding: chunked\r\n", "5;a\nb\r\nhello\r\n0\r\n\r\n"), status: 400, received: ""),
        Row(
            says: "RFC 9110 §9.3.8: content in TRACE",
            request: post("Content-Length: \(smuggled.utf8.count)\r\n", smuggled).replacing("POST", with: "TRACE"),
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: content in CONNECT",
            request: "CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test:80\r\nContent-Length: 5\r\n\r\nhello",
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: CONNECT with no port",
            request: "CONNECT shop.test HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: CONNECT with an empty port",
            request: "CONNECT shop.test: HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: CONNECT with a port with a sign",
            request: "CONNECT shop.test:+80 HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: CONNECT with port zero",
            request: "CONNECT shop.test:0 HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(
            says: "RFC 9110 §9.3.6: CONNECT with userinfo",
            request: "CONNECT u@shop.test:80 HTTP/1.1\r\nHost: shop.test\r\n\r\n",
            status: 400),
        Row(
            says: "RFC 9110 §8.6: POST without content says so", request: post("Connection: close\r\n", ""),
            status: 200,
            received: "Content-Length: 0\r\n\r\n"),
        Row(
            says: "RFC 9110 §9.3.1: content in GET keeps its frame",
            request: get("Content-Length: \(smuggled.utf8.count)\r\nConnection: close\r\n") + smuggled, status: 200,
            received: "\r\n\r\n" + smuggled),
    ]

    @Test("refused, or forwarded in one form", arguments: lines + requestLines + hosts + framing)
    func requests(_ row: Row) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok"))
        let client = try await WireClient.open(port: bench.port)
        client.send(row.request)
        // What closes is one connection; a smuggled request would show as a second answer.
        let text = row.status == 200 ? try await client.read(until: "\r\n\r\nok") : try await client.readToEnd()
        let answer = try #require(WireResponse(text))
        #expect(answer.status == row.status)
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
        if row.status != 200 { #expect(answer["connection"] == "close") }
        let received = bench.origin.received.joined()
        #expect(received.contains(" /secret HTTP") == (row.received?.contains("/secret") ?? false))
        guard let end = row.received else {
            #expect(received.isEmpty)
            return
        }
        #expect(received.hasSuffix(end), "\(received.debugDescription)")
        let heads = received.lowercased()
        #expect(heads.ranges(of: "\r\nhost: ").count - (end.contains("/secret") ? 1 : 0) <= 1)
        #expect(!heads.contains("\r\nhost: other.test"))
        #expect(
            !(heads.contains("\r\ncontent-length:") && heads.contains("\r\ntransfer-encoding:")), "two framings at once"
        )
    }

    @Test("§9.3.2: pipelined requests are answered in order, and one that is refused is the last")
    func pipelined() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start { request, _ in
                let path = request.split(separator: " ")[1]
                return .init(text: "HTTP/1.1 200 OK\r\nContent-Length: \(path.utf8.count)\r\n\r\n\(path)")
            })
        let text = try await bench.exchange(
            Self.get("") + Self.get("").replacing("/a ", with: "/b ") + "nonsense\r\n\r\n" + Self.get(""))
        let parts = text.split(separator: "HTTP/1.1 ")
        #expect(parts.map { $0.prefix(3) } == ["200", "200", "400"])
        #expect(parts[0].hasSuffix("/a") && parts[1].hasSuffix("/b"))
        #expect(bench.origin.received.joined().ranges(of: "GET ").count == 2)
    }

    @Test(
        "too long a target is 414 and too long a head 431 (RFC 9112 §3; RFC 6585 §5)",
        arguments: [(true, 414), (false, 431)])
    func tooLong(isTarget: Bool, status: Int) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: ""))
        let many = String(repeating: "a", count: 70_000)
        let lines = (1...20).map { "X\($0): \(many)\r\n" }.joined()
        let request = isTarget ? Self.get("").replacing("/a", with: "/" + many) : Self.get(lines)
        let answer = WireResponse(try await bench.exchange(request))
        #expect(answer?.status == status)
        #expect(bench.origin.received.isEmpty)
    }
}
