#if Proxy
import NIOCore
import OriginDialing

/// The HTTP handlers on a client's connection, added and removed together.
struct ClientSide {
    private let messages: HTTPServerCodec
    private let connection: ProxyRequestHandler

    /// Adds the codec, then the handler of the connection.
    static func install(on channel: any Channel, _ handler: ProxyRequestHandler) throws {
        let messages = HTTPServerCodec(handler, limits: handler.proxy.configuration.limits)
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(messages)
        try operations.addHandler(handler)
        handler.http = ClientSide(messages: messages, connection: handler)
    }

    /// Removes them both. Bytes that were received but not read wait in ``ByteHoldingHandler``, which the caller removes
    /// when the handlers that understand them are there.
    func remove(from channel: any Channel) -> EventLoopFuture<Void> {
        let operations = channel.pipeline.syncOperations
        // The codec goes last, so that the bytes that it has not read meet no HTTP handler.
        let messages = messages
        return channel.eventLoop.makeCompletedFuture { try ByteHoldingHandler.add(to: channel) }.assumeIsolated()
            .flatMap { operations.removeHandler(connection) }
            .flatMap { operations.removeHandler(messages) }.nonisolated()
    }
}
#endif
