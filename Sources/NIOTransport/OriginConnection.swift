#if Proxy
import CacheEngine
import HTTPMessages
import HTTPTypes
import Locking
import NIOCore
import OriginDialing

/// One connection to an origin, one exchange at a time.
final class OriginConnection: Sendable {
    private let channel: any Channel
    private let handler: NIOLoopBound<ExchangeHandler>
    private let exchanges = LockedBox(0)

    /// Whether it has carried an exchange before the current one: only then may the origin have closed it meanwhile.
    var hasServed: Bool { exchanges.withLock { $0 > 1 } }

    private init(_ channel: any Channel, _ handler: NIOLoopBound<ExchangeHandler>) {
        self.channel = channel
        self.handler = handler
    }

    static func open(_ endpoint: OriginDialer.Endpoint, _ dialer: OriginDialer) async throws -> OriginConnection {
        let channel = try await dialer.connect(endpoint) { channel in
            try channel.pipeline.syncOperations.addHandler(ExchangeHandler(channel, host: endpoint.description))
        }
        do {
            let handler = try await channel.eventLoop.submit {
                NIOLoopBound(
                    try channel.pipeline.syncOperations.handler(type: ExchangeHandler.self),
                    eventLoop: channel.eventLoop)
            }.get()
            return OriginConnection(channel, handler)
        } catch {
            // The pipeline of a connection that has ended is empty.
            throw TransportError(
                code: .closedEarly, message: "'\(endpoint.description)' closed the connection at once.", cause: error)
        }
    }

    var isOpen: Bool { channel.isActive }

    func close() { channel.close(promise: nil) }

    /// Closes it, and tells when its descriptor is free.
    func closed() -> EventLoopFuture<Void> { channel.close() }

    /// Calls back when it has closed, by whichever side; at once if it has already.
    func onClose(_ body: @escaping @Sendable () -> Void) {
        channel.closeFuture.whenComplete { _ in body() }
    }

    /// Sends a request; the body follows while the response may already arrive.
    ///
    /// - Parameters:
    ///   - silenceLimit: The longest silence before the response head.
    ///   - onReusable: Called when the response has ended and the connection can carry another exchange.
    /// - Throws: ``TransportError``; ``ClosedBeforeResponse`` when the connection ended before a byte of an answer.
    func send(
        _ request: TransportRequest, silenceLimit: TimeAmount?, onReusable: @escaping @Sendable () -> Void
    ) async throws -> TransportResponse {
        let (head, framing) = try WireHead.make(request)
        exchanges.withLock { $0 += 1 }
        let handler = handler
        let onInterim = request.onInterim
        let answer = try await withTaskCancellationHandler {
            let received = channel.eventLoop.flatSubmit {
                handler.value.begin(
                    head, framing, hasBody: request.body != nil, silenceLimit: silenceLimit, onInterim: onInterim,
                    onReusable: onReusable)
            }
            guard let body = request.body else { return try await received.get() }
            let channel = channel
            let upload = Task { try await Self.upload(body, framing, to: channel, handler) }
            do {
                return try await received.get()
            } catch {
                upload.cancel()
                body.source.cancel()
                throw error
            }
        } onCancel: {
            close()
        }
        try Task.checkCancellation()
        return TransportResponse(
            head: HTTPResponse(status: answer.head.status, headerFields: answer.head.fields), body: answer.body,
            bodyLength: answer.length)
    }

    /// Writes piece by piece; a full socket stops the client's sending.
    private static func upload(
        _ body: RequestBody, _ framing: MessageFraming, to channel: any Channel,
        _ handler: NIOLoopBound<ExchangeHandler>
    ) async throws {
        do {
            var left = framing.statedLength
            while let piece = try await body.source.next() {
                if let limit = left {
                    // More than was announced would be taken for another request (RFC 9112 §11.2).
                    guard Int64(piece.count) <= limit else { throw otherLength }
                    left = limit - Int64(piece.count)
                }
                try await channel.eventLoop.flatSubmit { handler.value.write(ByteBuffer(bytes: piece)) }.get()
            }
            guard left ?? 0 == 0 else { throw otherLength }
            let trailers = (body.source as? any TrailerSource)?.trailers ?? [:]
            try await channel.eventLoop.flatSubmit { handler.value.endRequest(trailers) }.get()
        } catch {
            body.source.cancel()
            // A request that can't be finished makes the connection useless, unless the response is here already.
            try? await channel.eventLoop.submit { handler.value.requestFailed(error) }.get()
            throw error
        }
    }

    private static var otherLength: TransportError {
        TransportError(
            code: .malformedRequest, message: "The request's content has another length than was announced.")
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
    /// The error to report if the request is not sent again.
    var failure: TransportError
}
#endif
