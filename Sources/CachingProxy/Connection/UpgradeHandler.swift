#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import NIOCore
import OriginDialing

/// The origin's side of a protocol upgrade (RFC 9110 §7.8): sends the request, and either joins both connections on
/// 101 or hands the origin's answer to the client and closes.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: UpgradeRequest
    private let client: any Channel
    private let limits: ProxyConfiguration.Limits
    private let cacheStatus: HTTPField?
    private let refuse: (EngineError) -> Void
    private var reader = MessageReader(.response)
    private var isAnswering = false
    private var interimResponses = 0
    /// The answer's `Connection` lines.
    private var options: [String] = []
    private var lastWrite: EventLoopFuture<Void>?
    private var leaveHTTP: (@Sendable () -> EventLoopFuture<Void>)?
    private var origin: (any Channel)?
    private var isJoining = false
    private var inputHasEnded = false

    /// - Parameters:
    ///   - client: On the same event loop. The client's socket sets the pace: the origin is read on demand.
    ///   - cacheStatus: Is added to an answer that does not switch.
    ///   - refuse: Answers the client in the place of an origin that sends no HTTP.
    init(
        _ request: UpgradeRequest, client: any Channel, limits: ProxyConfiguration.Limits, cacheStatus: HTTPField?,
        refuse: @escaping (EngineError) -> Void
    ) {
        self.request = request
        self.client = client
        self.limits = limits
        self.cacheStatus = cacheStatus
        self.refuse = refuse
    }

    func start(
        on origin: any Channel, leaveHTTP: @escaping @Sendable () -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        self.leaveHTTP = leaveHTTP
        self.origin = origin
        // Also where the client has left while the origin was dialled.
        client.closeFuture.assumeIsolated().whenComplete { _ in self.clientHasLeft() }
        origin.read()
        let sent = origin.writeAndFlush(MessageWriter.head(request.head, .none))
        // What it may have said unasked, its end included.
        readOn()
        if inputHasEnded { end() }
        return sent
    }

    private func clientHasLeft() {
        guard leaveHTTP != nil else { return }
        leaveHTTP = nil
        origin?.close(promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.append(unwrapInboundIn(data))
        readOn()
    }

    private func readOn() {
        do throws(MessageFault) {
            while leaveHTTP != nil {
                if isAnswering {
                    guard let content = try reader.content() else { break }
                    pass(content)
                } else {
                    guard let bytes = try reader.head() else { break }
                    try pass(try ResponseHead(bytes))
                }
            }
        } catch {
            fail(error)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        let origin = context.channel
        if leaveHTTP != nil {
            (lastWrite ?? context.eventLoop.makeSucceededVoidFuture()).whenComplete { _ in origin.read() }
        }
        context.fireChannelReadComplete()
    }

    private func pass(_ head: ResponseHead) throws(MessageFault) {
        var head = head
        let (framing, _) = try MessageFraming.of(&head, to: request.head.method)
        let isSwitch = head.status == .switchingProtocols
        // "A server MUST NOT switch to a protocol that was not indicated by the client".
        if isSwitch, !UpgradeRequest.names(only: UpgradeRequest.webSocket, in: head.fields) {
            throw .malformed("It switched to a protocol that nobody asked for.")
        }
        options = head.fields[values: .connection]
        // What is said about the new protocol is for the client.
        if !isSwitch { HopByHopFields.remove(from: &head.fields) }
        head.fields.append(request.via)
        if isSwitch { return join(MessageWriter.head(head.status, head.fields, .none)) }
        let response = HTTPResponse(status: head.status, headerFields: head.fields)
        guard head.status.code >= 200 else {
            interimResponses += 1
            guard interimResponses <= ResponseHead.interimLimit else {
                throw .malformed("There are too many interim responses.")
            }
            lastWrite = client.writeAndFlush(ResponsePart.interim(response, exchange: nil))
            return
        }
        isAnswering = true
        reader.begin(framing)
        var answer = response
        if let cacheStatus { answer.headerFields.append(cacheStatus) }
        lastWrite = client.writeAndFlush(
            ResponsePart.head(answer, framing == .untilClose ? .chunked : framing, closes: true))
    }

    private func pass(_ content: MessageReader.Content) {
        switch content {
        case .bytes(let bytes): lastWrite = client.writeAndFlush(ResponsePart.content(bytes))
        case .end(let trailers):
            leaveHTTP = nil
            client.writeAndFlush(
                ResponsePart.end(trailers: TrailerFields.forwardable(trailers, connection: options)), promise: nil)
            origin?.close(promise: nil)
        }
    }

    private func join(_ greeting: ByteBuffer) {
        guard let leaveHTTP, let origin else { return }
        self.leaveHTTP = nil
        isJoining = true
        let (near, far) = GlueHandler.makePair(limits)
        let bound = NIOLoopBound((near: near, far: far, handler: self), eventLoop: origin.eventLoop)
        let client = client
        leaveHTTP().flatMapThrowing {
            client.writeAndFlush(greeting, promise: nil)
            try client.pipeline.syncOperations.addHandler(bound.value.near)
            // Behind this handler, so that the bytes it has already taken in come out there.
            try origin.pipeline.syncOperations.addHandler(bound.value.far)
        }.flatMap {
            origin.pipeline.syncOperations.removeHandler(bound.value.handler)
        }.flatMap { ByteHoldingHandler.release(on: client) }.flatMap {
            client.setOption(ChannelOptions.autoRead, value: true)
                .and(origin.setOption(ChannelOptions.autoRead, value: true)).map { _ in
                    client.read()
                    origin.read()
                }
        }.whenFailure { _ in
            client.close(promise: nil)
            origin.close(promise: nil)
        }
    }

    func removeHandler(context: ChannelHandlerContext, removalToken: ChannelHandlerContext.RemovalToken) {
        let rest = reader.takeRest()
        if rest.readableBytes > 0 {
            context.fireChannelRead(wrapInboundOut(rest))
            context.fireChannelReadComplete()
        }
        if inputHasEnded { context.fireUserInboundEventTriggered(ChannelEvent.inputClosed) }
        context.leavePipeline(removalToken: removalToken)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            end()
            // Nothing is to be said to an origin that has said all.
            if origin != nil, !isJoining { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    /// Nothing more comes from the origin.
    private func end() {
        do throws(MessageFault) {
            if leaveHTTP != nil, let end = try reader.endOfInput() { pass(end) }
            if leaveHTTP != nil { throw MessageFault(code: .endedEarly, message: "There was no answer.") }
        } catch {
            fail(error)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
        context.close(promise: nil)
    }

    private func fail(_ error: any Error) {
        guard leaveHTTP != nil else { return }
        leaveHTTP = nil
        origin?.close(promise: nil)
        if isAnswering {
            client.close(promise: nil)
        } else {
            refuse(
                EngineError(code: .originBroken, message: "The origin sent no valid HTTP response.", cause: error))
        }
    }
}
#endif
