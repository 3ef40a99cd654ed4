#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import NIOCore
import NIOHTTP1

/// The handler of one client connection: reads requests, hands each to a task, and lets the next one come when the
/// answer is out.
///
/// Lives on the channel's event loop; the tasks come back to it through the channel only.
final class ClientConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// What the bytes on this connection are.
    enum Role: Sendable {
        /// As configured: forward or reverse.
        case listener
        /// Inside a `CONNECT` that was intercepted: origin-form requests for this one authority.
        case intercepted(authority: String)
    }

    let proxy: ProxyServer
    let role: Role
    let channel: any Channel
    var http: ClientSide?
    private var body: BodyPipe?
    private var task: Task<Void, Never>?
    private var pendingConnect: HTTPRequestHead?

    init(_ proxy: ProxyServer, role: Role, channel: any Channel) {
        self.proxy = proxy
        self.role = role
        self.channel = channel
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): begin(head)
        case .body(let buffer):
            if let body, !body.write(Array(buffer.readableBytesView)) { setAutoRead(false) }
        case .end:
            body?.finish()
            body = nil
            if let head = pendingConnect {
                pendingConnect = nil
                leaveHTTP(head)
            }
        }
    }

    private func begin(_ head: HTTPRequestHead) {
        let target: RequestTarget
        do {
            target = try RequestTarget(head, role: role, proxy: proxy)
        } catch {
            refuse(error, head)
            return
        }
        if target.isTunnel || target.isUpgrade {
            pendingConnect = head
            return
        }
        let pipe = Self.hasContent(head) ? makePipe() : nil
        body = pipe
        let answer = ProxyExchange(
            proxy: proxy, channel: channel, head: head, target: target,
            body: pipe.map {
                RequestBody($0, length: head.headers.first(name: "content-length").flatMap { Int64($0) })
            })
        task = Task { await answer.run() }
    }

    private static func hasContent(_ head: HTTPRequestHead) -> Bool {
        head.headers.contains(name: "transfer-encoding")
            || (head.headers.first(name: "content-length").flatMap { Int64($0) } ?? 0) > 0
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

    private func refuse(_ refusal: RequestRefusal, _ head: HTTPRequestHead) {
        let channel = channel
        task = Task { await ProxyExchange.send(refusal, to: channel, closing: true) }
    }

    /// `CONNECT` and `Upgrade`: from here on the connection carries something else than our HTTP.
    private func leaveHTTP(_ head: HTTPRequestHead) {
        setAutoRead(false)
        guard let http, let target = try? RequestTarget(head, role: role, proxy: proxy) else { return }
        let (proxy, channel) = (proxy, channel)
        let bound = NIOLoopBound(http, eventLoop: channel.eventLoop)
        task = Task {
            let passage = Passage(proxy: proxy, channel: channel, head: head, target: target) {
                bound.value.remove(from: channel)
            }
            await passage.run()
        }
    }

    private func setAutoRead(_ isOn: Bool) {
        channel.setOption(ChannelOptions.autoRead, value: isOn).whenFailure { _ in }
    }

    func channelInactive(context: ChannelHandlerContext) {
        body?.finish(throwing: ChannelError.eof)
        body = nil
        task?.cancel()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
