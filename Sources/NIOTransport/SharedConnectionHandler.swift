#if Proxy
import HTTPMessages
import Locking
import NIOCore
import NIOHTTP2

/// The last handler of a connection of HTTP/2: what concerns all of its streams.
final class SharedConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    /// The facts that other threads may know.
    struct Standing: Sendable {
        /// How many streams the origin allows at once; 100 before it has said so, the least that RFC 9113 §6.5.2
        /// recommends.
        var streamLimit = 100
        /// Whether no more streams may be opened.
        var isDraining = false
        /// Whether nothing comes, although something is waited for: no more streams are opened until something does.
        var isSilent = false
        /// The connection is left after so many exchanges, long before its streams have no numbers any more (RFC 9113
        /// §5.1.1).
        var exchangeLimit = 1_000_000
        /// Whether a response has come on it.
        var hasServed = false
    }

    /// Why the connection had to end.
    private(set) var fault: MessageFault?
    let scheme: String
    let standing = LockedBox(Standing())
    /// Called when streams may be opened that could not, or no more can.
    var onChange: (@Sendable () -> Void)?
    private let eventLoop: any EventLoop
    /// From the origin's GOAWAY.
    private var end: (lastStream: HTTP2StreamID, code: HTTP2ErrorCode)?
    private var lastRead: NIODeadline
    private var isSilent = false

    /// A silence of all streams for so long makes a connection suspect while something is waited for.
    static let suspiciousSilence = TimeAmount.seconds(2)
    /// How much of a response's content may be on its way, in octets.
    static let streamWindow = 524_288
    /// How much of all responses' content may be on its way, in octets.
    static let connectionWindow = 4_194_304

    init(_ eventLoop: any EventLoop, isSecure: Bool) {
        self.eventLoop = eventLoop
        scheme = isSecure ? "https" : "http"
        lastRead = eventLoop.now
    }

    /// Adds the handlers of HTTP/2 to a new connection; on its event loop.
    static func add(to channel: any Channel, isSecure: Bool) throws {
        let connection = NIOHTTP2Handler.ConnectionConfiguration(
            HTTP2Setting(parameter: .enablePush, value: 0), streamWindow: streamWindow, window: connectionWindow)
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.targetWindowSize = streamWindow
        // An origin can reset no more streams than we open, and nginx does so for each request whose content it has not
        // read (§8.1).
        stream.streamResetFrameRateLimit.maximumCount = 10_000
        let operations = channel.pipeline.syncOperations
        try operations.addHandlers(
            NIOHTTP2Handler(
                mode: .client, eventLoop: channel.eventLoop, connectionConfiguration: connection,
                streamConfiguration: stream
            ) { $0.eventLoop.makeFailedFuture(NIOHTTP2Errors.pushInViolationOfSetting()) },
            SharedConnectionHandler(channel.eventLoop, isSecure: isSecure))
        // At once, not with the first content: else a page's first responses would wait for it.
        let more = HTTP2Frame(
            streamID: .rootStream, payload: .windowUpdate(windowSizeIncrement: connectionWindow - 65_535))
        channel.writeAndFlush(more, promise: nil)
    }

    /// No more streams are opened; those under way go on.
    func drain() {
        standing.withLock { $0.isDraining = true }
        onChange?()
    }

    /// An exchange that began then waits, or was given up. Where nothing else came meanwhile, the origin may not be
    /// there any more, as after a change of the network, and the next request is better off on a new connection.
    func waits(since begin: NIODeadline) {
        if eventLoop.now - max(lastRead, begin) >= Self.suspiciousSilence { note(isSilent: true) }
    }

    private func note(isSilent: Bool) {
        guard self.isSilent != isSilent else { return }
        self.isSilent = isSilent
        standing.withLock { $0.isSilent = isSilent }
        onChange?()
    }

    /// Why a stream ended before a response came.
    func reason(for error: (any Error)?, stream: HTTP2StreamID?) -> ClosedBeforeResponse.Reason? {
        if fault != nil { return nil }
        if error is NIOHTTP2Errors.CreatedStreamAfterGoaway || stream == nil { return .notProcessed }
        let code = (error as? NIOHTTP2Errors.StreamClosed)?.errorCode
        if code == .http11Required { return .wantsHTTP11(mayBePerformed: false) }
        // RFC 9113 §8.7: "Requests that have not been processed have not been performed".
        if code == .refusedStream { return .notProcessed }
        let isBeyond = end.flatMap { end in stream.map { $0 > end.lastStream } } ?? false
        if end?.code == .http11Required { return .wantsHTTP11(mayBePerformed: !isBeyond) }
        if isBeyond { return .notProcessed }
        return code == nil || end != nil ? .closed : nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data).payload {
        case .settings(.settings(let settings)):
            standing.withLock { standing in
                for setting in settings {
                    // Where it is zero for the moment (§6.5.2), one request waits in the connection.
                    if setting.parameter == .maxConcurrentStreams { standing.streamLimit = max(1, setting.value) }
                    // RFC 7541 §4.1: a table of any size would keep what all requests of a connection have said.
                    if setting.parameter == .headerTableSize, setting.value > 65_536 { standing.exchangeLimit = 1_000 }
                }
            }
            onChange?()
        case .goAway(let lastStream, let code, _):
            end = (lastStream, code)
            drain()
        default: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        lastRead = eventLoop.now
        note(isSilent: false)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // This is a request's own end.
        if error is NIOHTTP2Errors.CreatedStreamAfterGoaway { return }
        if fault == nil, !(error is ChannelError), !(error is IOError), let name = Self.name(of: error) {
            fault = MessageFault.malformed("It broke a rule of HTTP/2 (\(name)).")
        }
        drain()
        context.close(promise: nil)
    }

    /// The rule that was broken; `nil` for what is no rule of HTTP/2.
    private static func name(of error: any Error) -> String? {
        let type = String(reflecting: type(of: error))
        guard type.hasPrefix("NIOHTTP2") || type.hasPrefix("NIOHPACK") else { return nil }
        return String(type.split(separator: ".").last ?? "")
    }
}

extension NIOHTTP2Handler.ConnectionConfiguration {
    /// As origins' and clients' connections have it.
    package init(_ setting: HTTP2Setting, streamWindow: Int, window: Int) {
        self.init()
        initialSettings = [
            setting, HTTP2Setting(parameter: .initialWindowSize, value: streamWindow),
            HTTP2Setting(parameter: .maxHeaderListSize, value: MessageReader.headLimit),
        ]
        // `FieldBlock` and the codecs check both, and say what is wrong as they do it in HTTP/1.1.
        headerBlockValidation = .disabled
        contentLengthValidation = .disabled
        // As many as a head of the largest size needs; each has 16 KiB at least but the last.
        maximumSequentialContinuationFrames = MessageReader.headLimit / 16_384
        maximumSequentialEmptyDataFrames = 100
        // Frames that still come on streams that were given up are no fault: a page that is left gives up all of its
        // own.
        maximumRecentlyResetStreams = 1_000
        // Some servers measure the line with PING while content goes out; browsers send PRIORITY for pictures that
        // come into view.
        controlFrameRateLimit.maximumCount = 1_000
        targetWindowSize = window
    }
}
#endif
