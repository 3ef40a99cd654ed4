import CacheEngine
import HTTPTypes
import Locking
import NIOCore
import NIOHTTP1
import OriginDialing

/// One connection to an origin, one exchange at a time.
final class OriginConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<ExchangeHandler>
    private let host: String
    private let exchanges = LockedBox(0)

    /// Whether it has carried an exchange before the current one: only then may the origin have closed it meanwhile.
    var hasServed: Bool { exchanges.withLock { $0 > 1 } }

    private init(_ channel: any Channel, _ handler: NIOLoopBound<ExchangeHandler>, host: String) {
        self.channel = channel
        self.handler = handler
        self.host = host
    }

    static func open(
        _ endpoint: OriginDialer.Endpoint, _ dialer: OriginDialer, headTimeout: TimeAmount
    ) async throws -> OriginConnection {
        let channel = try await dialer.connect(endpoint) { channel in
            let operations = channel.pipeline.syncOperations
            try operations.addHandler(HTTPRequestEncoder())
            try operations.addHandler(NIOHTTPRequestHeadersValidator())
            try operations.addHandler(
                ByteToMessageHandler(
                    HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)))
            try operations.addHandler(ExchangeHandler(channel, host: endpoint.description, headTimeout: headTimeout))
        }
        let handler = try await channel.eventLoop.submit {
            NIOLoopBound(
                try channel.pipeline.syncOperations.handler(type: ExchangeHandler.self), eventLoop: channel.eventLoop)
        }.get()
        return OriginConnection(channel, handler, host: endpoint.description)
    }

    var isOpen: Bool { channel.isActive }

    func close() { channel.close(promise: nil) }

    /// Sends a request; the body follows while the response may already arrive.
    ///
    /// - Parameter onReusable: Called when the response has ended and the connection can carry another exchange.
    func send(
        _ request: TransportRequest, onReusable: @escaping @Sendable () -> Void
    ) async throws -> TransportResponse {
        let head = WireHead.make(request)
        exchanges.withLock { $0 += 1 }
        let handler = handler
        let isHead = request.head.method == .head
        let onInterim = request.onInterim
        let answer = try await withTaskCancellationHandler {
            let received = channel.eventLoop.flatSubmit {
                handler.value.begin(head, hasBody: request.body != nil, onInterim: onInterim, onReusable: onReusable)
            }
            guard let body = request.body else { return try await received.get() }
            let channel = channel
            let upload = Task { try await Self.upload(body, to: channel, handler) }
            do {
                let answer = try await received.get()
                return answer
            } catch {
                upload.cancel()
                body.source.cancel()
                throw error
            }
        } onCancel: {
            close()
        }
        try Task.checkCancellation()
        var length = answer.head.headers.first(name: "content-length").flatMap { Int64($0) }
        if answer.head.headers.contains(name: "transfer-encoding") { length = nil }
        if isHead || [204, 304].contains(answer.head.status.code) { length = 0 }
        return TransportResponse(head: WireHead.read(answer.head), body: answer.body, bodyLength: length)
    }

    /// Writes piece by piece; a full socket stops the client's sending.
    private static func upload(
        _ body: RequestBody, to channel: any Channel, _ handler: NIOLoopBound<ExchangeHandler>
    ) async throws {
        do {
            while let piece = try await body.source.next() {
                let part = HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: piece)))
                try await channel.writeAndFlush(part)
            }
            try await channel.writeAndFlush(HTTPClientRequestPart.end(nil))
            try await channel.eventLoop.submit { handler.value.requestEnded() }.get()
        } catch {
            body.source.cancel()
            // A request that can't be finished makes the connection useless, unless the response is here already.
            try? await channel.eventLoop.submit { handler.value.requestFailed(error) }.get()
            throw error
        }
    }
}
