#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import NIOCore

/// One request through the engine, and its answer out to the client.
struct ProxyExchange: Sendable {
    let proxy: ProxyServer
    let channel: any Channel
    let head: RequestHead
    /// Which request of its connection this is.
    let exchange: Int
    let target: RequestTarget
    let body: RequestBody?
    /// Whether parts of files may be sent as they are: not where they have to be encrypted.
    let sendsRegions: Bool
    /// The label of the client in reports.
    let client: String

    /// The request as the engine sees it.
    var request: EngineRequest {
        let presented = presented()
        return EngineRequest(head: presented, body: body, context: context(presented.headerFields))
    }

    func run() async {
        var request = request
        if let hops = hopsLeft(request.head) {
            guard hops > 0 else {
                await answerAsLast()
                return
            }
            request.head.headerFields[.maxForwards] = String(hops - 1)
        }
        await run(proxy.cache.begin(request))
    }

    /// Goes on with what was begun.
    func run(_ begun: BegunExchange) async {
        let response: EngineResponse
        switch begun {
        case .answered(let answer): response = answer.response
        case .underWay(let rest):
            response = await rest.respond { [channel, head, exchange, via] interim in
                // RFC 9110 §15.2: not to a client that speaks HTTP/1.0, which knows none.
                guard !head.isHTTP10 else { return }
                var interim = interim
                HopByHopFields.remove(from: &interim.headerFields)
                interim.headerFields.append(via)
                channel.writeAndFlush(ResponsePart.interim(interim, exchange: exchange), promise: nil)
            }
        }
        if response.cacheStatus.isStored, destination(head.fields) == .document { proxy.forgetAnnounced() }
        do {
            try await send(response)
        } catch {
            response.body.makeSource().cancel()
            channel.close(promise: nil)
        }
    }

    /// RFC 9110 §7.6.2: `Max-Forwards` counts for TRACE and OPTIONS alone.
    private func hopsLeft(_ presented: HTTPRequest) -> Int64? {
        guard head.method == .options || head.method == .trace, let value = presented.headerFields[.maxForwards],
            let hops = DeltaSeconds.parse(value)
        else { return nil }
        return hops.components.seconds
    }

    /// "If the received value is zero, the intermediary MUST NOT forward the request; instead, the intermediary MUST
    /// respond as the final recipient." A TRACE is not echoed: what it carries may be secret (§9.3.8).
    private func answerAsLast() async {
        let status: HTTPResponse.Status = head.method == .options ? .ok : .methodNotAllowed
        let answer = HTTPResponse(
            status: status, headerFields: [.allow: "GET, HEAD, POST, PUT, DELETE, OPTIONS", .contentLength: "0"])
        var cacheStatus = CacheStatus(cache: proxy.cacheName)
        cacheStatus.detail = "max-forwards"
        do {
            try await send(EngineResponse(head: answer, body: .bytes([]), cacheStatus: cacheStatus))
        } catch {
            channel.close(promise: nil)
        }
    }

    private var via: HTTPField { proxy.identity.via }

    /// The request as the engine sees it: end-to-end fields only, with our `Via`.
    private func presented() -> HTTPRequest {
        var fields = head.fields
        HopByHopFields.remove(from: &fields)
        if head.fields.contains(where: { $0.name == .proxyAuthorization }) { fields[.proxyAuthorization] = nil }
        // RFC 9110 §7.6.3: the protocol is the one in which the message was received.
        fields.append(head.isHTTP10 ? proxy.identity.viaHTTP10 : via)
        return HTTPRequest(
            method: head.method, scheme: target.scheme, authority: target.authority, path: target.path,
            headerFields: fields)
    }

    private func context(_ fields: HTTPFields) -> ExchangeContext {
        var context = proxy.context(client)
        context.destination = destination(fields)
        return context
    }

    /// What the client says; over plain http browsers say nothing (Fetch Metadata §2 wants a trustworthy URL), and a
    /// request that asks for HTML first is taken for a page.
    private func destination(_ fields: HTTPFields) -> Destination {
        let stated = Destination(secFetchDest: fields.combined(.secFetchDest))
        guard stated == .unknown, head.method == .get else { return stated }
        return fields.combined(.accept)?.hasPrefix("text/html") == true ? .document : stated
    }

    private func send(_ response: EngineResponse) async throws {
        var out = response.head
        proxy.identity.origin?.translate(&out.headerFields)
        out.headerFields.append(via)
        if proxy.configuration.sendsCacheStatus {
            out.headerFields.append(
                HTTPField(name: .cacheStatus, value: response.cacheStatus.description))
        }
        let framing = framing(of: response)
        // An answer of ours to a request whose content we did not read to its end leaves the connection out of step.
        let closes = !head.persists || framing == .untilClose || (response.failure != nil && body != nil)
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
        if sendsRegions, case .file(let file, let part) = response.body, framing == .length(Int64(part.count)),
            file.isVerified(part)
        {
            try await channel.writeAndFlush(ResponsePart.stored(out, closes: closes, StoredPart(file, part)))
            return
        }
        try await channel.writeAndFlush(ResponsePart.head(out, framing, closes: closes))
        let source = response.body.makeSource()
        do {
            while let piece = try await source.next() {
                // Waits until the socket has taken the piece: a slow client slows the source down.
                try await channel.writeAndFlush(ResponsePart.content(ByteBuffer(bytes: piece)))
            }
        } catch {
            // What is already out can't be taken back; an unclean end tells the client (RFC 9112 §8).
            source.cancel()
            throw error
        }
        let trailers = (source as? any TrailerSource)?.trailers ?? [:]
        try await channel.writeAndFlush(ResponsePart.end(trailers: trailers))
    }

    /// RFC 9112 §6.3, from the sender's side.
    private func framing(of response: EngineResponse) -> MessageFraming {
        let code = response.head.status.code
        if head.method == .head || code < 200 || code == 204 || code == 304 { return .none }
        let stated = response.head.headerFields[.contentLength].flatMap { Int64($0) }
        if let length = stated ?? response.body.length, length >= 0 { return .length(length) }
        // §6.1: "A server MUST NOT send a response containing Transfer-Encoding unless the corresponding request
        // indicates HTTP/1.1 (or later minor revisions)."
        return head.isHTTP10 ? .untilClose : .chunked
    }

    /// Sends an answer of the proxy's own and closes.
    static func send(_ head: HTTPResponse, _ content: ByteBuffer, to channel: any Channel) {
        channel.writeAndFlush(
            ResponsePart.whole(head, .length(Int64(content.readableBytes)), closes: true, content), promise: nil)
    }
}
#endif
