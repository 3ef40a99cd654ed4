#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore

/// Puts one request through the engine, and sends the answer to the client.
struct ProxyExchange: Sendable {
    let proxy: ProxyServer
    let channel: any Channel
    let request: ClientRequest
    /// The number of the request on its connection.
    let exchange: Int
    /// The partition of the store, see `CacheKey.partition`.
    let partition: String

    private var head: RequestHead { request.head }

    /// Answers a request that may carry content.
    func run(_ body: RequestBody?, _ context: ExchangeContext) async {
        var presented = request.presented(by: proxy.identity)
        if let hops = hopsLeft(presented) {
            guard hops > 0 else { return await answerAsLast() }
            presented.headerFields[.maxForwards] = String(hops - 1)
        }
        var context = context
        context.destination = request.destination
        if let mode = request.cacheMode { context.mode = mode }
        await run(proxy.cache.begin(EngineRequest(head: presented, body: body, context: context)), hasBody: body != nil)
    }

    func run(_ begun: BegunExchange, hasBody: Bool = false) async {
        let response: EngineResponse
        switch begun {
        case .answered(let answer): response = answer.response
        case .underWay(let rest):
            response = await rest.respond { [channel, head, exchange, via] interim in
                // RFC 9110 §15.2: not to a client that speaks HTTP/1.0, which has no interim responses.
                guard !head.isHTTP10 else { return }
                var interim = interim
                HopByHopFields.remove(from: &interim.headerFields)
                interim.headerFields.append(via)
                channel.writeAndFlush(ResponsePart.interim(interim, exchange: exchange), promise: nil)
            }
        }
        if request.destination == .document { proxy.noteDocument(isNew: response.cacheStatus.isStored) }
        do {
            guard await !mustFail(response) else { throw ChannelError.eof }
            try await send(response, hasBody: hasBody)
        } catch {
            response.body.makeSource().cancel()
            channel.close(promise: nil)
        }
    }

    /// Whether a web view has to see that a request has failed, and no response of ours: to it the end of a connection
    /// is a network error (Fetch §4.4). A site's service worker then answers itself, and an event stream is opened
    /// again, which ends for good with any status but 200 (HTML §9.2.2).
    private func mustFail(_ response: EngineResponse) async -> Bool {
        guard response.failure != nil, proxy.identity.isPartOfClient, !request.destination.isPage else { return false }
        if head.fields[.accept] == "text/event-stream" { return true }
        return await proxy.cache.hasServiceWorker(on: request.target.authority, partition: partition)
    }

    /// The value of `Max-Forwards`, which counts for TRACE and OPTIONS alone (RFC 9110 §7.6.2).
    private func hopsLeft(_ presented: HTTPRequest) -> Int64? {
        guard head.method == .options || head.method == .trace, let value = presented.headerFields[.maxForwards],
            let hops = DeltaSeconds.parse(value)
        else { return nil }
        return hops.components.seconds
    }

    /// "If the received value is zero, the intermediary MUST NOT forward the request; instead, the intermediary MUST
    /// respond as the final recipient." A TRACE is not echoed: what it carries may be secret (§9.3.8).
    private func answerAsLast() async {
        let start = proxy.cache.uptime
        let status: HTTPResponse.Status = head.method == .options ? .ok : .methodNotAllowed
        let answer = HTTPResponse(
            status: status, headerFields: [.allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS", .contentLength: "0"])
        var cacheStatus = CacheStatus()
        cacheStatus.detail = "max-forwards"
        do {
            try await send(EngineResponse(head: answer, body: .bytes([]), cacheStatus: cacheStatus))
        } catch {
            channel.close(promise: nil)
        }
        proxy.report(UncachedRequest(.lastRecipient, head, request.target, status: status.code), since: start)
    }

    private var via: HTTPField { proxy.identity.via }

    private func send(_ response: EngineResponse, hasBody: Bool = false) async throws {
        var out = response.head
        proxy.identity.origin?.translate(&out.headerFields)
        out.headerFields.append(via)
        if proxy.configuration.sendsCacheStatus {
            out.headerFields.append(HTTPField(name: .cacheStatus, value: response.cacheStatus.description))
        }
        let framing = framing(of: response)
        // After an error answer nobody reads the rest of the content, which may be long: the client is told to end it.
        // One that waited to be told to send it (RFC 9110 §10.1.1) may send none, and the next request in its place.
        let isRefused = response.failure != nil || head.fields.contains(.expect) && out.status.code >= 400
        let closes = !head.persists || framing == .untilClose || isRefused && hasBody
        if framing == .none {
            response.body.makeSource().cancel()
            try await channel.writeAndFlush(ResponsePart.whole(out, framing, closes: closes, ByteBuffer()))
            return
        }
        if case .bytes(let bytes) = response.body {
            try await channel.writeAndFlush(
                ResponsePart.whole(out, framing, closes: closes, ByteBuffer(bytes: bytes)))
            return
        }
        try await channel.writeAndFlush(ResponsePart.head(out, framing, closes: closes))
        let source = response.body.makeSource()
        do {
            while let piece = try await source.next() {
                // Waits until the socket has taken the piece, so that a slow client slows the source down.
                try await channel.writeAndFlush(ResponsePart.content(ByteBuffer(bytes: piece)))
            }
        } catch {
            // Bytes that are sent can't be taken back; an unclean end tells the client (RFC 9112 §8).
            source.cancel()
            throw error
        }
        try await channel.writeAndFlush(ResponsePart.end(trailers: source.trailers ?? [:]))
    }

    /// How an answer is framed: RFC 9112 §6.3, from the sender's side.
    private func framing(of response: EngineResponse) -> MessageFraming {
        let code = response.head.status.code
        if head.method == .head || code < 200 || code == 204 || code == 304 { return .none }
        let stated = response.head.headerFields[.contentLength].flatMap { Int64($0) }
        if let length = stated ?? response.body.length, length >= 0 { return .length(length) }
        // §6.1: "A server MUST NOT send a response containing Transfer-Encoding unless the corresponding request
        // indicates HTTP/1.1 (or later minor revisions)."
        return head.isHTTP10 ? .untilClose : .chunked
    }

    /// Sends an answer of the proxy's own, after which the connection is closed unless it is said otherwise.
    static func send(_ head: HTTPResponse, _ content: ByteBuffer, closes: Bool = true, to channel: any Channel) {
        channel.writeAndFlush(
            ResponsePart.whole(head, .length(Int64(content.readableBytes)), closes: closes, content), promise: nil)
    }
}
#endif
