#if Proxy
import CacheEngine
import CacheRules
import HTTPCacheSemantics
import HTTPMessages
import HTTPTypes
import NIOCore
import NIOSSL
import OriginDialing

/// A connection that stops carrying our HTTP: `CONNECT`, intercepted or tunnelled unread, and protocol upgrades.
struct TunnelSetup: Sendable {
    let proxy: ProxyServer
    let channel: any Channel
    let head: RequestHead
    let target: RequestTarget
    /// When the request arrived, on the clock of the cache's reports.
    let start: Duration
    /// Removes the HTTP handlers from the client's channel and leaves ``ByteHoldingHandler`` there; on its event loop.
    let leaveHTTP: @Sendable () -> EventLoopFuture<Void>

    func run() async {
        do {
            guard var endpoint = OriginDialer.Endpoint(authority: target.authority, isSecure: target.scheme == "https")
            else { throw RequestRefusal.malformed }
            let refusesUncached = proxy.configuration.refusesUncached
            if target.isUpgrade {
                if refusesUncached { throw RequestRefusal.uncached }
                try await upgrade(endpoint)
            } else if case .forward(let policy) = proxy.configuration.mode, policy.includes(endpoint.host),
                let authority = proxy.authority
            {
                try await intercept(endpoint, authority)
            } else if refusesUncached {
                throw RequestRefusal.uncached
            } else {
                // A client that talks through a tunnel brings its own TLS.
                endpoint.isSecure = false
                // Which page wants it is not said; so each host counts by itself, as a document does.
                try await join(
                    try await dial(endpoint, for: NameAsker(pageOf: endpoint.host)), greeting: Self.established)
            }
        } catch let refusal as RequestRefusal {
            proxy.report(refusal, of: head)
            let (head, content) = refusal.answer
            ProxyExchange.send(head, content, to: channel)
        } catch let error as TransportError {
            refuse(EngineError(error))
        } catch let error as EngineError {
            refuse(error)
        } catch {
            // Also when the client has left: then so does what was dialled for it.
            channel.close(promise: nil)
        }
    }

    private func refuse(_ error: EngineError) {
        var (answer, content) = ErrorAnswer.make(for: error, asPage: nil)
        if let status = cacheStatus("fwd=bypass; detail=\(error.code.name)") { answer.headerFields.append(status) }
        proxy.report(status: answer.status.code, error.message, of: head)
        ProxyExchange.send(answer, ByteBuffer(bytes: content), to: channel)
    }

    func cacheStatus(_ parameters: String) -> HTTPField? {
        guard proxy.configuration.sendsCacheStatus else { return nil }
        return HTTPField(name: .cacheStatus, value: "\(CacheStatus.cache); \(parameters)")
    }

    /// Opens TLS with a leaf of ours; requests inside are exchanges like any other. What is not TLS passes unread: a
    /// client that opens `ws:` asks a proxy for a tunnel too (RFC 6455 §4.1).
    private func intercept(_ endpoint: OriginDialer.Endpoint, _ authority: CertificateAuthority) async throws {
        // On other ports the first byte has to tell whether the origin will be asked over TLS.
        if endpoint.port == 443 { proxy.announce(endpoint) }
        let leaf = try authority.leaf(for: endpoint.host)
        await proxy.configuration.willPresent?(endpoint.host, leaf.pem)
        let name = target.authority.hasSuffix(":443") ? String(target.authority.dropLast(4)) : target.authority
        let (proxy, channel, leaveHTTP) = (proxy, channel, leaveHTTP)
        let first = try await channel.eventLoop.flatSubmit { () -> EventLoopFuture<UInt8> in
            if proxy.connections.isEnding { return channel.eventLoop.makeFailedFuture(ChannelError.eof) }
            return leaveHTTP().assumeIsolated().flatMapThrowing {
                channel.writeAndFlush(Self.established, promise: nil)
                return try ByteHoldingHandler.find(on: channel)
            }.flatMap { $0.first(within: proxy.configuration.limits.idle) }.nonisolated()
        }.get()
        guard first == ByteHoldingHandler.handshakeRecord else {
            var endpoint = endpoint
            endpoint.isSecure = false
            if proxy.configuration.refusesUncached {
                proxy.report(.uncached, of: head)
                return channel.close(promise: nil)
            }
            // The client was told that the tunnel stands: no more HTTP answer, whatever goes wrong.
            do {
                try await join(try await dial(endpoint, for: .unknown), greeting: nil)
            } catch {
                channel.close(promise: nil)
                proxy.report(UncachedRequest(.tunnel, head, target, status: 200), since: start)
            }
            return
        }
        if endpoint.port != 443 { proxy.announce(endpoint) }
        try await channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture {
                if proxy.connections.isEnding { throw ChannelError.eof }
                let operations = channel.pipeline.syncOperations
                try operations.addHandler(NIOSSLServerHandler(context: leaf.context))
                let choice = ProtocolChoice(proxy.configuration.limits) { channel, isHTTP2 in
                    let role = ProxyRequestHandler.Role.intercepted(authority: name)
                    if isHTTP2 { return try ClientStreams.install(on: channel, proxy, role) }
                    try ProxyRequestHandler(proxy, role: role, channel: channel).install()
                }
                try operations.addHandler(choice)
            }.flatMap { ByteHoldingHandler.release(on: channel) }
        }.get()
        try await channel.setOption(ChannelOptions.autoRead, value: true).get()
        channel.read()
    }

    /// Connects to the origin, on the client's event loop.
    ///
    /// - Throws: ``RequestRefusal/loop`` where that is this proxy, by whatever name: a tunnel from here to here could
    ///   be led on through itself.
    func dial(_ endpoint: OriginDialer.Endpoint, for asker: NameAsker) async throws -> any Channel {
        guard proxy.configuration.context().connectivity.hasNetwork else {
            throw EngineError(
                code: .disconnected, message: "There is no network; '\(target.authority)' can't be reached.")
        }
        let origin = try await NameAsker.$current.withValue(asker) {
            try await proxy.dialer(on: channel.eventLoop).connect(endpoint, configure: nil)
        }
        if IPAddressBytes.areSame(origin.remoteAddress, channel.localAddress) {
            origin.close(promise: nil)
            throw RequestRefusal.loop
        }
        return origin
    }

    /// Passes bytes both ways from now on.
    ///
    /// - Parameter greeting: Sent to the client once its channel has no HTTP any more; `nil` where
    ///   that is done.
    func join(_ origin: any Channel, greeting: ByteBuffer?) async throws {
        let (proxy, channel, leaveHTTP, start) = (proxy, channel, leaveHTTP, start)
        let served = UncachedRequest(
            target.isTunnel ? .tunnel : .upgrade, head, target, status: target.isTunnel ? 200 : 101)
        let whenOver: @Sendable (Int64, Int64) -> Void = { fromClient, fromOrigin in
            var served = served
            (served.bytesFromClient, served.bytes) = (fromClient, fromOrigin)
            proxy.report(served, since: start)
        }
        do {
            try await channel.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
                // The client may have left meanwhile.
                guard channel.isActive, !proxy.connections.isEnding else {
                    return channel.eventLoop.makeFailedFuture(ChannelError.eof)
                }
                let limits = proxy.configuration.limits
                guard let greeting else { return GlueHandler.join(channel, origin, limits, whenOver) }
                return leaveHTTP().flatMap {
                    channel.writeAndFlush(greeting, promise: nil)
                    return GlueHandler.join(channel, origin, limits, whenOver)
                }
            }.get()
        } catch {
            origin.close(promise: nil)
            throw error
        }
    }

    private static let established = ByteBuffer(string: "HTTP/1.1 200 Connection Established\r\n\r\n")
}
#endif
