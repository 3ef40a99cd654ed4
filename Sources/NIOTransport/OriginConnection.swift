#if Proxy
import CacheEngine
import HTTPMessages
import HTTPTypes
import Locking
import NIOCore
import NIOHTTP2
import OriginDialing

/// One connection to an origin: of HTTP/1.1, with one exchange at a time, or of HTTP/2, which many share.
final class OriginConnection: Sendable {
    /// A channel that carries an exchange: a connection of HTTP/1.1, or a stream.
    fileprivate struct Line: Sendable {
        var channel: any Channel
        var handler: NIOLoopBound<any Exchanging>

        /// - Parameter handler: In the channel's pipeline. The one of a channel that has ended is empty.
        init(_ channel: any Channel, _ handler: (some Exchanging & ChannelHandler).Type) throws {
            self.channel = channel
            self.handler = NIOLoopBound(
                try channel.pipeline.syncOperations.handler(type: handler), eventLoop: channel.eventLoop)
        }
    }

    private struct Shared: Sendable {
        var handler: NIOLoopBound<SharedConnectionHandler>
        var standing: LockedBox<SharedConnectionHandler.Standing>
        var streams: NIOHTTP2Handler.StreamMultiplexer
    }

    private enum Kind: Sendable {
        case exclusive(Line)
        case shared(Shared)
    }

    private let channel: any Channel
    private let host: String
    private let kind: Kind
    private let exchanges = LockedBox(0)
    /// Whether it has been kept without an exchange.
    let wasIdle = AtomicFlag(false)

    private init(_ channel: any Channel, host: String, _ kind: Kind) {
        self.channel = channel
        self.host = host
        self.kind = kind
    }

    static func open(
        _ endpoint: OriginDialer.Endpoint, offersHTTP2: Bool = true, _ dialer: OriginDialer
    ) async throws -> OriginConnection {
        let host = endpoint.description
        let channel = try await dialer.connect(endpoint, offersHTTP2: offersHTTP2) { channel, isHTTP2 in
            guard !isHTTP2 else { return try SharedConnectionHandler.add(to: channel, isSecure: endpoint.isSecure) }
            try channel.pipeline.syncOperations.addHandler(
                ExchangeHandler(channel, ConnectionCodec(channel), host: host))
        }
        do {
            let kind = try await channel.eventLoop.submit { () throws -> Kind in
                let operations = channel.pipeline.syncOperations
                guard let handler = try? operations.handler(type: SharedConnectionHandler.self) else {
                    return .exclusive(try Line(channel, ExchangeHandler<ConnectionCodec>.self))
                }
                return .shared(
                    Shared(
                        handler: NIOLoopBound(handler, eventLoop: channel.eventLoop), standing: handler.standing,
                        streams: try operations.handler(type: NIOHTTP2Handler.self).syncMultiplexer()))
            }.get()
            return OriginConnection(channel, host: host, kind)
        } catch {
            // The pipeline of a connection that has ended is empty.
            throw TransportError(
                code: .closedEarly, message: "'\(host)' closed the connection at once.", cause: error)
        }
    }

    // MARK: Its standing

    /// Whether it can carry another exchange.
    var isOpen: Bool {
        guard case .shared(let shared) = kind else { return channel.isActive }
        let exchanges = exchanges.withLock { $0 }
        return channel.isActive
            && shared.standing.withLock {
                !$0.isDraining && !$0.isSilent && exchanges < $0.exchangeLimit
            }
    }

    /// How many exchanges it carries at once; `nil` where one has it for itself, and the next one after it.
    var streamLimit: Int? {
        guard case .shared(let shared) = kind else { return nil }
        return shared.standing.withLock { $0.streamLimit }
    }

    /// Whether it was there before the exchange that begins now, which it was kept for or carries after another one:
    /// only then may the origin have closed it meanwhile.
    var wasKept: Bool {
        guard case .shared(let shared) = kind else { return wasIdle.value || exchanges.withLock { $0 > 0 } }
        return wasIdle.value || shared.standing.withLock { $0.hasServed }
    }

    func close() { channel.close(promise: nil) }

    /// Closes it, and tells when its descriptor is free.
    func closed() -> EventLoopFuture<Void> { channel.close() }

    /// Calls back when it has closed, by whichever side; at once if it has already.
    func onClose(_ body: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in body() }
    }

    /// Calls back when a shared connection takes more exchanges than before, or none any more.
    func onChange(_ body: @escaping @Sendable () -> Void) {
        guard case .shared(let shared) = kind else { return }
        channel.eventLoop.execute {
            shared.handler.value.onChange = body
            body()
        }
    }

    /// Lets what is under way on a shared connection end, and takes nothing more.
    func drain() {
        guard case .shared(let shared) = kind else { return }
        shared.standing.withLock { $0.isDraining = true }
        channel.eventLoop.execute { shared.handler.value.drain() }
    }

    // MARK: Exchanges

    /// Sends a request; the body follows while the response may already arrive.
    ///
    /// - Parameters:
    ///   - head: The request's, as it goes on the wire, with its framing.
    ///   - silenceLimit: The longest silence before the response head.
    ///   - onReusable: Called when the response has ended and the connection can carry another exchange; for a shared
    ///     connection when the exchange has ended, however it did.
    /// - Throws: ``TransportError``; ``ClosedBeforeResponse`` when the connection ended before a byte of an answer.
    func send(
        _ request: TransportRequest, _ head: (RequestHead, MessageFraming), silenceLimit: TimeAmount?,
        onReusable: @escaping @Sendable () -> Void
    ) async throws -> TransportResponse {
        exchanges.withLock { $0 += 1 }
        switch kind {
        case .exclusive(let line):
            return try await line.send(request, head, silenceLimit: silenceLimit, onReusable: onReusable)
        case .shared(let shared):
            let isOver = LockedBox(false)
            let onEnd: @Sendable () -> Void = {
                let isNews = isOver.withLock { isOver in
                    defer { isOver = true }
                    return !isOver
                }
                if isNews { onReusable() }
            }
            let line = try await open(shared, onEnd)
            return try await line.send(request, head, silenceLimit: silenceLimit, onReusable: onEnd)
        }
    }

    private func open(_ shared: Shared, _ onEnd: @escaping @Sendable () -> Void) async throws -> Line {
        let host = host
        let stream = shared.streams.createStreamChannel { stream in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandler(
                    ExchangeHandler(stream, StreamCodec(stream, shared.handler.value), host: host))
            }
        }
        do {
            let line = try await stream.flatMapThrowing { try Line($0, ExchangeHandler<StreamCodec>.self) }.get()
            line.channel.closeFuture.whenComplete { _ in onEnd() }
            return line
        } catch {
            onEnd()
            throw ClosedBeforeResponse(
                failure: TransportError(
                    code: .closedEarly, message: "'\(host)' closed the connection.", cause: error),
                reason: .notProcessed)
        }
    }
}

extension OriginConnection.Line {
    /// As the connection's.
    func send(
        _ request: TransportRequest, _ head: (RequestHead, MessageFraming), silenceLimit: TimeAmount?,
        onReusable: @escaping @Sendable () -> Void
    ) async throws -> TransportResponse {
        let (head, framing) = head
        let (channel, handler) = (channel, handler)
        let onInterim = request.onInterim
        let answer = try await withTaskCancellationHandler {
            let received = channel.eventLoop.flatSubmit {
                handler.value.begin(
                    head, framing, hasBody: request.body != nil, silenceLimit: silenceLimit, onInterim: onInterim,
                    onReusable: onReusable)
            }
            guard let body = request.body else { return try await received.get() }
            let upload = Task { try await self.upload(body) }
            do {
                return try await received.get()
            } catch {
                upload.cancel()
                body.source.cancel()
                // Another attempt may follow, and would read beside it.
                if error is ClosedBeforeResponse { _ = await upload.result }
                throw error
            }
        } onCancel: {
            channel.close(promise: nil)
        }
        try Task.checkCancellation()
        return TransportResponse(
            head: HTTPResponse(status: answer.head.status, headerFields: answer.head.fields), body: answer.body,
            bodyLength: answer.length)
    }

    /// Writes piece by piece; a full socket stops the client's sending.
    private func upload(_ body: RequestBody) async throws {
        let (channel, handler) = (channel, handler)
        do {
            _ = try await body.forEachPiece { piece in
                try await channel.eventLoop.flatSubmit { handler.value.write(ByteBuffer(bytes: piece)) }.get()
                return true
            }
            let trailers = body.source.trailers ?? [:]
            try await channel.eventLoop.flatSubmit { handler.value.endRequest(trailers) }.get()
        } catch {
            body.source.cancel()
            // A request that can't be finished makes the connection useless, unless the response is here already.
            try? await channel.eventLoop.submit { handler.value.requestFailed(error) }.get()
            throw error
        }
    }
}

/// A request's head as it goes to an origin.
enum WireHead {
    /// - Throws: ``TransportError`` when the target can't be put on the wire.
    static func make(_ request: TransportRequest) throws -> (head: RequestHead, framing: MessageFraming) {
        let target = request.head.path.flatMap { $0.isEmpty ? nil : $0 } ?? "/"
        let host = request.head.authority ?? ""
        guard (target + host).utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw TransportError(
                code: .malformedRequest,
                message: "The address has octets that no URI may have; percent-encode them (RFC 3986 §2.1).")
        }
        let head = RequestHead(
            method: request.head.method, target: target, host: host, fields: request.head.headerFields)
        return (head, framing(of: request))
    }

    /// RFC 9112 §6.3, from the sender's side.
    private static func framing(of request: TransportRequest) -> MessageFraming {
        if let body = request.body { return body.length.map { .length($0) } ?? .chunked }
        // RFC 9110 §8.6: "A user agent SHOULD send Content-Length in a request when the method defines a meaning for
        // enclosed content and it is not sending Transfer-Encoding", and who has said 0 meant it.
        let expectsContent = [.post, .put, .patch].contains(request.head.method)
        return expectsContent || request.head.headerFields.contains(.contentLength) ? .length(0) : .none
    }
}

/// A connection ended before a byte of the response came, so the origin may never have seen the request.
struct ClosedBeforeResponse: Error {
    enum Reason {
        /// The connection is gone; whether the origin had begun to act is not known.
        case closed
        /// The origin has said that it has not acted (RFC 9113 §8.7), or it never got the request.
        case notProcessed
        /// It goes by HTTP/1.1 alone: the origin says so (RFC 9113 §7, HTTP_1_1_REQUIRED), or its head is too long.
        /// Where the origin says so of the connection, it may have acted already.
        case wantsHTTP11(mayBePerformed: Bool)
    }

    /// The error to report if the request is not sent again.
    var failure: TransportError
    var reason: Reason
}
#endif
