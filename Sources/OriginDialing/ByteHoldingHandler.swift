#if Proxy
import NIOCore

/// Holds what comes on a connection, its end included, until something is there that understands it.
///
/// A client need not wait for our answer before it sends on, and its bytes may come in one packet with its `CONNECT` or
/// upgrade request. An origin may speak first, as SSH servers do. It stands behind the handlers that go, or in front of
/// those that come; when it is removed itself, what it holds goes on in order.
package final class ByteHoldingHandler: ChannelInboundHandler, RemovableChannelHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    /// Its name in the pipeline.
    package static let name = "early-bytes"
    /// The record type that a TLS connection begins with, RFC 8446 §5.1.
    package static let handshakeRecord: UInt8 = 0x16

    private var held = ByteBuffer()
    private var hasEnded = false
    private var waiting: EventLoopPromise<UInt8>?

    package init() {}

    /// The first byte, as soon as there is one. Fails when the client goes or ends its side before, or takes longer.
    package static func first(on channel: any Channel, within limit: TimeAmount) -> EventLoopFuture<UInt8> {
        channel.eventLoop.flatSubmit {
            do {
                let holder = try channel.pipeline.syncOperations.handler(type: ByteHoldingHandler.self)
                return holder.first(on: channel, within: limit)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
    }

    /// Lets the bytes go on to the handlers behind, and itself go.
    package static func release(on channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.removeHandler(name: name)
    }

    private func first(on channel: any Channel, within limit: TimeAmount) -> EventLoopFuture<UInt8> {
        let promise = channel.eventLoop.makePromise(of: UInt8.self)
        if let byte = held.readableBytesView.first {
            promise.succeed(byte)
        } else if channel.isActive, !hasEnded {
            waiting = promise
            let late = channel.eventLoop.assumeIsolated().scheduleTask(in: limit) { self.giveUp() }
            promise.futureResult.whenComplete { _ in late.cancel() }
            channel.read()
        } else {
            promise.fail(ChannelError.eof)
        }
        return promise.futureResult
    }

    private func giveUp() {
        waiting?.fail(ChannelError.eof)
        waiting = nil
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        guard let byte = held.readableBytesView.first else { return }
        waiting?.succeed(byte)
        waiting = nil
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case .inputClosed? = event as? ChannelEvent else {
            context.fireUserInboundEventTriggered(event)
            return
        }
        hasEnded = true
        giveUp()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        giveUp()
        context.fireChannelInactive()
    }

    package func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
            held.clear()
        }
        if hasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        giveUp()
    }
}
#endif
