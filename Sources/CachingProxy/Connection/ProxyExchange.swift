#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One request through the engine, and its answer out to the client.
struct ProxyExchange: Sendable {
    let proxy: ProxyServer
    let channel: any Channel
    let head: HTTPRequestHead
    let target: RequestTarget
    let body: RequestBody?

    func run() async {
        let request = EngineRequest(
            head: presented(), body: body, context: context(),
            onInterim: { [channel, head] interim in
                // HTTP/1.0 knows no interim responses (RFC 9110 §15.2).
                guard head.version == .http1_1 else { return }
                let part = HTTPServerResponsePart.head(WireFields.responseHead(interim))
                channel.writeAndFlush(part, promise: nil)
            })
        let response = await proxy.cache.respond(to: request)
        if request.context.destination == .document, response.cacheStatus.isStored { proxy.forgetAnnounced() }
        do {
            try await send(response)
        } catch {
            response.body.makeSource().cancel()
            channel.close(promise: nil)
        }
    }

    /// The request as the engine sees it: end-to-end fields only, with our `Via`.
    private func presented() -> HTTPRequest {
        var fields = WireFields.read(head.headers)
        HopByHopFields.remove(from: &fields)
        fields[.proxyAuthorization] = nil
        fields.append(HTTPField(name: .via, value: "1.1 \(proxy.pseudonym)"))
        return HTTPRequest(
            method: HTTPRequest.Method(rawValue: head.method.rawValue) ?? .get, scheme: target.scheme,
            authority: target.authority, path: target.path, headerFields: fields)
    }

    private func context() -> ExchangeContext {
        var context = proxy.configuration.context()
        context.destination = destination
        if context.client.isEmpty { context.client = channel.remoteAddress?.port.map { "port \($0)" } ?? "" }
        return context
    }

    /// What the client says; over plain http browsers say nothing (Fetch Metadata §2 wants a trustworthy URL), and a
    /// request that asks for HTML first is taken for a page.
    private var destination: Destination {
        let stated = Destination(secFetchDest: head.headers.first(name: "sec-fetch-dest"))
        let wantsPage = head.method == .GET && head.headers.first(name: "accept")?.hasPrefix("text/html") == true
        return stated == .unknown && wantsPage ? .document : stated
    }

    private func send(_ response: EngineResponse) async throws {
        var out = WireFields.responseHead(response.head)
        out.version = .http1_1
        out.headers.add(name: "Via", value: "1.1 \(proxy.pseudonym)")
        if proxy.configuration.sendsCacheStatus {
            out.headers.add(name: "Cache-Status", value: response.cacheStatus.description)
        }
        // An answer of ours to a request whose content we did not read to its end leaves the connection out of step.
        let mustClose = !head.isKeepAlive || (response.failure != nil && body != nil)
        if mustClose { out.headers.replaceOrAdd(name: "Connection", value: "close") }
        let isBodyless = head.method == .HEAD || [204, 304].contains(response.head.status.code)
        guard !isBodyless else {
            response.body.makeSource().cancel()
            try await finish(out, first: nil, mustClose)
            return
        }
        if case .bytes(let bytes) = response.body {
            try await finish(out, first: bytes, mustClose)
            return
        }
        try await channel.writeAndFlush(HTTPServerResponsePart.head(out))
        let source = response.body.makeSource()
        do {
            while let piece = try await source.next() {
                // Waits until the socket has taken the piece: a slow client slows the source down.
                try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: piece))))
            }
        } catch {
            // What is already out can't be taken back; an unclean end tells the client (RFC 9112 §8).
            source.cancel()
            throw error
        }
        try await finish(nil, first: nil, mustClose)
    }

    private func finish(_ out: HTTPResponseHead?, first: [UInt8]?, _ mustClose: Bool) async throws {
        if let out { channel.write(HTTPServerResponsePart.head(out), promise: nil) }
        if let first, !first.isEmpty {
            channel.write(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: first))), promise: nil)
        }
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if mustClose { try await channel.close() }
    }

    /// Sends an answer of the proxy's own.
    static func send(_ refusal: RequestRefusal, to channel: any Channel, closing: Bool) async {
        var headers: HTTPHeaders = ["Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store"]
        if refusal == .credentialsNeeded { headers.add(name: "Proxy-Authenticate", value: "Basic realm=\"Larder\"") }
        await send(refusal.status, headers, refusal.message, to: channel, closing: closing)
    }

    static func send(
        _ status: HTTPResponseStatus, _ headers: HTTPHeaders, _ message: String, to channel: any Channel,
        closing: Bool
    ) async {
        let body = ByteBuffer(string: message + "\n")
        var head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        head.headers.replaceOrAdd(name: "Content-Length", value: String(body.readableBytes))
        if closing { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(.byteBuffer(body)), promise: nil)
        try? await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if closing { channel.close(promise: nil) }
    }
}
#endif
