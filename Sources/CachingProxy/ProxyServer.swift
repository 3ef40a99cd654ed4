#if Proxy
import CacheEngine
import HTTPCacheSemantics
import HTTPTypes
import Locking
import NIOCore
import NIOPosix
import OriginDialing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A caching proxy on a local port: every request through it is an exchange of the engine.
package final class ProxyServer: Sendable {
    let cache: ResponseCache
    let configuration: ProxyConfiguration
    let authority: CertificateAuthority?
    /// The proxy's name in `Via`, different for every running proxy.
    let pseudonym: String
    let identity: Identity
    /// Where a reverse proxy's requests go; `nil` in forward mode, and if the origin has no valid name.
    let reverseTarget: (scheme: String, authority: String)?
    let hotRequests = HotRequestCache()
    private let baseDialer: OriginDialer
    private let intercepted = LockedBox<(hosts: Set<OriginDialer.Endpoint>, lastPageWasNew: Bool)>(([], false))
    private let group: any EventLoopGroup
    let connections = OpenConnections()
    /// Fulfilled when the client that was asked last for the proxy's password has answered or left.
    let latestQuestion = LockedBox<EventLoopFuture<Void>?>(nil)
    private let probes = ListenerProbes()
    private static let announcedLimit = 1_024

    /// - Parameters:
    ///   - dialer: Opens tunnels and upgraded connections.
    ///   - authority: Signs certificates for interception; without it every `CONNECT` is tunnelled unread.
    package init(
        cache: ResponseCache, configuration: ProxyConfiguration, dialer: OriginDialer, authority: CertificateAuthority?
    ) {
        self.cache = cache
        self.configuration = configuration
        self.authority = authority
        baseDialer = dialer
        group = dialer.group
        pseudonym = "larder-" + String(UInt32.random(in: .min ... .max), radix: 16)
        if case .reverse(let origin) = configuration.mode {
            let isDefaultPort = origin.port == (origin.isSecure ? 443 : 80)
            let authority = Authority(host: origin.host, port: isDefaultPort ? nil : origin.port)
            // Parsed again, because a host may be any text here.
            reverseTarget = Authority(authority.description).map { _ in
                (origin.isSecure ? "https" : "http", authority.description)
            }
        } else {
            reverseTarget = nil
        }
        identity = Identity(configuration, pseudonym: pseudonym, origin: reverseTarget.map { OriginAddresses($0) })
        cache.onRemoval(hotRequests) { [weak hotRequests] in hotRequests?.forget($0) }
    }

    /// The fields that the proxy adds to every request and answer.
    final class Identity: Sendable {
        /// Added to requests received in HTTP/1.1, and to answers: those from the store came in a version that is not
        /// kept.
        let via: HTTPField
        /// Added to requests received in HTTP/1.0.
        let viaHTTP10: HTTPField
        /// Added to requests received in HTTP/2.
        let viaHTTP2: HTTPField
        /// See ``ProxyConfiguration/addedFields``.
        let added: (origin: OriginDialer.Endpoint, fields: HTTPFields)?
        let sendsCacheStatus: Bool
        /// See ``ProxyConfiguration/isPartOfClient``.
        let isPartOfClient: Bool
        /// The addresses that a reverse proxy changes in fields; `nil` in forward mode.
        let origin: OriginAddresses?

        init(_ configuration: ProxyConfiguration, pseudonym: String, origin: OriginAddresses?) {
            added = configuration.addedFields
            via = HTTPField(name: .via, value: "1.1 \(pseudonym)")
            viaHTTP10 = HTTPField(name: .via, value: "1.0 \(pseudonym)")
            viaHTTP2 = HTTPField(name: .via, value: "2 \(pseudonym)")
            sendsCacheStatus = configuration.sendsCacheStatus
            isPartOfClient = configuration.isPartOfClient
            self.origin = origin
        }
    }

    /// A dialer whose connections live on the given event loop, so that both ends of a tunnel share it.
    func dialer(on eventLoop: any EventLoop) -> OriginDialer { baseDialer.on(eventLoop) }

    /// Begins a connection to an origin that has not been announced before. For a known one the store may well answer,
    /// unless the page is new: then each connection of the web view's asks for something that is not stored.
    func announce(_ endpoint: OriginDialer.Endpoint) {
        guard let willAsk = configuration.willAsk, configuration.context().connectivity.hasNetwork else { return }
        let (isNew, isOfNewPage) = intercepted.withLock { known in
            // A page can name any number of hosts. A host that is forgotten is connected to once more than needed.
            if known.hosts.count >= Self.announcedLimit { known.hosts = [] }
            return (known.hosts.insert(endpoint).inserted, known.lastPageWasNew)
        }
        if isNew || isOfNewPage { willAsk(endpoint, !isNew) }
    }

    /// Notes whether a page came from its origin: it requests new files, so connections to its hosts are useful again.
    func noteDocument(isNew: Bool) {
        intercepted.withLock { $0 = (isNew ? [] : $0.hosts, isNew) }
    }

    /// Starts to listen. A proxy may do so again once it no longer listens.
    ///
    /// - Parameter port: In place of the configuration's.
    /// - Throws: ``ProxyError`` with ``ProxyError/Code/portTaken``, ``ProxyError/Code/notLoopback`` or
    ///   ``ProxyError/Code/cannotListen``.
    package func start(onPort port: Int? = nil) async throws -> Listener {
        let (host, port) = (configuration.host, port ?? configuration.port)
        guard (0...65_535).contains(port) else {
            throw ProxyError(
                code: .cannotListen, message: "\(port) is no port; choose one up to 65535, or 0 for any free one.")
        }
        guard host == "localhost" || IPAddressBytes.isLoopback(host) else {
            throw ProxyError(
                code: .notLoopback,
                message: "A proxy that listens on '\(host)' could be used by others; listen on 127.0.0.1 or ::1.")
        }
        do {
            let channel = try await ServerBootstrap(group: group)
                .serverChannelOption(ChannelOptions.backlog, value: 1_024)
                .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { [spare = baseDialer.spare] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptLimit { Task { await spare.close() } })
                    }
                }
                .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
                // Each channel keeps one buffer: room for a usual request, and it grows when more comes at once.
                .childChannelOption(
                    ChannelOptions.recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 1_024, maximum: 65_536)
                )
                // A client may end its side and still wait for its answer.
                .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { [connections, probes] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try probes.watch(channel)
                        try connections.add(channel)
                        try ProxyRequestHandler(self, role: .listener, channel: channel).install()
                    }
                }
                .bind(host: host, port: port).get()
            return Listener(channel, connections, probes, group)
        } catch {
            if let failure = error as? IOError, failure.errnoCode == EADDRINUSE {
                throw ProxyError(
                    code: .portTaken,
                    message: "Port \(port) of \(host) is taken; choose another one, or 0 for any free one.",
                    cause: error)
            }
            throw ProxyError(
                code: .cannotListen, message: "The proxy can't listen on '\(host):\(port)' (\(error)).", cause: error)
        }
    }
}

/// Why a proxy or its certificate authority could not be set up.
public struct ProxyError: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, to branch on.
    public var code: Code
    /// The failure and its remedy, in one sentence.
    package var message: String
    /// The error underneath, if there was one.
    package var cause: (any Error)?

    /// The failure and its remedy.
    public var description: String { message }

    /// The kinds of failure.
    public struct Code: Hashable, Sendable {
        private let name: String
        /// Another program listens on the port.
        public static var portTaken: Self { .init(name: "portTaken") }
        /// A forward proxy listens on loopback addresses only.
        package static var notLoopback: Self { .init(name: "notLoopback") }
        /// The address can't be listened on.
        package static var cannotListen: Self { .init(name: "cannotListen") }
        /// The certificate authority's files can't be made, read or used.
        package static var authorityUnusable: Self { .init(name: "authorityUnusable") }
    }
}
#endif
