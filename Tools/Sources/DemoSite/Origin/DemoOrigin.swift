import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import NIOWebSocket

/// The server that a ``DemoSite`` comes from: HTTP/1.1, with or without TLS, for both of its hosts on one port.
///
/// All connections of an origin run on one event loop. ``deploy(_:keepingEarlierAssets:)``, ``setFault(_:path:)`` and
/// ``log`` may be used from anywhere at any time.
package final class DemoOrigin: Sendable {
    private struct Openings {
        var isStarted = false
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
    }

    private let state: OriginState
    private let loop: any EventLoop
    private let openings = NIOLockedValueBox(Openings())

    /// Makes an origin that is not listening yet.
    ///
    /// - Parameters:
    ///   - site: The site to serve.
    ///   - shaping: How slow it is; not at all by default.
    ///   - group: Where it runs; the process-wide group by default.
    ///   - now: Seconds since 1970 for `Date`; the system's clock by default.
    package init(
        site: DemoSite, shaping: Shaping = .none, group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        now: @escaping @Sendable () -> Int = SystemClock.seconds
    ) {
        state = OriginState(site: site, shaping: shaping, now: now)
        loop = group.next()
    }

    /// The log of its requests and traffic.
    package var log: OriginLog { state.log }

    /// The deployed site.
    package var site: DemoSite { state.site }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - certificate: The certificate for TLS; `nil` is plain HTTP.
    ///   - host: The address, loopback by default.
    ///   - port: Zero takes a free one.
    /// - Returns: The port.
    /// - Throws: ``DemoSiteError`` with `alreadyStarted`, `unusableCertificate` or `cannotListen`.
    @discardableResult
    package func start(
        certificate: OriginCertificate? = nil, host: String = "127.0.0.1", port: Int = 0
    ) async throws(DemoSiteError) -> Int {
        let tls = try certificate.map { (pem) throws(DemoSiteError) in try Self.context(for: pem) }
        let isFree = openings.withLockedValue { openings in
            defer { openings.isStarted = true }
            return !openings.isStarted
        }
        guard isFree else {
            throw DemoSiteError(.alreadyStarted, "The origin is listening already; stop it first.")
        }
        do {
            let channel = try await bootstrap(tls: tls).bind(host: host, port: port).get()
            openings.withLockedValue { $0.listener = channel }
            return channel.localAddress?.port ?? port
        } catch {
            openings.withLockedValue { $0 = Openings() }
            throw DemoSiteError(
                .cannotListen, "Port \(port) on \(host) cannot be opened; choose another, or 0 for a free one.",
                cause: error)
        }
    }

    /// Stops listening and closes every connection; returns when all are closed. It may be started again, on the same
    /// port too. Does nothing when it is not listening.
    package func stop() async {
        let open = openings.withLockedValue { openings -> [any Channel] in
            defer { openings = Openings() }
            return openings.connections.values + (openings.listener.map { [$0] } ?? [])
        }
        for channel in open { channel.close(promise: nil) }
        // A connection that is gone already fails to close again; closed it is either way.
        for channel in open { try? await channel.closeFuture.get() }
    }

    /// Replaces the site at once: a request is answered from the old one or from the new one.
    ///
    /// - Parameters:
    ///   - site: The new version.
    ///   - keepingEarlierAssets: Whether files of earlier versions whose paths the new one does not have stay
    ///     reachable, as on a CDN; `true` by default.
    package func deploy(_ site: DemoSite, keepingEarlierAssets: Bool = true) {
        state.deploy(site, keepingEarlierAssets: keepingEarlierAssets)
    }

    /// Replaces the site, without what it had before, right after the next answer for a path: a deploy between a page
    /// and its files.
    package func deploy(_ site: DemoSite, after path: String) { state.deploy(site, after: path) }

    /// Makes answers for a path fail, on either host.
    ///
    /// - Parameters:
    ///   - fault: The fault; `nil` takes it back.
    ///   - path: Without query.
    package func setFault(_ fault: OriginFault?, path: String) {
        state.setFault(fault, path: path)
    }

    private func bootstrap(tls: NIOSSLContext?) -> ServerBootstrap {
        ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { [self] channel in
                guard track(channel) else { return channel.close() }
                return channel.eventLoop.makeCompletedFuture { try configure(channel, tls: tls) }
            }
    }

    private func configure(_ channel: any Channel, tls: NIOSSLContext?) throws {
        let pipeline = channel.pipeline.syncOperations
        let roundTrips = tls == nil ? state.shaping.roundTrip : state.shaping.roundTrip * 2
        try pipeline.addHandler(ConnectionShaper(up: state.up, handshake: TimeAmount(roundTrips)))
        if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
        let state = state
        let live = NIOWebSocketServerUpgrader(
            shouldUpgrade: { channel, head in
                channel.eventLoop.makeSucceededFuture(OriginRequest(head).path == "/live" ? HTTPHeaders() : nil)
            },
            upgradePipelineHandler: { channel, head in
                let request = OriginRequest(head)
                state.log.record(
                    OriginRecord(
                        method: "GET", host: request.host, path: request.target, status: 101, bodyBytesSent: 0,
                        bodyBytesReceived: 0, isConditional: false, isComplete: true))
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LiveEcho())
                }
            })
        try pipeline.configureHTTPServerPipeline(
            withPipeliningAssistance: true,
            withServerUpgrade: (
                upgraders: [live],
                completionHandler: { $0.pipeline.removeHandler(name: OriginHandler.name, promise: nil) }
            ), withErrorHandling: true)
        try pipeline.addHandler(OriginHandler(state: state), name: OriginHandler.name)
    }

    /// Remembers a connection until it closes; `false` when the origin has stopped meanwhile.
    private func track(_ channel: any Channel) -> Bool {
        let key = ObjectIdentifier(channel)
        let isStarted = openings.withLockedValue { openings in
            if openings.isStarted { openings.connections[key] = channel }
            return openings.isStarted
        }
        guard isStarted else { return false }
        state.log.recordConnection()
        channel.closeFuture.whenComplete { [openings] _ in
            openings.withLockedValue { $0.connections[key] = nil }
        }
        return true
    }

    private static func context(for certificate: OriginCertificate) throws(DemoSiteError) -> NIOSSLContext {
        do {
            let chain = try NIOSSLCertificate.fromPEMBytes(Array(certificate.chainPEM.utf8))
            let key = try NIOSSLPrivateKey(bytes: Array(certificate.privateKeyPEM.utf8), format: .pem)
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch {
            throw DemoSiteError(
                .unusableCertificate, "The certificate chain or its private key is not PEM that can be used.",
                cause: error)
        }
    }
}
