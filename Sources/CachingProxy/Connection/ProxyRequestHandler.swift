#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import NIOCore

/// The handler of one client connection: reads requests, hands each to a task, and lets the next one come when the
/// answer is out.
///
/// Lives on the channel's event loop; the tasks come back to it through the channel only.
final class ProxyRequestHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = RequestPart
    typealias OutboundOut = ResponsePart

    /// What the bytes on this connection are.
    enum Role: Hashable, Sendable {
        /// As configured: forward or reverse.
        case listener
        /// Inside a `CONNECT` that was intercepted: origin-form requests for this one authority.
        case intercepted(authority: String)
    }

    /// An object of its own, because every connection that waits would have room for it.
    private final class Begun {
        let exchange: ProxyExchange
        let state: BegunExchange

        init(_ exchange: ProxyExchange, _ state: BegunExchange) {
            self.exchange = exchange
            self.state = state
        }
    }

    let proxy: ProxyServer
    let role: Role
    let channel: any Channel
    var http: ClientSide?
    private var body: BodyPipe?
    /// The `Connection` lines of the request whose body it is.
    private var options: [String] = []
    private var task: Task<Void, Never>?
    private var pendingConnect: RequestHead?
    /// The request whose head comes next, where ``readyAnswer(to:_:exchange:)`` has begun to answer it.
    private var begun: Begun?
    /// Whether the request that is being read came before, in the same octets.
    private var isRepeated = false
    /// Whether the client has ended its side.
    private var inputHasEnded = false
    /// Whether a protocol switch is being asked for.
    private var isUpgrading = false
    private lazy var port = channel.localAddress?.port
    private lazy var client = channel.remoteAddress?.port.map { "port \($0)" } ?? ""

    init(_ proxy: ProxyServer, role: Role, channel: any Channel) {
        self.proxy = proxy
        self.role = role
        self.channel = channel
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

    /// The answer to a request that was answered before, in the same octets and on a connection of the same kind;
    /// `nil` for any other, which then has to be read.
    func answerAgain(to octets: ByteBuffer) -> ReadyAnswer? {
        switch proxy.recent.find(octets, role) {
        case .nothing: isRepeated = false
        case .seen: isRepeated = true
        case .answered(let known):
            isRepeated = true
            guard let answer = proxy.cache.answer(proxy.context(client), again: known.standing),
                let content = content(of: answer)
            else { return nil }
            let head = PreparedHead.octets(of: answer, closes: known.closes, proxy: proxy.identity)
            return ReadyAnswer(head: head, content: content, closes: known.closes)
        }
        return nil
    }

    /// The answer to a request that a stored response answers as it is; `nil` for any other, whose head then has to
    /// come through ``channelRead(context:data:)`` next.
    ///
    /// All that is checked of other requests is checked of these first.
    ///
    /// - Parameter octets: The head as it came, for which ``answerAgain(to:)`` was asked before.
    func readyAnswer(
        to head: RequestHead, _ framing: MessageFraming, exchange: Int, octets: ByteBuffer
    ) -> ReadyAnswer? {
        guard head.method == .get || head.method == .head, framing.statedLength == 0,
            let target = try? RequestTarget(head, framing, role: role, port: port, proxy: proxy), !target.isUpgrade
        else { return nil }
        let exchange = makeExchange(head, exchange, target, body: nil)
        let request = exchange.request
        let state = proxy.cache.begin(request, remembers: isRepeated)
        if case .answered(let answer) = state, let content = content(of: answer) {
            let closes = !head.persists
            if let standing = answer.standing {
                proxy.recent.keep(.init(standing: standing, closes: closes), to: octets, role)
            }
            let head = PreparedHead.octets(of: answer, closes: closes, proxy: proxy.identity)
            return ReadyAnswer(head: head, content: content, closes: closes)
        }
        begun = Begun(exchange, state)
        return nil
    }

    private func content(of answer: ImmediateAnswer) -> ReadyAnswer.Content? {
        switch answer.content {
        case nil: return ReadyAnswer.Content.none
        case .bytes(let bytes)?: return .bytes(bytes, Int(answer.region.lowerBound)..<Int(answer.region.upperBound))
        case .file(let file)?:
            // The first one to send it compares its blocks, which is nothing for an event loop.
            guard sendsRegions, file.isVerified(answer.region) else { return nil }
            return .stored(StoredPart(file, answer.region))
        }
    }

    private var sendsRegions: Bool {
        if case .listener = role { true } else { false }
    }

    private func makeExchange(
        _ head: RequestHead, _ exchange: Int, _ target: RequestTarget, body: RequestBody?
    ) -> ProxyExchange {
        ProxyExchange(
            proxy: proxy, channel: channel, head: head, exchange: exchange, target: target, body: body,
            sendsRegions: sendsRegions, client: client)
    }

    private func begin(_ head: RequestHead, _ framing: MessageFraming, _ exchange: Int) {
        if let begun {
            self.begun = nil
            (body, options) = (nil, [])
            let (exchange, state) = (begun.exchange, begun.state)
            task = Task { await exchange.run(state) }
            return
        }
        let target: RequestTarget
        do {
            target = try RequestTarget(head, framing, role: role, port: port, proxy: proxy)
        } catch {
            refuse(error, head)
            return
        }
        if target.isTunnel || target.isUpgrade {
            pendingConnect = head
            return
        }
        let pipe = framing.statedLength == 0 ? nil : makePipe()
        body = pipe
        options = pipe == nil ? [] : head.fields[values: .connection]
        let answer = makeExchange(
            head, exchange, target, body: pipe.map { RequestBody($0, length: framing.statedLength) })
        task = Task { await answer.run() }
    }

    private func makePipe() -> BodyPipe {
        let channel = channel
        return BodyPipe(
            onDemand: {
                channel.setOption(ChannelOptions.autoRead, value: true).whenComplete { _ in channel.read() }
            },
            onCancel: {
                // Nobody wants the rest: let it pass by, so that the answer can be sent and the connection closed.
                channel.setOption(ChannelOptions.autoRead, value: true).whenComplete { _ in channel.read() }
            })
    }

    private func refuse(_ refusal: RequestRefusal, _ request: RequestHead) {
        proxy.report(refusal, of: request)
        let (head, content) = refusal.answer
        ProxyExchange.send(head, content, to: channel)
    }

    /// `CONNECT` and `Upgrade`: from here on the connection carries something else than our HTTP.
    private func leaveHTTP(_ head: RequestHead) {
        setAutoRead(false)
        guard let http, let target = try? RequestTarget(head, .none, role: role, port: port, proxy: proxy) else {
            return
        }
        let (proxy, channel) = (proxy, channel)
        isUpgrading = target.isUpgrade
        if hasLeft { return channel.close(promise: nil) }
        let bound = NIOLoopBound(http, eventLoop: channel.eventLoop)
        task = Task {
            let passage = TunnelSetup(proxy: proxy, channel: channel, head: head, target: target) {
                bound.value.remove(from: channel)
            }
            await passage.run()
        }
    }

    private func setAutoRead(_ isOn: Bool) {
        channel.setOption(ChannelOptions.autoRead, value: isOn).whenFailure { _ in }
    }

    /// Of a connection that is to carry WebSocket, one who has ended their side has left: its first frame would be missing
    /// (RFC 6455 §4.1).
    private var hasLeft: Bool { inputHasEnded && isUpgrading }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            inputHasEnded = true
            if hasLeft { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        // It holds this handler.
        http = nil
    }

    func channelInactive(context: ChannelHandlerContext) {
        body?.finish(throwing: ChannelError.eof)
        body = nil
        task?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is MessageFault else {
            context.close(promise: nil)
            return
        }
        // The content broke off; what there is to answer was answered already.
        body?.finish(throwing: error)
        body = nil
        pendingConnect = nil
        task?.cancel()
    }
}
#endif
