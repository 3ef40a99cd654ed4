#if Proxy
import NIOCore
import NIOHTTP1

/// The HTTP handlers on a client's connection, added together and taken away together.
struct ClientSide {
    private let handlers: [any ChannelHandler & RemovableChannelHandler]
    private let decoder: any ChannelHandler & RemovableChannelHandler

    /// Adds decoder, encoder and pipelining assistance, then the connection handler.
    static func install(on channel: any Channel, _ handler: ClientConnection) throws {
        let encoder = HTTPResponseEncoder()
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
        let pipelining = HTTPServerPipelineHandler()
        let errors = HTTPServerProtocolErrorHandler()
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers([encoder, decoder, pipelining, errors])
        try operations.addHandler(handler)
        handler.http = ClientSide(handlers: [pipelining, errors, encoder, handler], decoder: decoder)
    }

    /// Removes them all, and the connection handler; bytes that were received but not parsed wait in ``EarlyBytes``,
    /// which the caller lets go when their handler is there.
    func remove(from channel: any Channel) -> EventLoopFuture<Void> {
        let operations = channel.pipeline.syncOperations
        do {
            try operations.addHandler(EarlyBytes(), name: EarlyBytes.name)
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        // The decoder goes last, so that its left-over bytes meet no HTTP handler.
        return (handlers + [decoder]).reduce(channel.eventLoop.makeSucceededVoidFuture()) { previous, handler in
            previous.assumeIsolated().flatMap { operations.removeHandler(handler) }.nonisolated()
        }
    }
}
#endif
