#if Proxy
import NIOCore
import NIOHTTP1

/// The HTTP handlers on a client's connection, added together and taken away together.
struct ClientSide {
    private let handlers: [any ChannelHandler & RemovableChannelHandler]

    /// Adds decoder, encoder and pipelining assistance, then the connection handler.
    static func install(on channel: any Channel, _ handler: ClientConnection) throws {
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let pipelining = HTTPServerPipelineHandler()
        let errors = HTTPServerProtocolErrorHandler()
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers([encoder, decoder, pipelining, errors])
        try operations.addHandler(handler)
        handler.http = ClientSide(handlers: [pipelining, errors, encoder, decoder])
    }

    /// Removes them; bytes that were received but not parsed go on to whatever comes after.
    func remove(from channel: any Channel) -> EventLoopFuture<Void> {
        let operations = channel.pipeline.syncOperations
        // The decoder goes last, so that its left-over bytes meet no HTTP handler.
        return handlers.reduce(channel.eventLoop.makeSucceededVoidFuture()) { previous, handler in
            previous.assumeIsolated().flatMap { operations.removeHandler(handler) }.nonisolated()
        }
    }
}
#endif
