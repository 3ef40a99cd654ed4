import CachingProxy
import OriginDialing
import Testing
import WireSupport

/// The names under which a proxy is asked.
@Suite("RFC 9112 §3.2: hosts of request targets", .serialized, .timeLimit(.minutes(5)))
struct TargetNameTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var says: String
        /// `PORT` stands for the port that the proxy listens on.
        var target = "/"
        var host = "localhost:PORT"
        var status: Int
        var testDescription: String { "\(says): \(target), \(host)" }
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func reverse(host: String = "127.0.0.1") async throws -> WireBench {
        let origin = OriginDialer.Endpoint(host: "shop.test", port: 80, isSecure: false)
        return try await WireBench(
            try await WireOrigin.start(answer: Self.ok),
            configuration: ProxyConfiguration(mode: .reverse(origin: origin), host: host))
    }

    private func status(
        _ bench: WireBench, _ target: String, _ host: String, at address: String = "127.0.0.1"
    ) async throws -> Int? {
        let text = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        let request = text.replacing("PORT", with: "\(bench.port)")
        return WireResponse(try await WireClient.exchange(request, host: address, port: bench.port))?.status
    }

    static let reverseRows = [
        Row(says: "a name of loopback", status: 200),
        Row(says: "RFC 9110 §4.2.3: in any case", host: "LocalHost:PORT", status: 200),
        Row(says: "an address of loopback", host: "127.0.0.1:PORT", status: 200),
        Row(says: "an address of loopback", host: "[::1]:PORT", status: 200),
        Row(says: "another address of loopback", host: "127.0.0.2:PORT", status: 421),
        Row(says: "an address that is written in another way", host: "127.1:PORT", status: 421),
        Row(says: "an address that is written in another way", host: "[0:0:0:0:0:0:0:1]:PORT", status: 421),
        Row(says: "an address that is written in another way", host: "[::ffff:127.0.0.1]:PORT", status: 421),
        Row(says: "a port that is written in another way", host: "localhost:0PORT", status: 421),
        Row(says: "a port that is written in another way", host: "127.0.0.1:000PORT", status: 421),
        Row(says: "no port", host: "localhost", status: 421),
        Row(says: "an empty port", host: "localhost:", status: 421),
        Row(says: "§3.2.2: absolute-form", target: "http://localhost:PORT/", host: "evil.test", status: 200),
        Row(says: "§3.2.2: absolute-form", target: "http://evil.test:PORT/", status: 421),
        Row(says: "a port that is written in another way", target: "http://localhost:0PORT/", status: 421),
        Row(says: "RFC 9110 §7.4: another scheme", target: "https://localhost:PORT/", status: 421),
        Row(says: "RFC 9110 §7.4: another scheme", target: "ws://localhost:PORT/", status: 421),
        Row(says: "RFC 9110 §7.4: another scheme", target: "ftp://localhost:PORT/", status: 421),
        Row(says: "RFC 9110 §4.2.4: userinfo", target: "http://a@localhost:PORT/", status: 400),
        Row(says: "RFC 9110 §4.2.4: userinfo", target: "http://a:b@localhost:PORT/", status: 400),
        Row(says: "RFC 9110 §4.2.4: userinfo", target: "http://@localhost:PORT/", status: 400),
        Row(says: "no userinfo", target: "http://localhost:PORT/a@b?c@d", status: 200),
    ]

    @Test("a reverse proxy answers to the names of loopback as browsers write them", arguments: reverseRows)
    func reverse(_ row: Row) async throws {
        let bench = try await reverse()
        #expect(try await status(bench, row.target, row.host) == row.status)
        #expect(bench.origin.received.isEmpty == (row.status != 200))
    }

    @Test("a reverse proxy answers to the address of loopback that it listens on")
    func listening() async throws {
        let bench = try await reverse(host: "127.0.0.2")
        for (host, expected) in [("127.0.0.2", 200), ("127.0.0.3", 421), ("localhost", 200)] {
            #expect(try await status(bench, "/", "\(host):PORT", at: "127.0.0.2") == expected, "\(host)")
        }
    }

    @Test(
        "RFC 9110 §4.2.4: userinfo in a target is an error to a forward proxy, too",
        arguments: [
            ("http://a@shop.test/", 400), ("http://a:b@shop.test/", 400), ("http://evil.test@shop.test/", 400),
            ("http://@shop.test", 400), ("http://shop.test/@", 200), ("http://shop.test?@", 200),
        ])
    func userinfo(target: String, expected: Int) async throws {
        let bench = try await WireBench(try await WireOrigin.start(answer: Self.ok))
        #expect(try await status(bench, target, "shop.test") == expected)
        #expect(bench.origin.received.isEmpty == (expected != 200))
    }
}
