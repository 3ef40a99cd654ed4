import NIOCore
import NIOPosix

/// Sends bytes over TCP and collects all that comes back until the other side closes. Knows no HTTP but the parsing of
/// one answer, so that it cannot share a mistake with the server under test.
enum SocketClient {
    /// An answer, taken apart.
    struct Answer {
        var status: Int
        var fields: [String: String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// One request on a connection of its own.
    static func send(
        _ method: String = "GET", _ path: String, host: String = "shop.test", fields: [String: String] = [:],
        body: [UInt8] = [], port: Int
    ) async throws -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)", "Connection: close"]
        if !body.isEmpty { lines.append("Content-Length: \(body.count)") }
        lines += fields.map { "\($0.key): \($0.value)" }
        let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
        return try parse(try await exchange(bytes, port: port))
    }

    /// Whatever comes back for these bytes.
    ///
    /// - Parameter endsOutput: Whether the server is told that nothing more will come.
    static func exchange(_ bytes: [UInt8], port: Int, endsOutput: Bool = false) async throws -> [UInt8] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let received = loop.makePromise(of: [UInt8].self)
        ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Collector(received))
                }
            }
            .connect(host: "127.0.0.1", port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                    if endsOutput { channel.close(mode: .output, promise: nil) }
                case .failure(let error): received.fail(error)
                }
            }
        return try await received.futureResult.get()
    }

    /// Splits head and body at the empty line.
    static func parse(_ bytes: [UInt8]) throws -> Answer {
        let text = bytes.split(separator: 13, omittingEmptySubsequences: false)
        guard
            let status = text.first.map({ String(decoding: $0, as: UTF8.self) })?.split(separator: " ").dropFirst()
                .first,
            let code = Int(status), let end = bytes.firstRange(of: [13, 10, 13, 10])
        else { throw NotHTTP(bytes: bytes.count) }
        var fields: [String: String] = [:]
        for line in String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return Answer(status: code, fields: fields, body: Array(bytes[end.upperBound...]))
    }

    struct NotHTTP: Error {
        var bytes: Int
    }

    private final class Collector: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let received: EventLoopPromise<[UInt8]>
        private var bytes: [UInt8] = []

        init(_ received: EventLoopPromise<[UInt8]>) {
            self.received = received
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            bytes += unwrapInboundIn(data).readableBytesView
        }

        func channelInactive(context: ChannelHandlerContext) {
            received.succeed(bytes)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            context.close(promise: nil)
        }
    }
}
