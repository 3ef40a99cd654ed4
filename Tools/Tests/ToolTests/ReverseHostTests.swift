import CacheTesting
import Foundation
import Testing
import WireSupport

/// DNS rebinding: a page whose name leads to this machine would read what a reverse proxy serves, as its own.
@Suite("larder proxy --reverse, and the names that it answers to", .timeLimit(.minutes(60)))
struct ReverseHostTests {
    private static let ok = "HTTP/1.1 200 OK\r\nCache-Control: max-age=600\r\nContent-Length: 2\r\n\r\nok"
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func proxy(_ origin: WireOrigin, _ more: [String] = []) throws -> (RunningProxy, port: Int) {
        let proxy = try RunningProxy(
            ["--store", folder.store, "--reverse", "http://127.0.0.1:\(origin.port)"] + more)
        return (proxy, Int(proxy.address.split(separator: ":").last ?? "") ?? 0)
    }

    private func status(_ host: String?, _ port: Int, target: String = "/", fields: String = "") async throws -> Int? {
        let line = host.map { "Host: \($0)\r\n" } ?? ""
        let version = host == nil ? "1.0" : "1.1"
        return WireResponse(
            try await WireClient.exchange(
                "GET \(target) HTTP/\(version)\r\n\(line)Connection: close\r\n\(fields)\r\n", port: port))?.status
    }

    @Test("names of loopback with its port, and HTTP/1.0 without a name, are answered; all else is misdirected")
    func names() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let (running, port) = try proxy(origin)
        for host in ["localhost", "LOCALHOST", "127.0.0.1", "[::1]"] {
            #expect(try await status("\(host):\(port)", port) == 200, "\(host)")
            #expect(try await status(host, port) == 421, "\(host) without its port")
            #expect(try await status("\(host):\(origin.port)", port) == 421, "\(host) with another port")
        }
        #expect(try await status(nil, port) == 200)
        let others = ["evil.test", "localhost.evil.test", "127.0.0.1.evil.test", "10.0.0.1", "[::2]", "0.0.0.0", ""]
        for host in others + ["localhost.", "xlocalhost", "127.8.9.10", "[::ffff:7f00:1]"] {
            #expect(try await status("\(host):\(port)", port) == 421, "\(host)")
        }
        // RFC 9112 §3.2.2: the target's name is the one that counts.
        #expect(try await status("localhost:\(port)", port, target: "http://evil.test:\(port)/") == 421)
        #expect(try await status("evil.test", port, target: "http://localhost:\(port)/") == 200)
        #expect(!origin.received.joined().contains("evil"))
        _ = running
    }

    @Test("names that are listed are answered, with any port, those below a wildcard too")
    func listed() async throws {
        let origin = try await WireOrigin.start(answer: Self.ok)
        let (running, port) = try proxy(origin, ["--reverse-host", "shop.test", "--reverse-host", "*.cdn.test"])
        for host in ["shop.test", "SHOP.test:\(port)", "shop.test:80", "a.cdn.test", "localhost:\(port)"] {
            #expect(try await status(host, port) == 200, "\(host)")
        }
        for host in ["cdn.test", "www.shop.test", "*.cdn.test"] {
            #expect(try await status(host, port) == 421, "\(host)")
        }
        _ = running
    }

    @Test("it is a shared cache, unless it is said to be private", arguments: [nil, "private", "shared"])
    func kind(_ kind: String?) async throws {
        let origin = try await WireOrigin.start(
            answer: "HTTP/1.1 200 OK\r\nCache-Control: private, max-age=600\r\nContent-Length: 2\r\n\r\nok")
        let (running, port) = try proxy(origin, kind.map { ["--cache-kind", $0] } ?? [])
        for _ in 1...2 { #expect(try await status("localhost:\(port)", port) == 200) }
        let requests = origin.received.joined().ranges(of: "GET / HTTP/1.1").count
        #expect(requests == (kind == "private" ? 1 : 2))
        _ = running
    }

    @Test("a name to answer to without a reverse proxy is wrong use")
    func wrongUse() async throws {
        let result = try await ToolProcess.run(
            ToolProcess.larder, ["proxy", "--store", folder.store, "--reverse-host", "shop.test"])
        #expect(result.status == 2)
        #expect(result.err.contains("--reverse"))
    }
}
