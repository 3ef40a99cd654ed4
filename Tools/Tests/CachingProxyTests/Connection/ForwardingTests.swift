import CacheTesting
import CachingProxy
import ResponseStore
import Testing
import WireSupport

/// Methods, statuses, octets and persistence through proxy, engine and transport.
@Suite("What passes through the proxy unchanged", .serialized, .timeLimit(.minutes(60)))
struct ForwardingTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    @Test(
        "RFC 9110 §9.1: every method token reaches the origin as it is",
        arguments: [
            "M-SEARCH", "PROPFIND", "FOO", "QUERY", "PURGE", "SOURCE", "get", "BASELINE-CONTROL", "X!#$%&'*+-.^_`|~9",
        ])
    func methods(_ method: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let answer = try await bench.ask(method, "/a?b")
        #expect(answer?.status == 200)
        #expect(bench.origin.received.joined().hasPrefix("\(method) /a?b HTTP/1.1\r\n"))
    }

    @Test(
        "where a site has a service worker, a request that fails ends without a response (Fetch §4.4), but for pages",
        arguments: [
            ("serviceworker", true, "empty", true), ("script", true, "empty", false),
            ("serviceworker", false, "empty", false), ("serviceworker", true, "document", false),
        ])
    func failureForWorker(stored: String, isWebViews: Bool, asked: String, ends: Bool) async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.isPartOfClient = isWebViews
        let script = "HTTP/1.1 200 OK\r\nCache-Control: max-age=60\r\nContent-Length: 2\r\n\r\nok"
        let bench = try await WireBench(
            try await WireOrigin.start { request, _ in
                request.contains("/sw.js") ? .init(text: script) : .init(text: "", closes: true)
            }, configuration: configuration)
        #expect(try await bench.ask("GET", "/sw.js", fields: "Sec-Fetch-Dest: \(stored)\r\n")?.status == 200)
        await bench.cache.waitForCommits()
        let answer = try await bench.ask("GET", "/api", fields: "Sec-Fetch-Dest: \(asked)\r\n")
        #expect((answer == nil) == ends, "\(answer?.statusLine ?? "")")
    }

    @Test(
        "HTML §9.2.2: a web view's event stream whose server is gone ends without an answer, so that it is opened again",
        arguments: [("text/event-stream", true, true), ("*/*", true, false), ("text/event-stream", false, false)])
    func failureForEventStream(accept: String, isWebViews: Bool, ends: Bool) async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.isPartOfClient = isWebViews
        let bench = try await WireBench(
            try await WireOrigin.start { _, _ in .init(text: "", closes: true) }, configuration: configuration)
        let answer = try await bench.ask("GET", "/events", fields: "Accept: \(accept)\r\nSec-Fetch-Dest: empty\r\n")
        #expect((answer == nil) == ends, "\(answer?.statusLine ?? "")")
    }

    @Test(
        "RFC 9110 §15: unknown statuses pass with their reason phrase",
        arguments: ["299 Warm", "499 Gone away", "599 Nobody", "999 Who knows", "200 Fine by me"])
    func statuses(_ status: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: "HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\nok"))
        let answer = try await bench.ask()
        #expect(answer?.statusLine == "HTTP/1.1 \(status)")
        #expect(answer?.rest == "ok")
    }

    @Test(
        "RFC 9110 §15.5.8: an origin that asks for a proxy's password sends no valid response",
        arguments: ["", "Proxy-Authenticate: Basic realm=\"Larder\"\r\n"])
    func proxyPasswordOfOrigin(_ field: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 407 Proxy Authentication Required\r\n\(field)Content-Length: 2\r\n\r\nno"))
        let answer = try await bench.ask()
        #expect(answer?.status == 502 && answer?["proxy-authenticate"] == nil)
        let text = try await bench.exchange(
            "GET http://shop.test/live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
        #expect(WireResponse(text)?.status == 502 && !text.contains("Proxy-Auth"))
    }

    @Test("RFC 9110 §15.5.8: who is asked for a password repeats the request on the same connection")
    func proxyPassword() async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        configuration.credentials = ProxyCredentials(user: "u", password: "p")
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok), configuration: configuration)
        let client = try await WireClient.open(port: bench.port)
        let asks = "This proxy asks for the user name and password that were printed when it started.\n"
        for target in [
            "GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n", "CONNECT shop.test:80 HTTP/1.1\r\nHost: a\r\n",
        ] {
            client.send(target + "\r\n")
            let text = try await client.read(until: asks)
            #expect(text.hasPrefix("HTTP/1.1 407 ") && !text.contains("Connection: close"))
        }
        client.send("GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nProxy-Authorization: Basic dTpw\r\n\r\n")
        #expect(try await client.read(until: "\r\n\r\nok").hasSuffix("\r\n\r\nok"))
        // Content that nobody reads would be taken for the next request.
        client.send("POST http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try await client.readToEnd().hasSuffix(asks))
    }

    @Test("RFC 9110 §5.5: octets beyond ASCII are opaque, forwarded and from the store")
    func octets() async throws {
        let name = "attachment; filename=\"\u{E4}\u{F6}\u{FF}.txt\""
        let folder = try TemporaryDirectory()
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Disposition: \(name)\r\n"
                    + "ETag: \"\u{FC}\"\r\nX: \u{C3}\u{A4}\r\nContent-Length: 2\r\n\r\nok"),
            store: try DiskResponseStore(directory: folder.store, durability: .process))
        for outcome in ["fwd=uri-miss; stored", "hit"] {
            var answer = try await bench.ask(fields: "Y: \u{E4}\r\n")
            // The response is stored behind the back of the one who gets it first.
            while outcome == "hit", answer?["cache-status"]?.contains("hit") != true {
                answer = try await bench.ask()
            }
            #expect(answer?["cache-status"]?.contains(outcome) == true)
            #expect(answer?["content-disposition"] == name)
            #expect(answer?["etag"] == "\"\u{FC}\"")
            #expect(answer?["x"] == "\u{C3}\u{A4}")
        }
        #expect(bench.origin.received.joined().contains("\r\nY: \u{E4}\r\n"))
    }

    @Test(
        "characters that URLs may not have, but browsers send, reach the origin as they are",
        arguments: ["/a?b={c}|d^`e\\\"<>", "/[a]/%zz"])
    func target(_ path: String) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        #expect(try await bench.ask("GET", path)?.status == 200)
        #expect(bench.origin.received.joined().hasPrefix("GET \(path) HTTP/1.1\r\n"))
    }

    @Test(
        "RFC 9112 §6.3: a response to HEAD ends with its head, whatever its framing",
        arguments: [
            "", "Transfer-Encoding: chunked\r\n", "Content-Length: 5\r\n",
        ])
    func headRequest(_ fields: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start { request, _ in
                .init(
                    text: request.hasPrefix("HEAD") ? "HTTP/1.1 200 OK\r\n\(fields)\r\n" : Self.ok,
                    closes: fields.isEmpty)
            })
        let head = "HEAD http://shop.test/a HTTP/1.1\r\nHost: shop.test\r\n\r\n"
        let text = try await bench.exchange(
            head + "GET http://shop.test/b HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
        let first = try #require(WireResponse(text))
        #expect(first["content-length"] == (fields.hasPrefix("Content") ? "5" : nil))
        #expect(first.rest.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(first.rest.debugDescription)")
    }

    @Test(
        "RFC 9110 §8.6: no Content-Length in a 204, the origin's in a 304",
        arguments: [
            ("204 No Content", nil), ("304 Not Modified", "5"),
        ] as [(String, String?)])
    func lengthWithoutContent(status: String, length: String?) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: "HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n"))
        let answer = try await bench.ask(fields: "If-None-Match: \"a\"\r\n")
        #expect(answer?.statusLine == "HTTP/1.1 \(status)")
        #expect(answer?["content-length"] == length)
        #expect(answer?["transfer-encoding"] == nil)
        #expect(answer?.rest == "")
    }

    @Test(
        "RFC 9112 §6.1: no transfer coding for HTTP/1.0; §9.3: a proxy does not persist with it",
        arguments: ["", "Connection: keep-alive\r\n"])
    func oldClient(_ fields: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n0\r\nX: 1\r\n\r\n"))
        let answer = WireResponse(try await bench.exchange("GET http://shop.test/ HTTP/1.0\r\n\(fields)\r\n"))
        #expect(answer?.status == 200)
        #expect(answer?["transfer-encoding"] == nil)
        #expect(answer?["connection"] == "close")
        #expect(answer?.rest == "hello")
    }

    @Test("RFC 9110 §15.2: interim responses reach an HTTP/1.1 client in order")
    func interim() async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(
                answer: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\n"
                    + "Link: </a>\r\n\r\n" + Self.ok))
        let text = try await bench.exchange(
            "GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nConnection: close\r\n\r\n")
        let lines = text.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }
        #expect(
            lines == [
                "HTTP/1.1 100 Continue", "HTTP/1.1 102 Processing", "HTTP/1.1 103 Early Hints", "HTTP/1.1 200 OK",
            ])
    }

    @Test(
        "a response that is cut off ends with a closed connection, never with a proper end (RFC 9112 §8)",
        arguments: [
            "Content-Length: 5\r\n\r\nhel", "Transfer-Encoding: chunked\r\n\r\n5\r\nhel",
        ])
    func cutOff(_ rest: String) async throws {
        let bench = try await WireBench(
            try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nCache-Control: no-store\r\n" + rest, closes: true))
        let answer = try #require(
            WireResponse(try await bench.exchange("GET http://shop.test/ HTTP/1.1\r\nHost: shop.test\r\n\r\n")))
        #expect(answer.status == 200)
        #expect(answer.rest.contains("hel"))
        #expect(!answer.rest.contains("0\r\n\r\n"))
        #expect(answer["content-length"] == nil || answer.rest == "hel")
    }

    @Test("an answer that closes the connection is seen whole, however much of the request is unread (RFC 9112 §9.6)")
    func refusedUpload() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let client = try await WireClient.open(port: bench.port)
        client.send("PUT ftp://shop.test/ HTTP/1.1\r\nHost: shop.test\r\nContent-Length: 20000000\r\n\r\n")
        for _ in 1...20 { client.send(String(repeating: "a", count: 1_000_000)) }
        let answer = try #require(WireResponse(try await client.readToEnd()))
        #expect(answer.status == 400)
        #expect(answer.rest.utf8.count == answer["content-length"].flatMap { Int($0) })
        #expect(bench.origin.received.isEmpty)
    }

    @Test("content that is malformed behind a refused head is refused once (RFC 9112 §7.1)")
    func refusedTwice() async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        let text = try await bench.exchange(
            "PUT ftp://x/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
        #expect(WireResponse(text)?.status == 400)
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
    }
}
