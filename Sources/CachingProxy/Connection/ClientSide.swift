#if Proxy
import NIOCore
import OriginDialing

/// The HTTP handlers on a client's connection, added together and taken away together.
struct ClientSide {
    private let messages: HTTPServerCodec
    private let connection: ProxyRequestHandler

    /// Adds the handler of messages, then the connection handler.
    static func install(on channel: any Channel, _ handler: ProxyRequestHandler) throws {
        let messages = HTTPServerCodec(handler, limits: handler.proxy.configuration.limits)
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(messages)
        try operations.addHandler(handler)
        handler.http = ClientSide(messages: messages, connection: handler)
    }

    /// Removes them both; bytes that were received but not read wait in ``ByteHoldingHandler``, which the caller lets go when
    /// their handler is there.
    func remove(from channel: any Channel) -> EventLoopFuture<Void> {
        let operations = channel.pipeline.syncOperations
        do {
            try operations.addHandler(ByteHoldingHandler(), name: ByteHoldingHandler.name)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        // The messages go last, so that their left-over bytes meet no HTTP handler.
        let messages = messages
        return operations.removeHandler(connection).assumeIsolated()
            .flatMap { operations.removeHandler(messages) }.nonisolated()
    }
}
#endif
