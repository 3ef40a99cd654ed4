import CacheTesting
import Foundation
import Testing
import WireSupport

/// Addresses of the origin in what a reverse proxy answers.
@Suite("larder proxy --reverse, and the origin's own addresses")
struct ReverseAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var field: String
        var origin: String
        /// As the client gets it.
        var client: String
        var testDescription: String { "\(field): \(origin)" }

        init(_ origin: String, _ client: String? = nil, of field: String = "Location") {
            (self.field, self.origin, self.client) = (field, origin, client ?? origin)
        }
    }

    /// The origin is http://shop.test.
    static let rows = [
        Row("http://shop.test/next?q=1#f", "/next?q=1#f"), Row("HTTP://SHOP.test:80/a", "/a"),
        Row("http://shop.test", "/"), Row("http://shop.test?q", "/?q"), Row("http://shop.test#f", "/#f"),
        Row("//shop.test/a", "/a"),
        // What would name another host without its own (RFC 3986 §4.2; URL Standard §4.4).
        Row("http://shop.test//evil.test/x", "/.//evil.test/x"),
        Row(#"http://shop.test/\evil.test"#, #"/./\evil.test"#),
        // Clients drop a TAB (URL Standard §4.4), after which the next slash would be the second one.
        Row("http://shop.test/\t/evil.test/"), Row("//shop.test/\t/evil.test/"),
        // Other origins (RFC 9110 §4.3.1), and what has none.
        Row("https://shop.test/a"), Row("http://shop.test:8080/a"), Row("http://shop.test.evil.test/a"),
        Row("http://shop.test:8080:80/a"), Row("http://shop.test:80:/a"), Row("http://shop.test:8O/a"),
        Row("http://other.test/a"), Row("http://user@shop.test/a"), Row("/a"), Row("next"), Row("mailto:a@shop.test"),
        Row("http://shop.test/a.de", "/a.de", of: "Content-Location"),
        // RFC 6265 §5.3: a domain that was not asked is refused.
        Row("a=1; Domain=shop.test; Path=/", "a=1; Path=/", of: "Set-Cookie"),
        Row("a=1; Secure; domain = .SHOP.test", "a=1; Secure", of: "Set-Cookie"),
        Row("a=1; Domain=test", "a=1", of: "Set-Cookie"), Row("a=1; Domain=other.test", of: "Set-Cookie"),
        Row("a=1; Domain=op.test", of: "Set-Cookie"), Row("Domain=shop.test; Path=/", of: "Set-Cookie"),
        // §5.2: WSP, a TAB too, does not count. §5.3: the last Domain does; §5.2.3: not if it is empty.
        Row("a=1;\tDomain\t=\tshop.test\t; Path=/", "a=1; Path=/", of: "Set-Cookie"),
        Row("a=1; Domain=other.test; Domain=shop.test", "a=1", of: "Set-Cookie"),
        Row("a=1; Domain=shop.test; Domain=other.test", of: "Set-Cookie"),
        Row("a=1; Domain=shop.test; Domain; Domain=", "a=1", of: "Set-Cookie"),
        Row("a=1; Domain=other.test; Domain=", of: "Set-Cookie"),
    ]

    @Test("lead to the proxy, from the origin and from the store; those of others stay")
    func translated() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start { request, _ in
            let number = Int(request.split(separator: " ")[1].dropFirst()) ?? 0
            let row = Self.rows[number]
            return .init(
                text: "HTTP/1.1 301 Moved Permanently\r\n\(row.field): \(row.origin)\r\nCache-Control: max-age=600\r\n"
                    + "Content-Length: 0\r\n\r\n")
        }
        let proxy = try RunningProxy([
            "--store", folder.store, "--reverse", "http://shop.test", "--resolve",
            "shop.test:80:127.0.0.1:\(origin.port)",
        ])
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        for (number, row) in Self.rows.enumerated() {
            // The last ones are known by their octets.
            for time in 1...4 {
                let text = try await WireClient.exchange(
                    "GET /\(number) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: close\r\n\r\n", port: port)
                let answer = try #require(WireResponse(text))
                #expect(answer[row.field.lowercased()] == row.client, "\(row) \(time)")
                #expect(answer["cache-status"]?.contains(time == 1 ? "uri-miss" : "hit") == true, "\(row) \(time)")
            }
        }
        for (number, row) in Self.rows.enumerated() {
            // The origin does not switch protocols, and its answer passes the cache by.
            let text = try await WireClient.exchange(
                "GET /\(number) HTTP/1.1\r\nHost: localhost:\(port)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
                port: port)
            let answer = try #require(WireResponse(text))
            #expect(answer[row.field.lowercased()] == row.client, "\(row), refused")
            #expect(answer["cache-status"] == "Larder; fwd=bypass")
        }
        // What is stored is what came.
        let shown = try await ToolProcess.run(
            ToolProcess.larder, ["store", "show", "http://shop.test/0", "--store", folder.store])
        #expect(shown.out.contains("Location: http://shop.test/next?q=1#f"), "\(shown)")
    }

    @Test("in Origin and Referer are the origin's own where they name the proxy, a WebSocket's too; others stay")
    func presented() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        let proxy = try RunningProxy([
            "--store", folder.store, "--reverse", "http://shop.test", "--resolve",
            "shop.test:80:127.0.0.1:\(origin.port)",
        ])
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        let own = "http://localhost:\(port)"
        let rows = [
            ("Origin: \(own)", "Origin: http://shop.test"), ("Referer: \(own)/a?b", "Referer: http://shop.test/a?b"),
            ("Origin: HTTP://LOCALHOST:\(port)", "Origin: http://shop.test"),
            ("Referer: \(own)", "Referer: http://shop.test"), ("Origin: null", nil),
            // Another port is another origin (RFC 6454 §4), as is another name of this machine.
            ("Origin: http://localhost:\(port)0", nil), ("Origin: http://127.0.0.1:\(port)", nil),
            ("Origin: http://evil.test", nil), ("Referer: http://localhost:\(port)@evil.test/", nil),
            ("Origin: \(own).evil.test", nil), ("Referer: http://evil.test/\(own)/", nil),
        ]
        for (number, (sent, wanted)) in rows.enumerated() {
            for kind in ["GET", "POST", "Upgrade"] {
                let start = "\(kind == "POST" ? kind : "GET") /\(number)/\(kind) HTTP/1.1\r\n"
                let upgrade = kind == "Upgrade" ? "Upgrade: websocket\r\nConnection: Upgrade" : "Connection: close"
                let length = kind == "POST" ? "Content-Length: 0\r\n" : ""
                _ = try await WireClient.exchange(
                    "\(start)Host: localhost:\(port)\r\n\(sent)\r\n\(upgrade)\r\n\(length)\r\n", port: port)
                let received = origin.received.joined().components(separatedBy: start).last ?? ""
                let head = received.components(separatedBy: "\r\n\r\n")[0] + "\r\n"
                #expect(head.contains("\(wanted ?? sent)\r\n"), "\(sent), \(kind): \(head)")
            }
        }
    }

    @Test("two ports name no origin, also where the first one is the origin's (RFC 3986 §3.2.3)")
    func twoPorts() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start { request, _ in
            let port = request.firstMatch(of: #/Host: 127\.0\.0\.1:([0-9]+)/#)?.1 ?? ""
            return .init(
                text: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port):80/a\r\n"
                    + "Content-Location: http://127.0.0.1:\(port):/a\r\nContent-Length: 0\r\n\r\n")
        }
        let proxy = try RunningProxy(["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"])
        let answer = try #require(WireResponse(try await ToolProcess.curl(["-i", proxy.address + "/"]).out))
        #expect(answer["location"] == "http://127.0.0.1:\(origin.port):80/a")
        #expect(answer["content-location"] == "http://127.0.0.1:\(origin.port):/a")
    }

    @Test("a reverse proxy, which presents no certificate, leaves those of the store alone, whatever they are")
    func noAuthority() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let arguments = ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"]
        for makesFault in [false, true] {
            if makesFault { _ = try folder.write("store/authority", "no folder") }
            let proxy = try RunningProxy(arguments)
            #expect(try await ToolProcess.curl([proxy.address + "/"]).out == "ok")
            proxy.stop()
            if !makesFault { #expect(!FileManager.default.fileExists(atPath: folder.store + "/authority")) }
        }
    }

    @Test(
        "a target with an empty path has the path / (RFC 9110 §4.2.3; RFC 9112 §3.2.1)",
        arguments: [("", "/"), ("?q=1", "/?q=1"), ("?", "/?"), ("/?q", "/?q")])
    func emptyPath(rest: String, path: String) async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start(answer: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        let reverse = try RunningProxy(["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"])
        let forward = try RunningProxy(["--store", folder.store + "2", "--no-auth"])
        for (proxy, name) in [(reverse, nil), (forward, "127.0.0.1:\(origin.port)")] {
            let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
            let name = name ?? "localhost:\(port)"
            let text = try await WireClient.exchange(
                "GET http://\(name)\(rest) HTTP/1.1\r\nHost: \(name)\r\nConnection: close\r\n\r\n", port: port)
            #expect(WireResponse(text)?.status == 200, "\(text)")
        }
        #expect(origin.received.joined().components(separatedBy: "GET \(path) HTTP/1.1\r\n").count == 3)
    }

    @Test("a forward proxy passes them as they are")
    func forward() async throws {
        let folder = try TemporaryDirectory()
        let origin = try await WireOrigin.start(
            answer: "HTTP/1.1 302 Found\r\nLocation: http://shop.test/a\r\nContent-Length: 0\r\n\r\n")
        let proxy = try RunningProxy([
            "--store", folder.store, "--no-auth", "--resolve", "shop.test:80:127.0.0.1:\(origin.port)",
        ])
        let answer = try await ToolProcess.curl(["-i", "-x", proxy.address, "http://shop.test/"])
        #expect(answer.out.contains("Location: http://shop.test/a\r\n"), "\(answer)")
    }
}
