import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import HTTPTypes
import Locking
import NIOPosix
import NIOTransport
import OriginDialing
import ProxyHosting
import ResponseStore
import WebVisit

/// A running proxy with its store, engine and transport.
public final class LocalProxy: Sendable {
    public let credentials: ProxyCredentials?
    public let store: DiskResponseStore
    private let hosted: HostedProxy
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
        configuration.onUncached = setup.onUncached
        let hosted = try await HostedProxy(
            configuration, cache: cache, store: store, directory: setup.storeDirectory, transport: transport,
            dialer: dialer)
        return LocalProxy(
            hosted, setup.credentials, store: store, cache: cache, transport: transport, connectivity: connectivity,
            account: account)
    }

    private init(
        _ hosted: HostedProxy, _ credentials: ProxyCredentials?, store: DiskResponseStore, cache: ResponseCache,
        transport: NIOOriginTransport, connectivity: LockedBox<Connectivity>, account: LockedBox<String>
    ) {
        self.hosted = hosted
        self.credentials = credentials
        self.store = store
        self.cache = cache
        self.transport = transport
        connectivityBox = connectivity
        accountBox = account
    }

    public var port: Int { hosted.port }

    /// The certificate authority whose leaves intercepted hosts present.
    public var authority: CertificateAuthority { hosted.authority }

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

    /// Returns once all that has wholly arrived is stored and reported, or the time is up: 20 s unless set.
    public func waitForCommits(within limit: Duration = HostedProxy.settlingTime) async {
        await hosted.waitForCommits(within: limit)
    }

    /// Stops as ``HostedProxy/stop(within:)`` does.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    public func stop(within grace: Duration = .zero) async {
        await hosted.stop(within: grace)
    }

    public func waitUntilStopped() async {
        await hosted.waitUntilStopped()
    }
}
