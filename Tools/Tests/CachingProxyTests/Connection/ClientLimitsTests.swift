import CacheTesting
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOSSL
import Testing
import WireSupport

@testable import CachingProxy
@testable import OriginDialing

/// How long a client may hold a connection for nothing: by a clock that the test moves, and from a socket.
@Suite("Limits of a client's connection", .serialized, .timeLimit(.minutes(60)))
struct ClientLimitsTests {
    private static let request = "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n"
    private let answer = ResponsePart.whole(HTTPResponse(status: .ok), .length(0), closes: false, ByteBuffer())

    private func channel() throws -> EmbeddedChannel {
        var limits = ProxyConfiguration.Limits()
        (limits.head, limits.idle) = (.seconds(10), .seconds(100))
        let channel = EmbeddedChannel(handler: HTTPServerCodec(limits: limits))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/x")).wait()
        return channel
    }

    private func written(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    @Test("a head is answered 408 when its end has not come in time, however its octets trickle")
    func head() throws {
        let channel = try channel()
        for octets in ["G", "ET / HT", "TP/1.1\r\n", "Host: a\r\n"] {
            try channel.writeInbound(ByteBuffer(string: octets))
            channel.embeddedEventLoop.advanceTime(by: .seconds(2))
            #expect(try written(channel).isEmpty)
        }
        channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        let text = try written(channel)
        #expect(text.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(text.contains("Connection: close\r\n"))
    }

    @Test("the time of a head ends with it, and does not run while its answer is awaited")
    func wholeHead() throws {
        let channel = try channel()
        for _ in 1...3 {
            try channel.writeInbound(ByteBuffer(string: String(Self.request.prefix(9))))
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            // The next one begins in the same packet.
            try channel.writeInbound(ByteBuffer(string: Self.request.dropFirst(9) + "GET "))
            channel.embeddedEventLoop.advanceTime(by: .seconds(50))
            channel.writeAndFlush(answer, promise: nil)
            try channel.writeInbound(ByteBuffer(string: String(Self.request.dropFirst(4))))
            channel.writeAndFlush(answer, promise: nil)
        }
        #expect(try !written(channel).contains("408"))
        #expect(channel.isActive)
    }

    @Test("a connection without a request is closed, without a word; one that is answered slowly is not")
    func idle() throws {
        let channel = try channel()
        try channel.writeInbound(ByteBuffer(string: Self.request))
        channel.embeddedEventLoop.advanceTime(by: .seconds(1_000))
        channel.writeAndFlush(answer, promise: nil)
        #expect(try written(channel).hasPrefix("HTTP/1.1 200"))
        #expect(channel.isActive)
        channel.embeddedEventLoop.advanceTime(by: .seconds(205))
        #expect(!channel.isActive)
        #expect(try written(channel).isEmpty)
    }

    private func bench(_ change: (inout ProxyConfiguration.Limits) -> Void) async throws -> TunnelBench {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .none))
        change(&configuration.limits)
        return try await TunnelBench(configuration)
    }

    @Test("from a socket: half a head, and no head at all")
    func socket() async throws {
        let head = try await bench { $0.head = .milliseconds(50) }
        #expect(try await WireClient.exchange("GET http://a.test/ HT", port: head.port).hasPrefix("HTTP/1.1 408"))
        let idle = try await bench { $0.idle = .milliseconds(50) }
        #expect(try await WireClient.exchange("", port: idle.port).isEmpty)
    }

    /// A record of TLS that begins a handshake (RFC 8446 §5.1), and its first octets.
    @Test(
        "a TLS handshake that does not go on, behind a CONNECT that is intercepted",
        arguments: [
            "\u{16}", "\u{16}\u{3}\u{1}", "\u{16}\u{3}\u{1}\u{2}\u{0}",
            "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}",
        ])
    func handshake(octets: String) async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .allExcept([])))
        (configuration.limits.head, configuration.limits.idle) = (.milliseconds(50), .hours(1))
        let bench = try await TunnelBench(configuration, authority: try CertificateAuthority(inMemoryWith: .system))
        let client = try await WireClient.open(port: bench.port)
        client.send("CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n")
        _ = try await client.read(until: TunnelBench.established)
        client.send(octets)
        #expect(try await client.readToEnd() == TunnelBench.established)
    }

    /// On a busy machine a short limit may end before the CONNECT is read; the next one is longer.
    @Test("no octet of a TLS handshake, behind a CONNECT that is intercepted")
    func silentTunnel() async throws {
        var configuration = ProxyConfiguration(mode: .forward(intercept: .allExcept([])))
        let authority = try CertificateAuthority(inMemoryWith: .system)
        let request = "CONNECT shop.test:443 HTTP/1.1\r\nHost: shop.test:443\r\n\r\n"
        var answer = ""
        for limit in [50, 500, 5_000, 50_000] as [Int64] where answer.isEmpty {
            configuration.limits.idle = .milliseconds(limit)
            let bench = try await TunnelBench(configuration, authority: authority)
            answer = try await WireClient.exchange(request, port: bench.port)
        }
        #expect(answer == TunnelBench.established)
    }

    /// The head's limit ends with the handshake; only the one between two requests is left.
    @Test("a TLS handshake that is done in time leaves no limit behind")
    func handshakeInTime() async throws {
        let folder = try TemporaryDirectory()
        let authority = try CertificateAuthority(directory: folder.path + "/own")
        try Data(authority.certificatePEM.utf8).write(to: URL(fileURLWithPath: folder.path + "/own.pem"))
        let trust = try OriginTrust(additionalAuthorities: folder.path + "/own.pem")
        let loop = EmbeddedEventLoop()
        let client = EmbeddedChannel(
            handler: try NIOSSLClientHandler(context: trust.context, serverHostname: "shop.test"), loop: loop)
        let server = EmbeddedChannel(loop: loop)
        var limits = ProxyConfiguration.Limits()
        (limits.head, limits.idle) = (.seconds(10), .hours(1))
        let operations = server.pipeline.syncOperations
        try operations.addHandler(NIOSSLServerHandler(context: try authority.leaf(for: "shop.test").context))
        try operations.addHandler(ProtocolChoice(limits) { _, _ in })
        let address = try SocketAddress(ipAddress: "127.0.0.1", port: 1)
        server.connect(to: address, promise: nil)
        client.connect(to: address, promise: nil)
        var isNews = true
        while isNews {
            isNews = false
            while let bytes = try client.readOutbound(as: ByteBuffer.self) {
                try server.writeInbound(bytes)
                isNews = true
            }
            while let bytes = try server.readOutbound(as: ByteBuffer.self) {
                try client.writeInbound(bytes)
                isNews = true
            }
        }
        loop.advanceTime(by: .minutes(30))
        #expect(server.isActive)
        client.close(promise: nil)
        server.close(promise: nil)
    }

    @Test(
        "an origin that is silent when it is asked for WebSocket, or goes on without end",
        arguments: ["", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\nConn"])
    func upgrade(text: String) async throws {
        let bench = try await bench { $0.answer = .milliseconds(50) }
        let origin = try await WireOrigin.start(answer: text)
        let answer = try await WireClient.exchange(TunnelBench.upgrade(to: origin.port), port: bench.port)
        #expect(answer.contains("HTTP/1.1 504 Gateway Timeout\r\n") && answer.contains("did not answer in time"))
        try await origin.closed(0)
    }

    @Test("an origin that stops in the middle of what it says in place of WebSocket")
    func refusedUpgrade() async throws {
        // On a busy machine the head may come later than the shortest.
        for limit in [50, 1_000, 60_000] as [Int64] {
            let bench = try await bench { $0.answer = .milliseconds(limit) }
            let origin = try await WireOrigin.start(answer: "HTTP/1.1 403 Forbidden\r\nContent-Length: 9\r\n\r\nno")
            let answer = try await WireClient.exchange(TunnelBench.upgrade(to: origin.port), port: bench.port)
            try await origin.closed(0)
            if answer.hasPrefix("HTTP/1.1 504 "), limit < 60_000 { continue }
            #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.hasSuffix("\r\n\r\nno"))
            return
        }
    }

    /// On a busy machine a short limit may end before both sides are open; the next one is longer.
    @Test("a tunnel and a WebSocket have none while both sides are open", arguments: [true, false])
    func open(isTunnel: Bool) async throws {
        let origin = try await WireOrigin.start { request, _ in
            .init(text: request.hasPrefix("GET /live ") ? TunnelBench.switching : "there")
        }
        let request = isTunnel ? TunnelBench.connect(to: origin.port) : TunnelBench.upgrade(to: origin.port)
        for limit in [50, 500, 5_000, 50_000] as [Int64] {
            let bench = try await bench {
                ($0.head, $0.idle, $0.answer, $0.halfClosed) = (
                    .milliseconds(limit), .milliseconds(limit), .milliseconds(limit), .milliseconds(limit)
                )
            }
            let client = try await WireClient.open(port: bench.port)
            client.send(request)
            let begun = try await client.read(until: "\r\n\r\n")
            guard begun.hasPrefix(isTunnel ? "HTTP/1.1 200 " : "HTTP/1.1 101 ") else { continue }
            // Two after the other: each of them is closed later than the tunnel would be.
            for _ in 1...2 { #expect(try await WireClient.exchange("", port: bench.port).isEmpty) }
            client.send("GET / HTTP/1.1\r\n\r\n")
            #expect(try await client.read(until: "there").hasSuffix("there"))
            return
        }
        Issue.record("no limit was long enough to open one")
    }

    @Test("an origin that takes a connection and no TLS handshake")
    func silentTLS() async throws {
        let bench = try await TunnelBench(connectTimeout: .milliseconds(50))
        let listener = try BlockingListener()
        let request = "GET https://127.0.0.1:\(listener.port)/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        let answer = try await WireClient.exchange(request, port: bench.port)
        #expect(answer.hasPrefix("HTTP/1.1 504 Gateway Timeout\r\n"))
    }

    @Test("who ends their side and waits for nothing that comes is given up, with the origin's connection")
    func halfClosed() async throws {
        let bench = try await bench { ($0.halfClosed, $0.left) = (.milliseconds(50), .milliseconds(50)) }
        let listener = try BlockingListener()
        let get = "GET http://127.0.0.1:\(listener.port)/ HTTP/1.1\r\nHost: a\r\n\r\n"
        for isTunnel in [true, false] {
            let isRefused = try await onThread { () -> Bool? in
                let client = try BlockingSocket.connect(port: bench.port)
                client.send(isTunnel ? TunnelBench.connect(to: listener.port) : get)
                guard let origin = listener.accept() else { return nil }
                // Only then is it the origin's connection that this client holds: a dial can be given up, and a new
                // connection without a request is kept for others.
                let begun =
                    isTunnel ? client.receive(until: TunnelBench.established) : origin.receive(until: "\r\n\r\n")
                #expect(begun.hasSuffix("\r\n\r\n"))
                client.endOutput()
                #expect(client.receiveToEnd() != nil)
                return origin.receiveToEnd() != nil && origin.isRefused()
            }
            #expect(isRefused == true)
        }
    }
}
