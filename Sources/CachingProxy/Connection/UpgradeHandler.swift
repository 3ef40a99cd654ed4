#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import NIOCore

/// The origin's side of a protocol upgrade (RFC 9110 §7.8): sends the request, and either joins both connections on
/// 101 or hands the origin's refusal to the client and closes.
final class UpgradeHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: UpgradeRequest
    private let client: any Channel
    private let refuse: (EngineError) -> Void
    private var reader = MessageReader(.response)
    private var isAnswering = false
    private var interimResponses = 0
    private var lastWrite: EventLoopFuture<Void>?
    private var leaveHTTP: (@Sendable () -> EventLoopFuture<Void>)?
    private var origin: (any Channel)?

    /// - Parameter refuse: Answers the client in the place of an origin that sends no HTTP.
    init(_ request: UpgradeRequest, client: any Channel, refuse: @escaping (EngineError) -> Void) {
        self.request = request
        self.client = client
        self.refuse = refuse
    }

    func install(on origin: any Channel) throws {
        // Read on demand: the client's socket sets the pace.
        try origin.syncOptions?.setOption(ChannelOptions.autoRead, value: false)
        try origin.pipeline.syncOperations.addHandler(self)
    }

    func start(
        on origin: any Channel, leaveHTTP: @escaping @Sendable () -> EventLoopFuture<Void>
    ) -> EventLoopFuture<Void> {
        self.leaveHTTP = leaveHTTP
        self.origin = origin
        origin.read()
        return origin.writeAndFlush(MessageWriter.head(request.head, .none))
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        reader.append(unwrapInboundIn(data))
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
        lastWrite = client.writeAndFlush(
            ResponsePart.head(response, framing == .untilClose ? .chunked : framing, closes: true))
    }

    private func pass(_ content: MessageReader.Content) {
        switch content {
        case .bytes(let bytes): lastWrite = client.writeAndFlush(ResponsePart.content(bytes))
        case .end(let trailers):
            leaveHTTP = nil
            client.writeAndFlush(ResponsePart.end(trailers: TrailerFields.forwardable(trailers)), promise: nil)
            origin?.close(promise: nil)
        }
    }

    private func join(_ greeting: ByteBuffer) {
        guard let leaveHTTP, let origin else { return }
        self.leaveHTTP = nil
        let (near, far) = RawRelay.makePair()
        let bound = NIOLoopBound((near: near, far: far, handler: self), eventLoop: origin.eventLoop)
        let client = client
        leaveHTTP().flatMapThrowing {
            client.writeAndFlush(greeting, promise: nil)
            try client.pipeline.syncOperations.addHandler(bound.value.near)
            // Behind this handler, so that the bytes it has already taken in come out there.
            try origin.pipeline.syncOperations.addHandler(bound.value.far)
        }.flatMap {
            origin.pipeline.syncOperations.removeHandler(bound.value.handler)
        }.flatMap { EarlyBytes.release(on: client) }.flatMap {
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
        context.leavePipeline(removalToken: removalToken)
    }

    func channelInactive(context: ChannelHandlerContext) {
        do throws(MessageFault) {
            if leaveHTTP != nil, let end = try reader.endOfInput() { pass(end) }
            if leaveHTTP != nil { throw MessageFault(code: .endedEarly, message: "There was no answer.") }
        } catch {
            fail(error)
        }
        context.fireChannelInactive()
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
