import NIOCore
import NIOHTTP1

/// Answers the requests of one connection, one after the other, at the speed of the shaped line.
///
/// A body leaves in pieces, each when the line has carried it and the connection can take it; a request body is
/// digested as it comes.
final class OriginHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Its name in the pipeline, by which the WebSocket upgrade removes it.
    static let name = "demo-origin"

    /// A request under way and what is left of its answer.
    private struct Exchange {
        let request: OriginRequest
        var digest: UploadDigest?
        var record: OriginRecord
        var body = ByteBuffer()
        var fault: OriginFault?
        var isAnswering = false
    }

    private static let shapedPiece = 8_192
    private static let freePiece = 65_536

    private let state: OriginState
    private var exchange: Exchange?
    private var scheduled: Scheduled<Void>?
    private var isSending = false

    init(state: OriginState) {
        self.state = state
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head, context: context)
        case .body(let buffer):
            exchange?.record.bodyBytesReceived += buffer.readableBytes
            exchange?.digest?.update(buffer.readableBytesView)
        case .end: answer(context: context)
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if scheduled == nil, exchange?.isAnswering == true { send(context: context) }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        scheduled?.cancel()
        scheduled = nil
        if let exchange { state.log.record(exchange.record) }
        exchange = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func begin(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
        let request = OriginRequest(head)
        let record = OriginRecord(
            method: head.method.rawValue, host: request.host, path: request.target, status: 0, bodyBytesSent: 0,
            bodyBytesReceived: 0, isConditional: request.isConditional, isComplete: false)
        let isUpload = head.method == .POST && request.path == "/upload"
        let digest = isUpload ? UploadDigest(contentType: request.field("Content-Type")) : nil
        exchange = Exchange(request: request, digest: digest, record: record)
        if request.field("Expect")?.lowercased() == "100-continue" {
            context.writeAndFlush(
                wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
        }
    }

    private func answer(context: ChannelHandlerContext) {
        guard var exchange else { return }
        let upload = exchange.digest?.finish()
        exchange.digest = nil
        let answer = OriginAnswer(to: exchange.request, upload: upload, state: state)
        state.answered(exchange.request.path)
        exchange.fault = state.takeFault(path: exchange.request.path)
        exchange.body = answer.body
        exchange.record.status = Int(answer.status.code)
        self.exchange = exchange
        var head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: answer.fields)
        if !exchange.request.isKeptAlive { head.headers.add(name: "Connection", value: "close") }
        later(at: .now() + TimeAmount(state.shaping.roundTrip), context: context) { [head] in
            context.writeAndFlush(self.wrapOutboundOut(.head(head)), promise: nil)
            self.exchange?.isAnswering = true
            self.send(context: context)
        }
    }

    /// Sends pieces until the line, the connection or the body makes it stop.
    private func send(context: ChannelHandlerContext) {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let exchange {
            let limit = exchange.fault.map { $0.bodyBytes - exchange.record.bodyBytesSent } ?? .max
            if limit <= 0 { return breakOff(context: context) }
            if exchange.body.readableBytes == 0 { return finish(context: context) }
            guard context.channel.isWritable else { return }
            let most = state.shaping.downBitsPerSecond == nil ? Self.freePiece : Self.shapedPiece
            let size = min(exchange.body.readableBytes, most, limit)
            if let through = state.down.reserve(bytes: size, now: .now()), through > .now() {
                return later(at: through, context: context) {
                    self.write(size, context: context)
                    self.send(context: context)
                }
            }
            write(size, context: context)
        }
    }

    private func write(_ size: Int, context: ChannelHandlerContext) {
        guard let piece = exchange?.body.readSlice(length: size) else { return }
        exchange?.record.bodyBytesSent += size
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(piece))), promise: nil)
    }

    private func finish(context: ChannelHandlerContext) {
        guard var exchange else { return }
        self.exchange = nil
        exchange.record.isComplete = true
        state.log.record(exchange.record)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        if !exchange.request.isKeptAlive { context.close(promise: nil) }
    }

    private func breakOff(context: ChannelHandlerContext) {
        context.close(promise: nil)
    }

    private func later(at deadline: NIODeadline, context: ChannelHandlerContext, _ work: @escaping () -> Void) {
        guard deadline > .now() else { return work() }
        scheduled = context.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) {
            self.scheduled = nil
            work()
        }
    }
}
