#if Proxy
import NIOCore
import NIOHTTP1

/// The origin's side of a protocol upgrade: sends the request, and either joins both connections on 101 or hands the
/// origin's refusal to the client and closes.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: HTTPRequestHead
    private let client: any Channel
    private let encoder = HTTPRequestEncoder()
    private let decoder = ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes))
    private var leaveHTTP: (@Sendable () -> EventLoopFuture<Void>)?
    private var origin: (any Channel)?

    init(_ request: HTTPRequestHead, client: any Channel) {
        self.request = request
        self.client = client
    }

    func install(on origin: any Channel) throws {
        let operations = origin.pipeline.syncOperations
        try operations.addHandlers([encoder, decoder])
        try operations.addHandler(self)
    }

    func start(
        on origin: any Channel, leaveHTTP: @escaping @Sendable () -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        self.leaveHTTP = leaveHTTP
        self.origin = origin
        origin.write(HTTPClientRequestPart.head(request), promise: nil)
        return origin.writeAndFlush(HTTPClientRequestPart.end(nil))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head) where head.status == .switchingProtocols: join(head)
        case .head(var head):
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            client.write(HTTPServerResponsePart.head(head), promise: nil)
        case .body(let buffer):
            client.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer)), promise: nil)
        case .end(let trailers):
            guard leaveHTTP != nil else { return }
            let client = client
            client.writeAndFlush(HTTPServerResponsePart.end(trailers)).whenComplete { _ in client.close(promise: nil) }
            context.close(promise: nil)
        }
    }

    private func join(_ head: HTTPResponseHead) {
        guard let leaveHTTP, let origin else { return }
        self.leaveHTTP = nil
        let (near, far) = RawRelay.makePair()
        let bound = NIOLoopBound(
            (near: near, far: far, encoder: encoder, decoder: decoder, handler: self), eventLoop: origin.eventLoop)
        let client = client
        let greeting = Self.bytes(of: head)
        origin.setOption(ChannelOptions.autoRead, value: false).flatMap { leaveHTTP() }.flatMapThrowing {
            let parts = bound.value
            client.writeAndFlush(greeting, promise: nil)
            try client.pipeline.syncOperations.addHandler(parts.near)
            // Behind the decoder, so that the bytes it has already taken in come out here.
            try origin.pipeline.syncOperations.addHandler(parts.far)
        }.flatMap {
            let parts = bound.value
            let operations = origin.pipeline.syncOperations
            return operations.removeHandler(parts.encoder).and(operations.removeHandler(parts.handler))
                .and(operations.removeHandler(parts.decoder)).map { _ in }
        }.flatMap { EarlyBytes.release(on: client) }.flatMap {
            client.setOption(ChannelOptions.autoRead, value: true)
                .and(origin.setOption(ChannelOptions.autoRead, value: true)).map { _ in
                    client.read()
                    origin.read()
                }
        }.whenFailure { _ in
            client.close(promise: nil)
            origin.close(promise: nil)
        }
    }

    private static func bytes(of head: HTTPResponseHead) -> ByteBuffer {
        var text = "HTTP/1.1 \(head.status.code) \(head.status.reasonPhrase)\r\n"
        for (name, value) in head.headers { text += "\(name): \(value)\r\n" }
        return ByteBuffer(string: text + "\r\n")
    }

    func channelInactive(context: ChannelHandlerContext) {
        if leaveHTTP != nil { client.close(promise: nil) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        client.close(promise: nil)
        context.close(promise: nil)
    }
}
#endif
