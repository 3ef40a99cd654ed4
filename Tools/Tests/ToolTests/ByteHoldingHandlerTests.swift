import CacheTesting
import NIOCore
import NIOPosix
import Testing
import WireSupport

/// Clients that send on before the proxy has answered, and tunnels that carry no TLS.
@Suite("Bytes behind CONNECT and behind an upgrade request")
struct ByteHoldingHandlerTests {
    private static let request = "GET /early HTTP/1.1\r\nHost: shop.test\r\n\r\n"
    private static let answer = "HTTP/1.1 204 No Content\r\n\r\n"
    let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
    }

    private func proxy(_ origin: RawOrigin, _ arguments: [String] = []) throws -> RunningProxy {
        try RunningProxy(
            [
                "--store", folder.store, "--no-auth", "--resolve", "shop.test:80:127.0.0.1:\(origin.port)",
            ] + arguments)
    }

    @Test(
        "what comes in one packet with CONNECT reaches the origin, and the proxy lives on",
        arguments: [[], ["shop.test"]])
    func behindConnect(intercepted: [String]) async throws {
        let origin = try await RawOrigin.start(answer: Self.answer)
        let proxy = try proxy(origin, intercepted.flatMap { ["--intercept-tls", $0] })
        for _ in 1...2 {
            let back = try await PlainClient.exchange(
                "CONNECT shop.test:80 HTTP/1.1\r\nHost: shop.test:80\r\n\r\n" + Self.request, until: Self.answer,
                proxy: proxy)
            #expect(back == "HTTP/1.1 200 Connection Established\r\n\r\n" + Self.answer)
        }
        #expect(origin.received == Self.request + Self.request)
    }

    @Test("a tunnel to an intercepted host that carries no TLS passes, as ws: needs it", .timeLimit(.minutes(60)))
    func plainTunnel() async throws {
        let origin = try await ScriptedOrigin.start()
        let proxy = try RunningProxy([
            "--store", folder.store, "--no-auth", "--intercept-tls", "127.0.0.1",
        ])
        let output = try await ToolProcess.curl([
            "--proxytunnel", "-x", proxy.address, "http://127.0.0.1:\(origin.port)/fixed",
        ])
        #expect(output.status == 0)
        #expect(output.out.hasPrefix("fixed "))
        await origin.stop()
    }

    @Test("what comes in one packet with an upgrade request reaches the origin after 101")
    func behindUpgrade() async throws {
        let switching = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        let origin = try await RawOrigin.start(answer: switching)
        let proxy = try proxy(origin)
        let back = try await PlainClient.exchange(
            "GET http://shop.test/live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nearly",
            // The origin says the same again when the early bytes have come, and that is no response any more.
            until: "\r\n\r\n" + switching, proxy: proxy)
        #expect(back.hasSuffix(switching))
        #expect(origin.received.hasSuffix("\r\n\r\nearly"))
    }
}

/// A client that knows no HTTP: sends a text at once and reads until it has seen another, or the end.
private enum PlainClient {
    static func exchange(_ text: String, until end: String, proxy: RunningProxy) async throws -> String {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = loop.makePromise(of: String.self)
        let port = Int(proxy.address.split(separator: ":").last ?? "") ?? 0
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Reader(end, received))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel): channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                case .failure(let error): received.fail(error)
                }
            }
        return try await received.futureResult.get()
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let end: String
        private let received: EventLoopPromise<String>
        private var text = ""

        init(_ end: String, _ received: EventLoopPromise<String>) {
            self.end = end
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            if text.hasSuffix(end) { context.close(promise: nil) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.succeed(text)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
