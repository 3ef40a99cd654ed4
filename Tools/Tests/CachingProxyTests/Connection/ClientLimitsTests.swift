import HTTPTypes
import NIOCore
import NIOEmbedded
import Testing
import WireSupport

@testable import CachingProxy

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

    @Test("who ends their side and waits for nothing that comes is given up, with the origin's connection")
    func halfClosed() async throws {
        let bench = try await bench { $0.halfClosed = .milliseconds(50) }
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
