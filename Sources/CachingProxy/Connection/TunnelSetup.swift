#if Proxy
import CacheEngine
import CacheRules
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
    /// Takes the HTTP handlers off the client's channel and leaves ``ByteHoldingHandler`` there; on its event loop.
    let leaveHTTP: @Sendable () -> EventLoopFuture<Void>

    func run() async {
        guard let endpoint = OriginDialer.Endpoint(authority: target.authority, isSecure: target.scheme == "https")
        else {
            proxy.report(.malformed, of: self.head)
            let (head, content) = RequestRefusal.malformed.answer
            ProxyExchange.send(head, content, to: channel)
            return
        }
        do {
            if target.isUpgrade {
                try await upgrade(endpoint)
            } else if case .forward(let policy) = proxy.configuration.mode, policy.includes(endpoint.host),
                let authority = proxy.authority
            {
                try await intercept(endpoint, authority)
            } else {
                try await tunnel(endpoint)
            }
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
        var fields: HTTPFields = [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"]
        if let status = cacheStatus("fwd=bypass; detail=\(error.code.name)") { fields.append(status) }
        let status = ErrorAnswer.status(for: error.code)
        proxy.report(status: status.code, error.message, of: head)
        ProxyExchange.send(
            HTTPResponse(status: status, headerFields: fields),
            ByteBuffer(string: error.message + "\n"), to: channel)
    }

    /// Opens TLS with a leaf of ours; requests inside are exchanges like any other. What is no TLS passes unread: a
    /// client that opens `ws:` asks a proxy for a tunnel too (RFC 6455 §4.1).
    private func intercept(_ endpoint: OriginDialer.Endpoint, _ authority: CertificateAuthority) async throws {
        // Elsewhere the first byte has to tell whether the origin will be asked over TLS.
        if endpoint.port == 443 { proxy.announce(endpoint) }
        let leaf = try authority.leaf(for: endpoint.host)
        await proxy.configuration.willPresent?(endpoint.host, leaf.pem)
        let name = target.authority.hasSuffix(":443") ? String(target.authority.dropLast(4)) : target.authority
        let (proxy, channel, leaveHTTP, limits) = (proxy, channel, leaveHTTP, limits)
        let first = try await channel.eventLoop.flatSubmit {
            leaveHTTP().flatMap {
                channel.writeAndFlush(Self.established, promise: nil)
                return ByteHoldingHandler.first(on: channel, within: limits.idle)
            }
        }.get()
        guard first == ByteHoldingHandler.handshakeRecord else {
            // The client was told that the tunnel stands: no more HTTP answer, whatever goes wrong.
            do { try await join(unread(endpoint)) } catch { channel.close(promise: nil) }
            return
        }
        if endpoint.port != 443 { proxy.announce(endpoint) }
        try await channel.eventLoop.flatSubmit {
            channel.eventLoop.makeCompletedFuture {
                let operations = channel.pipeline.syncOperations
                try operations.addHandler(NIOSSLServerHandler(context: leaf.context))
                try ClientSide.install(
                    on: channel, ProxyRequestHandler(proxy, role: .intercepted(authority: name), channel: channel))
            }.flatMap { ByteHoldingHandler.release(on: channel) }
        }.get()
        try await channel.setOption(ChannelOptions.autoRead, value: true).get()
        channel.read()
    }

    /// Passes bytes both ways, unread.
    private func tunnel(_ endpoint: OriginDialer.Endpoint) async throws {
        let (channel, leaveHTTP) = (channel, leaveHTTP)
        try await join(unread(endpoint)) {
            leaveHTTP().map { channel.writeAndFlush(Self.established, promise: nil) }
        }
    }

    /// The endpoint without TLS of ours: who talks through a tunnel brings their own.
    private func unread(_ endpoint: OriginDialer.Endpoint) -> OriginDialer.Endpoint {
        var plain = endpoint
        plain.isSecure = false
        return plain
    }

    /// Passes an upgrade request on, and then bytes both ways if the origin switches protocols.
    private func upgrade(_ endpoint: OriginDialer.Endpoint) async throws {
        try refuseIfDisconnected()
        let request = UpgradeRequest(head, target, via: HTTPField(name: .via, value: "1.1 \(proxy.pseudonym)"))
        let upgrade = UpgradeHandler(
            request, client: channel, limits: limits, cacheStatus: cacheStatus("fwd=bypass")
        ) { refuse($0) }
        let bound = NIOLoopBoundBox.makeBoxSendingValue(upgrade, eventLoop: channel.eventLoop)
        let leaveHTTP = leaveHTTP
        let origin = try await proxy.dialer(on: channel.eventLoop).connect(endpoint, forRelay: true) { origin in
            try origin.pipeline.syncOperations.addHandler(bound.value)
        }
        try await channel.eventLoop.flatSubmit { bound.value.start(on: origin, leaveHTTP: leaveHTTP) }.get()
    }

    private func refuseIfDisconnected() throws {
        if !proxy.configuration.context().connectivity.hasNetwork {
            throw EngineError(
                code: .disconnected, message: "There is no network; '\(target.authority)' can't be reached.")
        }
    }

    /// Joins the client, once `greet` has taken HTTP off its channel, with a new connection.
    private func join(
        _ endpoint: OriginDialer.Endpoint, greet: (@Sendable () -> EventLoopFuture<Void>)? = nil
    ) async throws {
        try refuseIfDisconnected()
        let channel = channel
        let pair = NIOLoopBoundBox.makeBoxSendingValue(GlueHandler.makePair(limits), eventLoop: channel.eventLoop)
        let origin = try await proxy.dialer(on: channel.eventLoop).connect(endpoint, forRelay: true) { origin in
            try origin.pipeline.syncOperations.addHandler(pair.value.1)
        }
        do {
            try await channel.eventLoop.flatSubmit { () -> EventLoopFuture<Void> in
                // The client may have left meanwhile.
                guard channel.isActive else { return channel.eventLoop.makeFailedFuture(ChannelError.eof) }
                return (greet?() ?? channel.eventLoop.makeSucceededVoidFuture()).flatMapThrowing {
                    try channel.pipeline.syncOperations.addHandler(pair.value.0)
                }.flatMap { ByteHoldingHandler.release(on: channel) }
            }.get()
            for end in [channel, origin] { try await end.setOption(ChannelOptions.autoRead, value: true).get() }
        } catch {
            origin.close(promise: nil)
            throw error
        }
    }

    private var limits: ProxyConfiguration.Limits { proxy.configuration.limits }

    private func cacheStatus(_ parameters: String) -> HTTPField? {
        guard proxy.configuration.sendsCacheStatus else { return nil }
        return HTTPField(name: .cacheStatus, value: "\(proxy.cacheName); \(parameters)")
    }

    private static let established = ByteBuffer(string: "HTTP/1.1 200 Connection Established\r\n\r\n")
}
#endif
