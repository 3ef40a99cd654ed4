import Locking
import NIOCore
import NIOPosix

/// One client with one connection at a time, which it keeps as long as the proxy does.
final class RawClient: Sendable {
    private let port: Int
    private let connection = LockedBox<(any Channel)?>(nil)

    init(port: Int) {
        self.port = port
    }

    /// Opens a connection, unless one is open.
    func connect() async throws {
        if let open = connection.withLock({ $0 }), open.isActive { return }
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(ChannelOptions.socketOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Handler(channel.eventLoop))
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        connection.withLock { $0 = channel }
    }

    /// What a request that is out will be answered with; `nil` when the connection ends before a head.
    typealias Pending = EventLoopFuture<Message?>

    /// Sends a request and returns when it is out.
    ///
    /// - Parameter onBody: Called with the number of bytes of the answer's body that are here.
    func send(
        _ request: String, method: String, onBody: @escaping @Sendable (Int) -> Void
    ) async throws -> Pending {
        try await connect()
        guard let channel = connection.withLock({ $0 }) else { throw ChannelError.ioOnClosedChannel }
        let pending = try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.handler(type: Handler.self).expect(method, onBody)
        }.get()
        // A proxy that closes now is seen by the reader.
        try? await channel.writeAndFlush(ByteBuffer(string: request)).get()
        return pending
    }

    func close() async {
        try? await connection.withLock { $0 }?.close()
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let loop: any EventLoop
        private var reader = MessageReader(isResponse: true)
        private var waiting: EventLoopPromise<Message?>?
        private var onBody: (@Sendable (Int) -> Void)?
        private var isOpen = true

        init(_ loop: any EventLoop) {
            self.loop = loop
        }

        func expect(_ method: String, _ onBody: @escaping @Sendable (Int) -> Void) -> Pending {
            let promise = loop.makePromise(of: Message?.self)
            guard isOpen else {
                promise.succeed(nil)
                return promise.futureResult
            }
            reader.method = method
            self.onBody = onBody
            waiting = promise
            return promise.futureResult
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let message = reader.read(unwrapInboundIn(data).readableBytesView)
            onBody?(message?.body.count ?? reader.bodyCount)
            guard let message else { return }
            // RFC 9112 §9.6: "A client that receives a "close" connection option MUST cease sending requests".
            // Nor is a connection of use where bytes follow that answer nothing.
            if message.value("Connection")?.lowercased() == "close" || !reader.waiting.isEmpty {
                let promise = takeWaiting()
                context.close(promise: nil)
                promise?.succeed(message)
            } else {
                takeWaiting()?.succeed(message)
            }
        }

        func channelInactive(context: ChannelHandlerContext) {
            isOpen = false
            takeWaiting()?.succeed(reader.end())
            context.fireChannelInactive()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }

        private func takeWaiting() -> EventLoopPromise<Message?>? {
            defer { (waiting, onBody) = (nil, nil) }
            return waiting
        }
    }
}
