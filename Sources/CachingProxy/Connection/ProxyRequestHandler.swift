#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore
import OriginDialing

/// Handles one client connection: gives each request to a task, and takes the next one when the answer is sent.
///
/// Lives on the channel's event loop; the tasks reach it through the channel only.
final class ProxyRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = RequestPart
    typealias OutboundOut = ResponsePart

    /// The kind of requests on this connection.
    enum Role: Hashable, Sendable {
        /// As configured: forward or reverse.
        case listener
        /// Inside a `CONNECT` that was intercepted: origin-form requests for this one authority.
        case intercepted(authority: String)
    }

    let proxy: ProxyServer
    let role: Role
    let channel: any Channel
    /// The handler before this one, on a connection of HTTP/1.1; each holds the other until they are removed.
    private var codec: HTTPServerCodec?
    private var body: BodyPipe?
    /// The `Connection` options of the request whose body it is.
    private var options: Set<String> = []
    private var task: Task<Void, Never>?
    private var pendingConnect: RequestHead?
    /// Fulfilled when the client has answered a question for the proxy's password.
    private var question: EventLoopPromise<Void>?
    /// Whether the last request that came was given to the cache, which reports its exchange.
    private(set) var hasExchange = false
    /// Whether the client has ended its side.
    private var inputHasEnded = false
    /// Whether the client asks for a protocol switch.
    private var isUpgrading = false
    private lazy var port = channel.localAddress?.port
    private lazy var client = channel.remoteAddress?.port.map { "port \($0)" } ?? ""

    init(_ proxy: ProxyServer, role: Role, channel: any Channel) {
        self.proxy = proxy
        self.role = role
        self.channel = channel
    }

    /// Adds the codec of HTTP/1.1, then this handler.
    func install() throws {
        let codec = HTTPServerCodec(self, limits: proxy.configuration.limits)
        try channel.pipeline.syncOperations.addHandlers(codec, self)
        self.codec = codec
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head, let framing, let exchange): begin(head, framing, exchange)
        case .content(let bytes):
            if let body, !body.write(Array(bytes.readableBytesView)) { setAutoRead(false) }
        case .end(let trailers):
            body?.finish(trailers: TrailerFields.forwardable(trailers, connection: options))
            body = nil
            if let head = pendingConnect {
                pendingConnect = nil
                leaveHTTP(head)
            }
        }
    }

    /// The result of reading a head.
    enum Reading {
        /// A stored response answers it as it is.
        case answered(ReadyAnswer)
        /// It has no content, and its answer is on its way.
        case begun(MessageFraming)
        /// The head has to come through ``channelRead(context:data:)`` next.
        case read(RequestHead, MessageFraming)
    }

    /// Reads a head, and answers the request at once if a stored response can.
    func read(_ octets: ByteBuffer, exchange: Int) throws(MessageFault) -> Reading {
        question?.succeed()
        let context = currentContext()
        var finding = proxy.hotRequests.find(octets, role)
        // A request whose meaning has changed is kept anew.
        if case .known(let known) = finding, !proxy.cache.holds(known.prepared, in: context) { finding = .seen }
        let request: ReadRequest
        if case .known(let known) = finding {
            request = known
        } else {
            let head = try RequestHead(octets)
            let framing = try MessageFraming(of: head)
            guard head.method == .get || head.method == .head, framing.statedLength == 0,
                !head.fields.contains(CacheMode.field),
                let target = try? RequestTarget(head, framing, role: role, port: port, proxy: proxy), !target.isUpgrade
            else { return .read(head, framing) }
            let message = ClientRequest(head: head, framing: framing, target: target)
            var own = context
            own.destination = message.destination
            let presented = EngineRequest(head: message.presented(by: proxy.identity), context: own)
            request = ReadRequest(message, proxy.cache.prepare(presented))
        }
        let message = request.message
        let state = proxy.cache.begin(request.prepared, in: context)
        guard case .answered(let answer) = state, let content = content(of: answer) else {
            let running = ProxyExchange(
                proxy: proxy, channel: channel, request: message, exchange: exchange, partition: context.partition)
            hasExchange = true
            task = Task { await running.run(state) }
            return .begun(message.framing)
        }
        if case .seen = finding { proxy.hotRequests.keep(request, octets: octets, role) }
        if message.destination == .document { proxy.noteDocument(isNew: false) }
        let head = PreparedHead.octets(of: answer, closes: request.closes, proxy: proxy.identity)
        return .answered(ReadyAnswer(head: head, content: content, closes: request.closes))
    }

    /// The context of an exchange that begins now, except for its destination. A request on the wire does not name its
    /// top-level document, so it has no site.
    private func currentContext() -> ExchangeContext {
        var context = proxy.configuration.context()
        if context.partition.isEmpty { context.partition = proxy.configuration.account() }
        if context.view.isEmpty { context.view = client }
        return context
    }

    private func content(of answer: ImmediateAnswer) -> ArraySlice<UInt8>? {
        switch answer.content {
        case nil: return []
        case .bytes(let bytes)?: return bytes[Int(answer.region.lowerBound)..<Int(answer.region.upperBound)]
        // Reading a file is too slow for an event loop.
        case .file?: return nil
        }
    }

    private func begin(_ head: RequestHead, _ framing: MessageFraming, _ exchange: Int) {
        hasExchange = false
        let target: RequestTarget
        do {
            target = try RequestTarget(head, framing, role: role, port: port, proxy: proxy)
        } catch {
            // A client that is asked for a password may answer on the same connection, unless there is content that
            // nobody reads. On a new one libsoup 3 takes the password of a page's URL for the proxy's without end.
            let goesOn = error == .credentialsNeeded && framing.statedLength == 0 && head.persists
            if goesOn { return ask(head) }
            return refuse(error, head, closes: true)
        }
        if target.isTunnel || target.isUpgrade {
            pendingConnect = head
            return
        }
        let pipe = framing.statedLength == 0 ? nil : makePipe()
        body = pipe
        options = pipe == nil ? [] : head.fields.connectionOptions
        let request = ClientRequest(head: head, framing: framing, target: target)
        let (content, context) = (pipe.map { RequestBody($0, length: framing.statedLength) }, currentContext())
        let answer = ProxyExchange(
            proxy: proxy, channel: channel, request: request, exchange: exchange, partition: context.partition)
        hasExchange = true
        task = Task { await answer.run(content, context) }
    }

    private func makePipe() -> BodyPipe {
        let channel = channel
        let goOn: @Sendable () -> Void = {
            channel.setOption(ChannelOptions.autoRead, value: true).whenComplete { _ in channel.read() }
        }
        // Where nobody reads the rest it is discarded, so that the answer can be sent and the connection closed.
        return BodyPipe(onDemand: goOn, onCancel: goOn)
    }

    /// Asks for the proxy's password, as soon as the question before this one has its answer.
    ///
    /// libsoup 3 keeps one answer for all connections to a proxy, and each question takes it away: of two clients that
    /// are asked at once, one sends nothing more, and the page's load fails.
    private func ask(_ head: RequestHead) {
        let own = channel.eventLoop.makePromise(of: Void.self)
        question = own
        channel.closeFuture.whenComplete { _ in own.succeed() }
        channel.eventLoop.scheduleTask(in: proxy.configuration.limits.password) { own.succeed() }
        let earlier = proxy.latestQuestion.withLock { latest in
            defer { latest = own.futureResult }
            return latest
        }
        guard let earlier else { return refuse(.credentialsNeeded, head, closes: false) }
        earlier.hop(to: channel.eventLoop).assumeIsolated().whenComplete { _ in
            self.refuse(.credentialsNeeded, head, closes: false)
        }
    }

    private func refuse(_ refusal: RequestRefusal, _ request: RequestHead, closes: Bool) {
        proxy.report(refusal, of: request)
        let (head, content) = refusal.answer
        // RFC 9110 §9.3.2
        ProxyExchange.send(head, request.method == .head ? ByteBuffer() : content, closes: closes, to: channel)
    }

    /// `CONNECT` and `Upgrade`: from here on the connection carries no HTTP for this handler.
    private func leaveHTTP(_ head: RequestHead) {
        setAutoRead(false)
        guard let codec, let target = try? RequestTarget(head, .none, role: role, port: port, proxy: proxy) else {
            return
        }
        let (proxy, channel) = (proxy, channel)
        isUpgrading = target.isUpgrade
        if hasLeft { return channel.close(promise: nil) }
        let (bound, start) = (NIOLoopBound((self, codec), eventLoop: channel.eventLoop), proxy.cache.uptime)
        task = Task {
            // Bytes that were received but not read wait in ``ByteHoldingHandler``, which is removed when the handlers
            // that understand them are there. The codec goes last, so that its bytes meet no HTTP handler.
            let passage = TunnelSetup(proxy: proxy, channel: channel, head: head, target: target, start: start) {
                let (operations, (connection, codec)) = (channel.pipeline.syncOperations, bound.value)
                return channel.eventLoop.makeCompletedFuture { try ByteHoldingHandler.add(to: channel) }
                    .assumeIsolated().flatMap { operations.removeHandler(connection) }
                    .flatMap { operations.removeHandler(codec) }.nonisolated()
            }
            await passage.run()
        }
    }

    private func setAutoRead(_ isOn: Bool) {
        channel.setOption(ChannelOptions.autoRead, value: isOn).whenFailure { _ in }
    }

    /// Whether the client has left: on a connection that is to carry WebSocket, one that has ended its side can't send
    /// a first frame (RFC 6455 §4.1).
    private var hasLeft: Bool { inputHasEnded && isUpgrading }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            // It asks nothing any more, and answers nothing.
            question?.succeed()
            if hasLeft { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { codec = nil }

    func channelInactive(context: ChannelHandlerContext) {
        body?.finish(throwing: ChannelError.eof)
        body = nil
        task?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard let fault = error as? MessageFault else { return context.close(promise: nil) }
        // The content broke off; the codec answers.
        let message = RequestRefusal.notHTTP(fault).message
        body?.finish(throwing: EngineError(code: .invalidRequest, message: message, cause: fault))
        body = nil
        pendingConnect = nil
        task?.cancel()
    }
}

#endif
