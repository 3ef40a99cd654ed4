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
        Row("http://other.test/a"), Row("http://user@shop.test/a"), Row("/a"), Row("next"), Row("mailto:a@shop.test"),
        Row("http://shop.test/a.de", "/a.de", of: "Content-Location"),
        // RFC 6265 §5.3: a domain that was not asked is refused.
        Row("a=1; Domain=shop.test; Path=/", "a=1; Path=/", of: "Set-Cookie"),
        Row("a=1; Secure; domain = .SHOP.test", "a=1; Secure", of: "Set-Cookie"),
        Row("a=1; Domain=test", "a=1", of: "Set-Cookie"), Row("a=1; Domain=other.test", of: "Set-Cookie"),
        Row("a=1; Domain=op.test", of: "Set-Cookie"), Row("Domain=shop.test; Path=/", of: "Set-Cookie"),
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
        // What is stored is what came.
        let shown = try await ToolProcess.run(
            ToolProcess.larder, ["store", "show", "http://shop.test/0", "--store", folder.store])
        #expect(shown.out.contains("Location: http://shop.test/next?q=1#f"), "\(shown)")
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
