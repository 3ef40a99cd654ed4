import NIOCore
import NIOPosix

/// A client that knows no HTTP: sends texts and reads what comes back, octet by octet.
final class WireClient: Sendable {
    private let channel: any Channel
    private let reader: NIOLoopBound<Reader>

    /// Sends one text on a connection of its own and reads until the other side closes.
    static func exchange(_ text: String, port: Int) async throws -> String {
        let client = try await open(port: port)
        client.send(text)
        return try await client.readToEnd()
    }

    static func open(port: Int) async throws -> WireClient {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let reader = NIOLoopBoundBox.makeBoxSendingValue(Reader(), eventLoop: loop)
        let channel = try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(reader.value)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
        let bound = try await loop.submit { NIOLoopBound(reader.value, eventLoop: loop) }.get()
        return WireClient(channel, bound)
    }

    private init(_ channel: any Channel, _ reader: NIOLoopBound<Reader>) {
        self.channel = channel
        self.reader = reader
    }

    deinit { channel.close(promise: nil) }

    func send(_ text: String) {
        channel.writeAndFlush(ByteBuffer(bytes: Octets.bytes(text)), promise: nil)
    }

    /// All that has come, as soon as it ends with a text, or the other side has closed.
    func read(until end: String) async throws -> String {
        let reader = reader
        return Octets.text(try await channel.eventLoop.flatSubmit { reader.value.wait(Octets.bytes(end)) }.get())
    }

    func readToEnd() async throws -> String {
        try await read(until: "")
    }

    func close() async throws {
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

/// A response as it lay on the wire, taken apart without the code under test.
struct WireResponse: Sendable {
    var statusLine: String
    var fields: [(name: String, value: String)]
    /// Everything behind the head, up to the end of the connection.
    var rest: String

    var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }

    init?(_ text: String) {
        // Scalars, because CR and LF are one character.
        guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
        let lines = text[..<end.lowerBound].split(separator: "\r\n", omittingEmptySubsequences: false)
        statusLine = String(lines[0])
        fields = lines.dropFirst().map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(parts[0]).lowercased(), String(parts.last ?? "").trimmingSpaces)
        }
        rest = String(text[end.upperBound...])
    }

    /// The value of the only line with this name.
    subscript(_ name: String) -> String? {
        let values = fields.filter { $0.name == name }
        return values.count == 1 ? values[0].value : nil
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
