import CacheEngine
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The last handler of an origin connection: one exchange at a time, on the event loop.
final class ExchangeHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    struct Answer: Sendable {
        var head: HTTPResponseHead
        var body: BodyPipe
    }

    private struct Exchange {
        var promise: EventLoopPromise<Answer>
        var onInterim: (@Sendable (HTTPResponse) -> Void)?
        var onReusable: @Sendable () -> Void
        var body: BodyPipe?
        var requestIsComplete: Bool
        var responseIsComplete = false
        var keepAlive = true
        var timeout: Scheduled<Void>?
    }

    private let channel: any Channel
    private let host: String
    private let headTimeout: TimeAmount
    private var exchange: Exchange?

    init(_ channel: any Channel, host: String, headTimeout: TimeAmount) {
        self.channel = channel
        self.host = host
        self.headTimeout = headTimeout
    }

    /// Sends the head and returns what will be received.
    func begin(
        _ head: HTTPRequestHead, hasBody: Bool, onInterim: (@Sendable (HTTPResponse) -> Void)?,
        onReusable: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<Answer> {
        let promise = channel.eventLoop.makePromise(of: Answer.self)
        guard exchange == nil, channel.isActive else {
            promise.fail(closedEarly())
            return promise.futureResult
        }
        let channel = channel
        let host = host
        let timeout = channel.eventLoop.scheduleTask(in: headTimeout) {
            promise.fail(TransportError(code: .timedOut, message: "'\(host)' did not answer in time."))
            channel.close(promise: nil)
        }
        exchange = Exchange(
            promise: promise, onInterim: onInterim, onReusable: onReusable, requestIsComplete: !hasBody,
            timeout: timeout)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        if !hasBody { channel.write(HTTPClientRequestPart.end(nil), promise: nil) }
        channel.flush()
        return promise.futureResult
    }

    func requestEnded() {
        exchange?.requestIsComplete = true
        finishIfComplete()
    }

    func requestFailed(_ error: any Error) {
        guard exchange?.body == nil else { return }
        fail(error as? TransportError ?? closedEarly(error))
        channel.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): receive(head)
        case .body(let buffer):
            guard let body = exchange?.body else { return }
            if !body.write(Array(buffer.readableBytesView)) { setAutoRead(false) }
        case .end:
            exchange?.responseIsComplete = true
            exchange?.body?.finish()
            finishIfComplete()
        }
    }

    private func receive(_ head: HTTPResponseHead) {
        guard var current = exchange else {
            // A response to nothing: the connection can't be trusted any more.
            channel.close(promise: nil)
            return
        }
        if (100..<200).contains(head.status.code), head.status != .switchingProtocols {
            current.onInterim?(WireHead.read(head))
            return
        }
        current.timeout?.cancel()
        current.keepAlive = head.isKeepAlive
        let channel = channel
        let body = BodyPipe(
            onDemand: { channel.setOption(ChannelOptions.autoRead, value: true).whenComplete { _ in channel.read() } },
            onCancel: { channel.close(promise: nil) })
        current.body = body
        exchange = current
        current.promise.succeed(Answer(head: head, body: body))
    }

    private func finishIfComplete() {
        guard let current = exchange, current.responseIsComplete else { return }
        guard current.requestIsComplete else {
            // The origin answered without waiting for the whole request; the rest of it is of no use to anybody.
            exchange = nil
            channel.close(promise: nil)
            return
        }
        exchange = nil
        if current.keepAlive {
            setAutoRead(true)
            current.onReusable()
        } else {
            channel.close(promise: nil)
        }
    }

    private func setAutoRead(_ isOn: Bool) {
        channel.setOption(ChannelOptions.autoRead, value: isOn).whenFailure { _ in }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let isParserError = error is HTTPParserError
        let code: TransportError.Code =
            isParserError && (error as? HTTPParserError) != .invalidEOFState ? .malformedResponse : .closedEarly
        fail(TransportError(code: code, message: "'\(host)' sent no valid HTTP response.", cause: error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fail(closedEarly())
        context.fireChannelInactive()
    }

    private func fail(_ error: TransportError) {
        guard let current = exchange else { return }
        exchange = nil
        current.timeout?.cancel()
        current.body?.finish(throwing: error)
        current.promise.fail(error)
    }

    private func closedEarly(_ cause: (any Error)? = nil) -> TransportError {
        TransportError(
            code: .closedEarly, message: "'\(host)' closed the connection before its response was complete.",
            cause: cause)
    }
}
