import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import HTTPTypes
import Locking
import NIOCore
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore
import WebVisit

/// A running proxy with its store, engine and transport.
public final class LocalProxy: Sendable {
    public let port: Int
    public let credentials: ProxyCredentials?
    public let store: DiskResponseStore
    /// The certificate authority whose leaves intercepted hosts present.
    public let authority: CertificateAuthority
    private let listener: ProxyServer.Listener
    private let cache: ResponseCache
    private let transport: NIOOriginTransport
    private let connectivityBox: LockedBox<Connectivity>
    private let accountBox: LockedBox<String>

    /// Opens the store and starts to listen.
    ///
    /// A store that can't be written is served from, see `DiskResponseStore.isReadOnly`. Where it has no certificate
    /// authority either, one is made that lasts as long as the proxy.
    ///
    /// - Throws: `StoreError`, `ProxyError`, `OriginTrustError`.
    public static func start(_ setup: ProxySetup) async throws -> LocalProxy {
        let dialer = OriginDialer(
            group: MultiThreadedEventLoopGroup.singleton, hostMap: setup.hostMap,
            trust: try OriginTrust(additionalAuthorities: setup.originAuthorities))
        let transport = NIOOriginTransport(dialer: dialer)
        try await ListeningTrial.run(setup, dialer, transport)
        let store = try DiskResponseStore(directory: setup.storeDirectory, budget: StoreDirectory.budget)
        let authority = try authority(setup.storeDirectory, mayBeMissing: store.isReadOnly)
        var engine = EngineConfiguration(rules: setup.rules, kind: setup.kind, observer: setup.observer)
        if let page = setup.offlinePage { engine.offlinePage = { _ in page } }
        let cache = ResponseCache(store: store, transport: transport, configuration: engine)
        cache.removeNeverStored()
        let connectivity = LockedBox(Connectivity.connected)
        let account = LockedBox(setup.account)
        let fieldsNotReused: Set<HTTPField.Name> = setup.servesWebView ? [.setCookie] : []
        let checksAllowedOrigin = setup.servesWebView || setup.checksAllowedOrigin
        var configuration = ProxyConfiguration(
            mode: setup.mode, host: setup.host, port: setup.port, credentials: setup.credentials,
            sendsCacheStatus: setup.sendsCacheStatus,
            context: {
                var context = ExchangeContext(
                    connectivity: connectivity.withLock { $0 }, fieldsNotReused: fieldsNotReused)
                context.checksAllowedOrigin = checksAllowedOrigin
                return context
            }, willPresent: setup.willPresent)
        configuration.reverseHosts = setup.reverseHosts
        configuration.account = { account.withLock { $0 } }
        configuration.onRefusal = setup.onRefusal
        configuration.willAsk = { transport.prepare($0) }
        let server = ProxyServer(
            cache: cache, configuration: configuration, dialer: dialer, authority: authority)
        let listener = try await server.start()
        return LocalProxy(
            listener, setup.credentials, store: store, authority: authority, cache: cache, transport: transport,
            connectivity: connectivity, account: account)
    }

    /// - Parameter mayBeMissing: Whether to go on with an authority in memory where the directory can't be written.
    private static func authority(_ directory: String, mayBeMissing: Bool) throws -> CertificateAuthority {
        do {
            return try CertificateAuthority(directory: directory + "/authority")
        } catch  where mayBeMissing {
            return try CertificateAuthority(inMemoryWith: .system)
        }
    }

    private init(
        _ listener: ProxyServer.Listener, _ credentials: ProxyCredentials?, store: DiskResponseStore,
        authority: CertificateAuthority, cache: ResponseCache, transport: NIOOriginTransport,
        connectivity: LockedBox<Connectivity>, account: LockedBox<String>
    ) {
        self.listener = listener
        self.credentials = credentials
        self.store = store
        self.authority = authority
        self.cache = cache
        self.transport = transport
        connectivityBox = connectivity
        accountBox = account
        port = listener.port
    }

    /// Whether exchanges may use the network; takes effect for the next one. What was served stale without it is
    /// validated when it is asked for again, not by itself: measurements must not race with that.
    public var connectivity: Connectivity {
        get { connectivityBox.withLock { $0 } }
        set {
            connectivityBox.withLock { $0 = newValue }
            if !newValue.hasNetwork { transport.closeIdleConnections() }
        }
    }

    /// The account for which requests come: each has a partition of the store to itself, and nobody has the one of the
    /// empty text. Counts for the requests that arrive from then on, see ``ProxyConfiguration/account``.
    public var account: String {
        get { accountBox.withLock { $0 } }
        set { accountBox.withLock { $0 = newValue } }
    }

    /// The policy; a new one counts for the exchanges that begin from then on. What it says is never to be stored is
    /// removed in the background, now as at the start.
    public var rules: RuleList {
        get { cache.rules }
        set { cache.rules = newValue }
    }

    /// Sets ``rules``, and tells what was removed because of the new ones.
    func putInForce(_ rules: RuleList, whenPurged: @escaping @Sendable (RemovedContent) -> Void) {
        cache.putInForce(rules, whenDone: whenPurged)
    }

    /// Removes what is stored, safely while pages load.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    @discardableResult
    public func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        try await cache.remove(selection)
    }

    /// Removes stored responses and what a web view keeps on its own, since a date or for ever.
    ///
    /// - Throws: ``HostError`` where the web view's data can't be removed, and then nothing was; or `StoreError`.
    @discardableResult
    public func clear(
        _ selection: EntrySelection = .everything, and kinds: Set<WebsiteDataKind>, in data: WebViewData,
        since: WallInstant? = nil
    ) async throws -> RemovedContent {
        try await cache.clear(selection, and: kinds, in: data, since: since)
    }

    /// Removes what a crash may have left in the store, and lets what has expired go first. For an idle moment.
    public func tidy() async {
        _ = try? await store.removeOrphans()
        _ = try? await cache.performMaintenance()
    }

    /// How long what has wholly arrived may take to be stored when nobody waits for it any more.
    public static let settlingTime = Duration.seconds(20)

    /// Returns once all that has wholly arrived is stored and reported, or the time is up.
    public func waitForCommits(within limit: Duration = settlingTime) async {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let over = loop.makePromise(of: Void.self)
        // Of two who fulfil a promise the second is ignored. Storing can't be cancelled; late, it goes on unwatched.
        let alarm = loop.scheduleTask(in: TimeAmount(limit)) { over.succeed() }
        Task { [cache, store] in
            await cache.waitForCommits()
            try? await store.flush()
            over.succeed()
        }
        try? await over.futureResult.get()
        alarm.cancel()
    }

    /// Stops listening, closes the clients' connections, lets what has wholly arrived, and what was used, be written
    /// down, see ``waitForCommits(within:)``, and closes idle connections to origins.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    public func stop(within grace: Duration = .zero) async {
        await listener.close(within: TimeAmount(grace))
        await waitForCommits()
        transport.closeIdleConnections()
    }

    public func waitUntilStopped() async {
        await listener.waitUntilClosed()
    }
}
