import NIOCore
import NIOPosix
import Testing

@testable import DemoSite

@Suite("The relay that makes the way to a server slow")
struct ShapedRelayTests {
    /// A shaping that goes through every path and costs a test nothing to speak of.
    private static let short = Shaping(
        roundTrip: .milliseconds(4), downBitsPerSecond: 400_000_000, upBitsPerSecond: 400_000_000)

    private func withRelay(
        _ shaping: Shaping, toPort port: Int, _ body: (ShapedRelay, Int) async throws -> Void
    ) async throws {
        let relay = ShapedRelay(shaping: shaping)
        let near = try await relay.listen(toHost: "127.0.0.1", port: port)
        do { try await body(relay, near) } catch {
            await relay.stop()
            throw error
        }
        await relay.stop()
    }

    /// Bytes that show a loss, a repetition and a change of order.
    private static func pattern(_ count: Int) -> [UInt8] {
        var state: UInt32 = 7
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return UInt8(truncatingIfNeeded: state >> 24)
        }
    }

    @Test("a mebibyte passes unchanged both ways, and half a close is half a close", arguments: [Shaping.none, short])
    func unchanged(shaping: Shaping) async throws {
        let echo = try await EchoAtEnd.start()
        let bytes = Self.pattern(1_048_576)
        try await withRelay(shaping, toPort: echo.port) { relay, port in
            // The server answers when it has seen the end of the input, so the end has to pass and the way back has to
            // stay open.
            let back = try await SocketClient.exchange(bytes, port: port, endsOutput: true)
            #expect(back == bytes)
            let traffic = relay.takeTraffic()
            #expect(traffic == .init(connections: 1, bytesDown: 1_048_576, bytesUp: 1_048_576))
            #expect(relay.takeTraffic() == .init())
        }
        try await echo.channel.close()
    }

    @Test("HTTP and what follows an upgrade to WebSocket pass")
    func webSocket() async throws {
        let origin = DemoOrigin(site: try DemoSite.build(version: 1), now: { 784_111_777 })
        let originPort = try await origin.start()
        try await withRelay(Self.short, toPort: originPort) { _, port in
            let page = try await SocketClient.send("GET", "/", port: port)
            #expect(page.status == 200)
            #expect(page.body == origin.site.file(host: "shop.test", path: "/")?.bytes)
            let upgrade = """
                GET /live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """
            // A masked text frame "larder", then a masked close (RFC 6455 §5.2), after which the origin closes.
            let text: [UInt8] = [0x81, 0x86, 0, 0, 0, 0] + Array("larder".utf8)
            let close: [UInt8] = [0x88, 0x80, 0, 0, 0, 0]
            let back = try await SocketClient.exchange(Array(upgrade.utf8) + text + close, port: port)
            let end = try #require(back.firstRange(of: Array("\r\n\r\n".utf8)))
            #expect(String(decoding: back[..<end.lowerBound], as: UTF8.self).hasPrefix("HTTP/1.1 101 "))
            #expect(Array(back[end.upperBound...]) == [0x81, 6] + Array("larder".utf8) + [0x88, 0])
        }
        await origin.stop()
    }

    @Test("on a lossy line every third connection breaks off")
    func lossy() async throws {
        let echo = try await EchoAtEnd.start()
        let bytes = Self.pattern(10_000)
        try await withRelay(.none, toPort: echo.port) { relay, port in
            relay.setFault(.lossy)
            for size in [10_000, 10_000, 4_096, 10_000] {
                let back = try await SocketClient.exchange(bytes, port: port, endsOutput: true)
                #expect(back == Array(bytes[..<size]))
            }
        }
        try await echo.channel.close()
    }

    @Test("a client whose server is not there is closed")
    func unreachable() async throws {
        // No test is ever given this port.
        try await withRelay(Self.short, toPort: 1) { _, port in
            let back = try await SocketClient.exchange([1, 2, 3], port: port)
            #expect(back == [])
        }
    }

    @Test("stopping closes what is open, on both sides")
    func stop() async throws {
        let echo = try await EchoAtEnd.start()
        let relay = ShapedRelay(shaping: Self.short)
        let port = try await relay.listen(toHost: "127.0.0.1", port: echo.port)
        async let answer = SocketClient.exchange(Self.pattern(1_000), port: port)
        try await echo.firstBytes.get()
        await relay.stop()
        let back = try await answer
        #expect(back == [])
        try await echo.lastClose.get()
        try await echo.channel.close()
    }
}

/// A server that sends everything back once its input has ended.
private struct EchoAtEnd {
    var channel: any Channel
    var port: Int
    var firstBytes: EventLoopFuture<Void>
    var lastClose: EventLoopFuture<Void>

    static func start() async throws -> EchoAtEnd {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let (bytes, close) = (loop.makePromise(of: Void.self), loop.makePromise(of: Void.self))
        let channel = try await ServerBootstrap(group: loop)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.closeFuture.whenComplete { _ in close.succeed(()) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(bytes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        channel.closeFuture.whenComplete { _ in
            bytes.succeed(())
            close.succeed(())
        }
        return EchoAtEnd(
            channel: channel, port: channel.localAddress?.port ?? 0, firstBytes: bytes.futureResult,
            lastClose: close.futureResult)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let firstBytes: EventLoopPromise<Void>
        private var collected = ByteBuffer()

        init(_ firstBytes: EventLoopPromise<Void>) {
            self.firstBytes = firstBytes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = unwrapInboundIn(data)
            collected.writeBuffer(&bytes)
            firstBytes.succeed(())
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            guard case .some(.inputClosed) = event as? ChannelEvent else { return }
            context.writeAndFlush(wrapOutboundOut(collected), promise: nil)
            context.close(mode: .output, promise: nil)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
