#if Proxy
import NIOCore
import NIOSSL

/// Holds what comes on a connection, its end included, until something is there that understands it.
///
/// A client need not wait for our answer before it sends on, and its bytes may come in one packet with its `CONNECT` or
/// upgrade request. An origin may speak first, as SSH servers do. This handler stands behind the handlers that leave
/// the pipeline, or in front of those that come; when it is removed itself, what it holds goes on in order.
package final class ByteHoldingHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private enum Input {
        case open, ended
        case failed(any Error)
    }

    /// Its name in the pipeline.
    package static let name = "early-bytes"
    /// The record type that a TLS connection begins with, RFC 8446 §5.1.
    package static let handshakeRecord: UInt8 = 0x16

    private var held = ByteBuffer()
    private var input = Input.open
    private var waiting: EventLoopPromise<ByteBuffer?>?
    private var context: ChannelHandlerContext?
    private let eventLoop: any EventLoop

    package init(_ eventLoop: any EventLoop) { self.eventLoop = eventLoop }

    /// Adds one at the end of a channel's pipeline; on its event loop.
    package static func add(to channel: any Channel) throws {
        try channel.pipeline.syncOperations.addHandler(ByteHoldingHandler(channel.eventLoop), name: name)
    }

    /// The one in a channel's pipeline; on its event loop.
    package static func find(on channel: any Channel) throws -> ByteHoldingHandler {
        try channel.pipeline.syncOperations.handler(type: ByteHoldingHandler.self)
    }

    /// Removes the one in a channel's pipeline, and with it what it holds goes on to the handlers behind.
    package static func release(on channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.removeHandler(name: name)
    }

    /// Takes what is held, as soon as there is anything; asks for one call after the other. Works on when the
    /// connection is closed.
    ///
    /// - Parameter limit: How long is waited; without an end unless given.
    /// - Returns: `nil` at the end of the input.
    /// - Throws: The connection's error; `ChannelError.eof` after the limit, or after
    ///   ``stopWaiting()``.
    package func next(within limit: TimeAmount? = nil) -> EventLoopFuture<ByteBuffer?> {
        let promise = eventLoop.makePromise(of: ByteBuffer?.self)
        waiting = promise
        answer()
        guard waiting != nil else { return promise.futureResult }
        if let limit {
            let late = eventLoop.assumeIsolated().scheduleTask(in: limit) { self.stopWaiting() }
            promise.futureResult.whenComplete { _ in late.cancel() }
        }
        context?.read()
        return promise.futureResult
    }

    /// Fails a call of ``next(within:)`` that has not returned.
    package func stopWaiting() {
        waiting?.fail(ChannelError.eof)
        waiting = nil
    }

    /// Holds bytes that ``next(within:)`` gave, in front of what has come since.
    package func putBack(_ bytes: ByteBuffer) {
        var (bytes, later) = (bytes, held)
        bytes.writeBuffer(&later)
        held = bytes
    }

    /// The first byte, which stays. Fails when the other side goes or ends its input before, or takes longer.
    package func first(within limit: TimeAmount) -> EventLoopFuture<UInt8> {
        next(within: limit).assumeIsolated().flatMapThrowing { bytes in
            guard let bytes, let byte = bytes.readableBytesView.first else { throw ChannelError.eof }
            self.putBack(bytes)
            return byte
        }.nonisolated()
    }

    private func answer() {
        guard let promise = waiting else { return }
        if held.readableBytes > 0 {
            let bytes = held
            (held, waiting) = (ByteBuffer(), nil)
            return promise.succeed(bytes)
        }
        switch input {
        case .open: return
        case .ended:
            waiting = nil
            promise.succeed(nil)
        case .failed(let error):
            waiting = nil
            promise.fail(error)
        }
    }

    private func end(_ new: Input) {
        if case .open = input { input = new }
        answer()
    }

    package func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    package func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        end(.ended)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        answer()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else { return context.fireUserInboundEventTriggered(event) }
        end(.ended)
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end(.ended)
        context.fireChannelInactive()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An end of TLS without its `close_notify`: the end of the input follows, and what came before it counts.
        if let error = error as? NIOSSLError, case .uncleanShutdown = error { return }
        end(.failed(error))
        context.close(promise: nil)
    }

    package func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
            held.clear()
        }
        if case .ended = input { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }
}
#endif
