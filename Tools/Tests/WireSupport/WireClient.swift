import NIOCore
import NIOPosix

/// A client that knows no HTTP: sends texts and reads what comes back, octet by octet.
package final class WireClient: Sendable {
    private let channel: any Channel
    private let reader: NIOLoopBound<Reader>

    /// Sends one text on a connection of its own and reads until the other side closes.
    package static func exchange(_ text: String, host: String = "127.0.0.1", port: Int) async throws -> String {
        let client = try await open(host: host, port: port)
        client.send(text)
        return try await client.readToEnd()
    }

    package static func open(host: String = "127.0.0.1", port: Int) async throws -> WireClient {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let reader = NIOLoopBoundBox.makeBoxSendingValue(Reader(), eventLoop: loop)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(reader.value)
                }
            }
            .connect(host: host, port: port).get()
        let bound = try await loop.submit { NIOLoopBound(reader.value, eventLoop: loop) }.get()
        return WireClient(channel, bound)
    }

    private init(_ channel: any Channel, _ reader: NIOLoopBound<Reader>) {
        self.channel = channel
        self.reader = reader
    }

    deinit { channel.close(promise: nil) }

    package func send(_ text: String) {
        channel.writeAndFlush(ByteBuffer(bytes: Octets.bytes(text)), promise: nil)
    }

    /// All that has come, as soon as it ends with a text, or the other side has closed.
    package func read(until end: String) async throws -> String {
        let reader = reader
        return Octets.text(try await channel.eventLoop.flatSubmit { reader.value.wait(Octets.bytes(end)) }.get())
    }

    package func readToEnd() async throws -> String {
        try await read(until: "")
    }

    package func close() async throws {
        try await channel.close()
    }

    private final class Reader: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private var loop: (any EventLoop)?
        private var bytes: [UInt8] = []
        private var isClosed = false
        private var waiting: (end: [UInt8], promise: EventLoopPromise<[UInt8]>)?

        func handlerAdded(context: ChannelHandlerContext) {
            loop = context.eventLoop
        }

        func wait(_ end: [UInt8]) -> EventLoopFuture<[UInt8]> {
            guard let loop else {
                return MultiThreadedEventLoopGroup.singleton.next().makeFailedFuture(ChannelError.eof)
            }
            let promise = loop.makePromise(of: [UInt8].self)
            waiting = (end, promise)
            check()
            return promise.futureResult
        }

        private func check() {
            guard let waiting else { return }
            let isThere = !waiting.end.isEmpty && bytes.suffix(waiting.end.count).elementsEqual(waiting.end)
            guard isClosed || isThere else { return }
            self.waiting = nil
            waiting.promise.succeed(bytes)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes += unwrapInboundIn(data).readableBytesView
            check()
        }

        func channelInactive(context: ChannelHandlerContext) {
            isClosed = true
            check()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
