import CachingProxy
import Locking
import NIOCore
import Testing
import WireSupport

/// libsoup 3, in WebKitGTK, keeps one password for a proxy: of two connections that are asked for it at once, one
/// fails.
@Suite("Questions for the proxy's password", .timeLimit(.minutes(10)))
struct PasswordQuestionTests {
    private static let request = "GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: 127.0.0.1:1\r\n"
    private static let right = "Proxy-Authorization: Basic YTpi\r\n\r\n"
    private static let wrong = "Proxy-Authorization: Basic dTpw\r\n\r\n"
    private static let question = "when it started.\n"
    private let asked = LockedBox(0)

    private func open(_ count: Int, of bench: TunnelBench) async throws -> [WireClient] {
        var clients: [WireClient] = []
        for _ in 0..<count { clients.append(try await WireClient.open(port: bench.port)) }
        return clients
    }

    private func bench(_ limit: TimeAmount) async throws -> TunnelBench {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        (configuration.limits.password, configuration.limits.linger) = (limit, .hours(1))
        configuration.credentials = ProxyCredentials(user: "a", password: "b")
        let asked = asked
        configuration.onRefusal = { refusal in if refusal.status == 407 { asked.withLock { $0 += 1 } } }
        return try await TunnelBench(configuration)
    }

    @Test("a second client is asked when the first has answered", arguments: [wrong, "\r\n"])
    func inTurn(_ login: String) async throws {
        let bench = try await bench(.hours(1))
        let clients = try await open(3, of: bench)
        clients[0].send(Self.request + login)
        #expect(try await clients[0].read(until: Self.question).hasPrefix("HTTP/1.1 407"))
        clients[1].send(Self.request + login)
        // Meanwhile others are answered.
        clients[2].send(Self.request + "Connection: close\r\n" + Self.right)
        #expect(try await clients[2].readToEnd().hasPrefix("HTTP/1.1 50"))
        #expect(asked.withLock { $0 } == 1)
        clients[0].send(Self.request + "Connection: close\r\n" + Self.right)
        #expect(try await clients[0].readToEnd().contains("HTTP/1.1 50"))
        #expect(try await clients[1].read(until: Self.question).hasPrefix("HTTP/1.1 407"))
        #expect(asked.withLock { $0 } == 2)
    }

    @Test("one that leaves, or says nothing more, keeps nobody from being asked", arguments: [true, false])
    func without(anAnswer leaves: Bool) async throws {
        let bench = try await bench(leaves ? .hours(1) : .milliseconds(50))
        let clients = try await open(leaves ? 2 : 3, of: bench)
        clients[0].send(Self.request + Self.wrong)
        #expect(try await clients[0].read(until: Self.question).hasPrefix("HTTP/1.1 407"))
        if leaves { try await clients[0].close() }
        for client in clients.dropFirst() { client.send(Self.request + "\r\n") }
        for client in clients.dropFirst() {
            #expect(try await client.read(until: Self.question).hasPrefix("HTTP/1.1 407"))
        }
    }

    @Test("one that ends its side keeps nobody from being asked, though its connection stays for a while")
    func endsItsSide() async throws {
        let bench = try await bench(.hours(1))
        try await onThread {
            let (one, other) = (
                try BlockingSocket.connect(port: bench.port), try BlockingSocket.connect(port: bench.port)
            )
            one.send(Self.request + Self.wrong)
            #expect(one.receive(until: Self.question).hasPrefix("HTTP/1.1 407"))
            one.endOutput()
            other.send(Self.request + "\r\n")
            #expect(other.receive(until: Self.question).hasPrefix("HTTP/1.1 407"))
        }
    }
}
