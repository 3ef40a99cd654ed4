#if Proxy
import CacheEngine
import Locking
import NIOCore
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore

/// A listening proxy over a cache that others may use at the same time, such as an app's own requests.
///
/// The proxy does not own the cache, its store or its transport. They go on working when it has stopped.
package final class HostedProxy: Sendable {
    /// The port that it listens on. Another one only after ``listenAgainIfNeeded()``.
    package var port: Int { listening.withLock { $0.listener.port } }
    /// The certificate authority whose leaves intercepted hosts present.
    package let authority: CertificateAuthority
    private struct Listening: Sendable {
        var listener: ProxyServer.Listener
        var isStopped = false
        /// The check that is under way.
        var check: Task<Bool, any Error>?
    }

    private let listening: LockedBox<Listening>
    private let server: ProxyServer
    private let cache: ResponseCache
    private let store: DiskResponseStore?
    private let transport: any OriginTransport

    /// Starts to listen.
    ///
    /// The certificate authority is kept in the folder `authority` of the store's directory. It is made when it is not
    /// there; where the store can't be written, it is kept in memory and lasts as long as the proxy. A reverse proxy,
    /// which intercepts nothing, leaves that folder alone.
    ///
    /// - Parameters:
    ///   - configuration: Its ``ProxyConfiguration/willAsk`` is replaced: the transport connects to an intercepted host
    ///     while the client's own handshake goes on.
    ///   - store: The store of the cache; `nil` where it keeps nothing on the disk.
    ///   - dialer: Opens tunnels and upgraded connections.
    ///   - secrets: Where the authority's key is kept; in its folder unless set.
    ///   - isAuthorityTrusted: Whether programs were told to trust the authority that is kept. Web views accept this
    ///     proxy's leaves one by one, so that for them one in memory will do where that one can't be made or read.
    /// - Throws: `ProxyError`: the port is taken, the address is not loopback or can't be listened on, or the trusted
    ///   certificate authority can't be made or read.
    package init(
        _ configuration: ProxyConfiguration, cache: ResponseCache, store: DiskResponseStore?, directory: String,
        transport: any OriginTransport, dialer: OriginDialer, secrets: (any SecretStore)? = nil,
        isAuthorityTrusted: Bool = false
    ) async throws {
        var configuration = configuration
        if let transport = transport as? NIOOriginTransport {
            configuration.willAsk = { transport.prepare($0, isOneMore: $1) }
        }
        if case .reverse = configuration.mode {
            authority = try CertificateAuthority(inMemoryWith: .system)
        } else {
            authority = try Self.authority(
                directory, secrets, mayBeMissing: !isAuthorityTrusted || store?.isReadOnly ?? false)
        }
        server = ProxyServer(cache: cache, configuration: configuration, dialer: dialer, authority: authority)
        listening = LockedBox(Listening(listener: try await server.start()))
        self.cache = cache
        self.store = store
        self.transport = transport
    }

    /// - Parameter mayBeMissing: Whether one in memory will do where none can be made in the directory.
    private static func authority(
        _ directory: String, _ secrets: (any SecretStore)?, mayBeMissing: Bool
    ) throws -> CertificateAuthority {
        do {
            return try CertificateAuthority(directory: directory + "/authority", secrets: secrets)
        } catch  where mayBeMissing {
            return try CertificateAuthority(inMemoryWith: .system)
        }
    }

    /// How long ``stop(within:)`` waits, at most, for responses that have wholly arrived to be stored: 20 s.
    package static let settlingTime = Duration.seconds(20)

    /// Returns once every response that has wholly arrived is stored and reported, or the time is up.
    package func waitForCommits(within limit: Duration = settlingTime) async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let over = loop.makePromise(of: Void.self)
        // The second to fulfil a promise is ignored. Storing can't be cancelled; late, it goes on unwatched.
        let alarm = loop.scheduleTask(in: TimeAmount(limit)) { over.succeed() }
        Task { [cache, store] in
            await cache.waitForCommits()
            try? await store?.flush()
            over.succeed()
        }
        try? await over.futureResult.get()
        alarm.cancel()
    }

    /// Listens again if clients can't reach the listener any more, as after the system has suspended the process and
    /// taken its port back: on the same port, or on a free one if another program has that. Open connections go on as
    /// far as the system has left them. Credentials and authority stay. After ``stop(within:)`` it does nothing.
    ///
    /// - Returns: Whether the port is another one now.
    /// - Throws: `ProxyError`: no port can be listened on. The next call tries again.
    package func listenAgainIfNeeded() async throws -> Bool {
        let check = listening.withLock { listening in
            if let check = listening.check { return check }
            let check = Task { try await self.checkListener() }
            listening.check = check
            return check
        }
        defer { listening.withLock { if $0.check == check { $0.check = nil } } }
        return try await check.value
    }

    private func checkListener() async throws -> Bool {
        let (former, isStopped) = listening.withLock { ($0.listener, $0.isStopped) }
        let port = former.port
        if isStopped { return false }
        if await former.isReachable() { return false }
        await former.close()
        let new: ProxyServer.Listener
        do {
            new = try await server.start(onPort: port)
        } catch let error as ProxyError where error.code == .portTaken {
            new = try await server.start(onPort: 0)
        }
        let isStoppedNow = listening.withLock { listening in
            if !listening.isStopped { listening.listener = new }
            return listening.isStopped
        }
        if isStoppedNow { await new.close() }
        return !isStoppedNow && new.port != port
    }

    /// Stops listening, closes the clients' connections, waits for what has wholly arrived to be stored (see
    /// ``waitForCommits(within:)``), and closes idle connections to origins.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    package func stop(within grace: Duration = .zero) async {
        let listener = listening.withLock { listening in
            listening.isStopped = true
            return listening.listener
        }
        await listener.close(within: TimeAmount(grace))
        await waitForCommits()
        (transport as? NIOOriginTransport)?.closeIdleConnections()
    }
}

extension ProxyServer {
    /// A listening proxy.
    package struct Listener: Sendable {
        private let channel: any Channel
        private let connections: OpenConnections
        private let probes: ListenerProbes
        private let group: any EventLoopGroup

        init(
            _ channel: any Channel, _ connections: OpenConnections, _ probes: ListenerProbes,
            _ group: any EventLoopGroup
        ) {
            (self.channel, self.connections, self.probes, self.group) = (channel, connections, probes, group)
            port = channel.localAddress?.port ?? 0
        }

        /// Whether a client is let in: connects to itself, and waits until that very connection is accepted, a second
        /// at most. A system may take a listener's port back without a word while it has suspended the process, and
        /// another program may have it by now.
        package func isReachable() async -> Bool {
            guard channel.isActive, let address = channel.localAddress else { return false }
            return await probes.reach(address, on: group)
        }

        /// The port that the proxy listens on, or did until it was closed.
        package let port: Int

        /// Stops accepting connections; open ones go on.
        package func close() async { try? await channel.close() }

        /// Stops accepting connections, waits for answers under way and for active tunnels to end, then closes every
        /// connection.
        ///
        /// - Parameter grace: The longest wait.
        package func close(within grace: TimeAmount) async {
            await close()
            await connections.end(within: grace, on: channel.eventLoop)
        }
    }
}
#endif
