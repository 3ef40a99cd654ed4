import Locking
import NIOCore
import NIOPosix

/// An origin that remembers the bytes it got and answers each read with a fixed text.
final class RawOrigin: Sendable {
    let port: Int
    private let channel: any Channel
    private let bytes: LockedBox<String>

    var received: String { bytes.withLock { $0 } }

    static func start(answer: String) async throws -> RawOrigin {
        let bytes = LockedBox("")
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(answer, bytes))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return RawOrigin(channel, bytes)
    }

    private init(_ channel: any Channel, _ bytes: LockedBox<String>) {
        self.channel = channel
        self.bytes = bytes
        port = channel.localAddress?.port ?? 0
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let answer: String
        private let bytes: LockedBox<String>

        init(_ answer: String, _ bytes: LockedBox<String>) {
            self.answer = answer
            self.bytes = bytes
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let text = String(buffer: unwrapInboundIn(data))
            bytes.withLock { $0 += text }
            context.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
        }
    }
}
