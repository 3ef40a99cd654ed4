#if Proxy
import NIOCore

/// Holds what a client sends after its `CONNECT` or upgrade request until something is there that understands it.
///
/// A client need not wait for our answer before it sends on, and its bytes may come in one packet with the request. It
/// stands behind the HTTP handlers while they are taken away; when it is removed itself, the bytes go on in order.
final class EarlyBytes: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Its name in the pipeline.
    static let name = "early-bytes"
    /// The record type that a TLS connection begins with, RFC 8446 §5.1.
    static let handshakeRecord: UInt8 = 0x16

    private var held = ByteBuffer()
    private var waiting: EventLoopPromise<UInt8>?

    /// The first byte, as soon as there is one. Fails when the client goes before.
    static func first(on channel: any Channel) -> EventLoopFuture<UInt8> {
        channel.eventLoop.flatSubmit {
            do {
                let holder = try channel.pipeline.syncOperations.handler(type: EarlyBytes.self)
                return holder.first(on: channel)
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }
    }

    /// Lets the bytes go on to the handlers behind, and itself go.
    static func release(on channel: any Channel) -> EventLoopFuture<Void> {
        channel.pipeline.removeHandler(name: name)
    }

    private func first(on channel: any Channel) -> EventLoopFuture<UInt8> {
        let promise = channel.eventLoop.makePromise(of: UInt8.self)
        if let byte = held.readableBytesView.first {
            promise.succeed(byte)
        } else if channel.isActive {
            waiting = promise
            channel.read()
        } else {
            promise.fail(ChannelError.eof)
        }
        return promise.futureResult
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        held.writeBuffer(&bytes)
        guard let byte = held.readableBytesView.first else { return }
        waiting?.succeed(byte)
        waiting = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        waiting?.fail(ChannelError.eof)
        waiting = nil
        context.fireChannelInactive()
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        if held.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(held))
            context.fireChannelReadComplete()
            held.clear()
        }
        context.leavePipeline(removalToken: removalToken)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        waiting?.fail(ChannelError.eof)
        waiting = nil
    }
}
#endif
