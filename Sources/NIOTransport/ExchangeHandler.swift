#if Proxy
import CacheEngine
import HTTPMessages
import HTTPTypes
import NIOCore
import NIOSSL

/// A response's head as it came, with its content to come.
struct Answer: Sendable {
    var head: ResponseHead
    var body: BodyPipe
    var length: Int64?
}

/// Carries exchanges on a channel to an origin; on its event loop.
protocol Exchanging: AnyObject {
    /// Sends the head and returns what will be received.
    func begin(
        _ head: RequestHead, _ framing: MessageFraming, hasBody: Bool, silenceLimit: TimeAmount?,
        onInterim: (@Sendable (HTTPResponse) -> Void)?, onReusable: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<Answer>
    /// Sends a piece of the request's content.
    func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void>
    func endRequest(_ trailers: HTTPFields) -> EventLoopFuture<Void>
    func requestFailed(_ error: any Error)
}

/// The last handler of an origin's channel: one exchange at a time, on the event loop.
final class ExchangeHandler<Codec: ExchangeCodec>: ChannelInboundHandler, Exchanging {
    typealias InboundIn = Codec.Inbound

    private struct Exchange {
        var method: HTTPRequest.Method
        var framing: MessageFraming
        var begin: NIODeadline
        var promise: EventLoopPromise<Answer>
        var onInterim: (@Sendable (HTTPResponse) -> Void)?
        var onReusable: @Sendable () -> Void
        var body: BodyPipe?
        /// The response's `Connection` options.
        var options: Set<String> = []
        var requestIsComplete: Bool
        var responseIsComplete = false
        var hasBytes = false
        var interimResponses = 0
        var isReusable = true
        var silenceLimit: TimeAmount?
        var timeout: Scheduled<Void>?
        var watch: Scheduled<Void>?
    }

    private let channel: any Channel
    private let host: String
    private var codec: Codec
    private var exchange: Exchange?

    init(_ channel: any Channel, _ codec: Codec, host: String) {
        self.channel = channel
        self.codec = codec
        self.host = host
    }

    // MARK: The request

    func begin(
        _ head: RequestHead, _ framing: MessageFraming, hasBody: Bool, silenceLimit: TimeAmount?,
        onInterim: (@Sendable (HTTPResponse) -> Void)?, onReusable: @escaping @Sendable () -> Void
    ) -> EventLoopFuture<Answer> {
        let promise = channel.eventLoop.makePromise(of: Answer.self)
        guard exchange == nil, channel.isActive else {
            promise.fail(ClosedBeforeResponse(failure: closedEarly(), reason: codec.reason(for: nil) ?? .closed))
            return promise.futureResult
        }
        exchange = Exchange(
            method: head.method, framing: framing, begin: channel.eventLoop.now, promise: promise,
            onInterim: onInterim, onReusable: onReusable, requestIsComplete: !hasBody, silenceLimit: silenceLimit)
        restartTimeout()
        if Codec.isShared { watchSilence() }
        codec.send(head, framing, isLast: !hasBody)?.assumeIsolated().whenFailure { error in
            self.fail(self.failure(error))
            self.codec.close()
        }
        return promise.futureResult
    }

    func write(_ bytes: ByteBuffer) -> EventLoopFuture<Void> {
        guard let exchange else { return channel.eventLoop.makeFailedFuture(closedEarly()) }
        guard bytes.readableBytes > 0 else { return channel.eventLoop.makeSucceededVoidFuture() }
        let written = codec.send(bytes, exchange.framing)
        // An origin that takes the request in is not silent.
        written.assumeIsolated().whenSuccess { self.restartTimeout() }
        return written
    }

    func endRequest(_ trailers: HTTPFields) -> EventLoopFuture<Void> {
        guard let exchange else { return channel.eventLoop.makeFailedFuture(closedEarly()) }
        return codec.end(trailers, exchange.framing).assumeIsolated().map {
            self.exchange?.requestIsComplete = true
            self.restartTimeout()
            self.finishIfComplete()
        }.nonisolated()
    }

    func requestFailed(_ error: any Error) {
        guard exchange?.body == nil else { return }
        fail(error as? TransportError ?? failure(error))
        codec.close()
    }

    private func restartTimeout() {
        guard let current = exchange, current.body == nil, let silenceLimit = current.silenceLimit else { return }
        current.timeout?.cancel()
        exchange?.timeout = channel.eventLoop.assumeIsolated().scheduleTask(in: silenceLimit) {
            self.fail(TransportError(code: .timedOut, message: "'\(self.host)' did not answer in time."))
            self.codec.close()
        }
    }

    private func watchSilence() {
        let loop = channel.eventLoop.assumeIsolated()
        exchange?.watch = loop.scheduleTask(in: SharedConnectionHandler.suspiciousSilence) {
            guard let current = self.exchange, current.body == nil else { return }
            self.codec.waits(since: current.begin)
            self.watchSilence()
        }
    }

    // MARK: The response

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if codec.append(unwrapInboundIn(data)) { exchange?.hasBytes = true }
        do throws(MessageFault) {
            while exchange?.responseIsComplete == false, try readOn() {}
        } catch {
            fail(failure(error))
            codec.close()
        }
        // Octets that no request asked for: whatever they are, the connection can't be trusted any more.
        if exchange == nil, !codec.isEmpty { codec.close() }
    }

    /// Reads one part; false when more has to come.
    private func readOn() throws(MessageFault) -> Bool {
        guard let body = exchange?.body else {
            guard let method = exchange?.method, let received = try codec.head(to: method) else { return false }
            try receive(received)
            return exchange != nil
        }
        switch try codec.content() {
        case .bytes(let bytes):
            if !body.write(Array(bytes.readableBytesView)) { setAutoRead(false) }
            return true
        case .end(let trailers):
            end(trailers)
            return false
        case nil: return false
        }
    }

    private func receive(_ received: ReceivedHead) throws(MessageFault) {
        guard var current = exchange else { return }
        let head = received.head
        if head.status.code < 200 {
            // RFC 9110 §15.2.2: only Upgrade can lead to 101, and no request here has it.
            current.interimResponses += 1
            guard head.status != .switchingProtocols, current.interimResponses <= TransportRequest.interimLimit
            else { throw .malformed("It sent interim responses that nobody asked for.") }
            exchange = current
            // RFC 2518 §10.1: 102 says that the server is still at work.
            if head.status.code == 102 { restartTimeout() }
            current.onInterim?(HTTPResponse(status: head.status, headerFields: head.fields))
            return
        }
        current.timeout?.cancel()
        current.watch?.cancel()
        current.isReusable = received.persists
        current.options = head.fields.connectionOptions
        let channel = channel
        let body = BodyPipe(
            onDemand: { channel.setOption(ChannelOptions.autoRead, value: true).whenComplete { _ in channel.read() } },
            onCancel: { channel.close(promise: nil) })
        current.body = body
        exchange = current
        current.promise.succeed(Answer(head: head, body: body, length: received.length))
    }

    private func end(_ trailers: HTTPFields) {
        guard let current = exchange else { return }
        exchange?.responseIsComplete = true
        // First, so that who has read the body to its end finds the connection in the pool.
        finishIfComplete()
        current.body?.finish(trailers: TrailerFields.forwardable(trailers, connection: current.options))
    }

    private func finishIfComplete() {
        guard let current = exchange, current.responseIsComplete else { return }
        exchange = nil
        // An origin that answered without waiting for the whole request gets no more of it; what it sent beyond its
        // answer is nobody's.
        if current.requestIsComplete, current.isReusable, codec.isEmpty {
            setAutoRead(true)
            current.onReusable()
        } else {
            codec.close()
        }
    }

    private func setAutoRead(_ isOn: Bool) {
        channel.setOption(ChannelOptions.autoRead, value: isOn).whenFailure { _ in }
    }

    // MARK: The end

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        codec.settle { self.fail(self.isEnd(error) ? self.endUnverified(error) : self.failure(error)) }
        codec.close()
    }

    /// Whether a connection that ended without a closure alert of TLS ended a response that states no length.
    private func isEnd(_ error: any Error) -> Bool {
        guard case .some(.uncleanShutdown) = error as? NIOSSLError, exchange?.body != nil else { return false }
        guard case .some(.end) = try? codec.endOfInput() else { return false }
        return true
    }

    func channelInactive(context: ChannelHandlerContext) {
        codec.settle {
            do throws(MessageFault) {
                if self.exchange != nil, case .end(let trailers) = try self.codec.endOfInput() { self.end(trailers) }
            } catch {
                self.fail(self.failure(error))
            }
            self.fail(self.failure())
        }
        context.fireChannelInactive()
    }

    /// - Parameter cause: What the channel ended with, or was read from it.
    private func failure(_ cause: (any Error)? = nil) -> TransportError {
        guard let fault = codec.fault ?? cause as? MessageFault, fault.code != .endedEarly else {
            return closedEarly(cause)
        }
        return TransportError(
            code: .malformedResponse, message: "'\(host)' sent no valid HTTP response. \(fault.message)", cause: fault)
    }

    private func fail(_ error: TransportError) {
        guard let current = exchange else { return }
        exchange = nil
        current.timeout?.cancel()
        current.watch?.cancel()
        current.body?.finish(throwing: error)
        codec.waits(since: current.begin)
        if error.code == .closedEarly, !current.hasBytes, let reason = codec.reason(for: error.cause) {
            current.promise.fail(ClosedBeforeResponse(failure: error, reason: reason))
        } else {
            current.promise.fail(error)
        }
    }

    private func endUnverified(_ cause: any Error) -> TransportError {
        TransportError(
            code: .endUnverified,
            message: "'\(host)' closed the connection without saying that its response had ended there.", cause: cause)
    }

    private func closedEarly(_ cause: (any Error)? = nil) -> TransportError {
        TransportError(
            code: .closedEarly, message: "'\(host)' closed the connection before its response was complete.",
            cause: cause)
    }
}
#endif
