import NIOCore
import NIOWebSocket

/// The WebSocket at `/live`: sends back what it gets. RFC 6455.
final class LiveEcho: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text, .binary, .continuation: reply(frame.opcode, frame, context: context)
        case .ping: reply(.pong, frame, context: context)
        case .connectionClose:
            reply(.connectionClose, frame, context: context)
            context.close(promise: nil)
        default: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func reply(_ opcode: WebSocketOpcode, _ frame: WebSocketFrame, context: ChannelHandlerContext) {
        let answer = WebSocketFrame(fin: frame.fin, opcode: opcode, data: frame.unmaskedData)
        context.writeAndFlush(wrapOutboundOut(answer), promise: nil)
    }
}
