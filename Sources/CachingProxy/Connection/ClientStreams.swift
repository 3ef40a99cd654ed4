#if Proxy
import NIOCore
import NIOHTTP2
import NIOTransport

/// The last handler of a client's connection of HTTP/2: what concerns all of its streams.
///
/// WebSocket over HTTP/2 (RFC 8441) is not offered: clients open a connection of HTTP/1.1 for it.
final class ClientStreams: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// How many requests a client may have under way at once: a page of many small files asks for all of them in one
    /// round trip (RFC 9113 §6.5.2 recommends 100 at least).
    static let streamLimit = 256
    /// How much of a request's content may be on its way, in octets.
    static let streamWindow = 262_144
    /// How much of all requests' content may be on its way, in octets.
    static let connectionWindow = 1_048_576
    /// How many requests a client may give up in 30 seconds. Each costs a look at the store, and a page that is left
    /// gives up all of its own.
    static let resetLimit = 1_000

    private let limits: ProxyConfiguration.Limits
    private var watch: SilenceWatch<Int>?
    private var opened = 0
    private var open = 0
    private var last = HTTP2StreamID.rootStream
    private var isStopping = false
    private var linger: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(_ limits: ProxyConfiguration.Limits) { self.limits = limits }

    /// Adds the handlers of HTTP/2 to a connection, each stream of which carries one request; on its event loop.
    static func install(on channel: any Channel, _ proxy: ProxyServer, _ role: ProxyRequestHandler.Role) throws {
        let connection = NIOHTTP2Handler.ConnectionConfiguration(
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streamLimit), streamWindow: streamWindow,
            window: connectionWindow)
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = streamWindow
        stream.streamResetFrameRateLimit.maximumCount = resetLimit
        let streams = ClientStreams(proxy.configuration.limits)
        let bound = NIOLoopBound(streams, eventLoop: channel.eventLoop)
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers(
            NIOHTTP2Handler(
                mode: .server, eventLoop: channel.eventLoop, connectionConfiguration: connection,
                streamConfiguration: stream
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    bound.value.count(stream)
                    // It begins as the connection's, which may not be on yet.
                    try stream.syncOptions?.setOption(ChannelOptions.autoRead, value: true)
                    let handler = ProxyRequestHandler(proxy, role: role, channel: stream)
                    try stream.pipeline.syncOperations.addHandlers(StreamServerCodec(handler), handler)
                }
            }, streams)
    }

    private func count(_ stream: any Channel) {
        opened += 1
        open += 1
        last = (try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)) ?? last
        stream.closeFuture.assumeIsolated().whenComplete { _ in
            self.open -= 1
            self.closeIfDone()
        }
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        let bound = context.loopBound
        watch = SilenceWatch(limits.idle, on: context.eventLoop) { [weak self] in
            guard let self, open == 0 else { return nil }
            return opened
        } whenSilent: { [weak self] in
            self?.stop(bound.value)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        linger?.cancel()
        watch?.stop()
        watch = nil
    }

    /// Requests under way go on; no more are taken.
    private func stop(_ context: ChannelHandlerContext) {
        guard !isStopping else { return }
        isStopping = true
        let end = HTTP2Frame(
            streamID: .rootStream, payload: .goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil))
        context.writeAndFlush(wrapOutboundOut(end), promise: nil)
        closeIfDone()
    }

    private func closeIfDone() {
        guard isStopping, open == 0, linger == nil else { return }
        linger = context?.closeGently(within: limits.linger)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is EndOfService: stop(context)
        // A client that has ended its side can give no room for an answer any more (RFC 9113 §6.9).
        case ChannelEvent.inputClosed where !isStopping: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    /// A broken rule of the connection ends it; the client was told which.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
