import HTTPCacheSemantics
import NIOCore
import NIOPosix

/// The origin of every row: writes the bytes that the script says, and no others.
final class RowOrigin: Sendable {
    let port: Int
    private let channel: any Channel

    static func start(_ script: OriginScript) async throws -> RowOrigin {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 1_024)
            .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(script, channel))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RowOrigin(channel)
    }

    private init(_ channel: any Channel) {
        self.channel = channel
        port = channel.localAddress?.port ?? 0
    }

    func stop() async {
        try? await channel.close()
    }

    /// The scenario's name in a request target such as `/c/t12/other?a=1`.
    static func token(_ target: String) -> String {
        let path = target.prefix { $0 != "?" }
        let parts = path.split(separator: "/")
        return parts.count > 1 ? String(parts[1]) : ""
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let script: OriginScript
        private let channel: any Channel
        private var reader = MessageReader(isResponse: false)

        init(_ script: OriginScript, _ channel: any Channel) {
            self.script = script
            self.channel = channel
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard let request = reader.read(unwrapInboundIn(data).readableBytesView) else { return }
            let (script, channel) = (script, channel)
            script.whenReleased { Self.answer(request, script, channel) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private static func answer(_ request: Message, _ script: OriginScript, _ channel: any Channel) {
            let token = RowOrigin.token(request.target)
            guard var reply = script.reply(token, request) else {
                let text = "HTTP/1.1 599 Not Expected\r\nCache-Control: no-store\r\nContent-Length: 0\r\n\r\n"
                channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
                return
            }
            reply.answer = reply.answer.answering(request)
            let bytes = AnswerBytes(reply, method: request.method, now: script.now)
            if !bytes.first.isEmpty { channel.writeAndFlush(ByteBuffer(bytes: bytes.first), promise: nil) }
            guard let pauseAfter = reply.answer.pauseAfter else {
                finish(bytes, channel)
                return
            }
            script.pause(token, until: pauseAfter) { finish(bytes, channel) }
        }

        private static func finish(_ bytes: AnswerBytes, _ channel: any Channel) {
            // In one go: a request that came in between would be counted, not answered, and sent again on another
            // connection.
            channel.eventLoop.execute {
                let written = channel.writeAndFlush(ByteBuffer(bytes: bytes.rest))
                if bytes.closes { written.whenComplete { _ in channel.close(promise: nil) } }
            }
        }
    }
}
