import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import HTTPTypes
import Preloading
import ResponseStore
import WebVisit

/// A running proxy with its store, engine and transport.
package final class LocalProxy: Sendable {
    package let credentials: ProxyCredentials?
    package var store: DiskResponseStore { local.store }
    private let hosted: HostedProxy
    /// Its cache.
    let local: LocalCache
    /// The fields of the web view that it serves, for `larder preload`; `nil` for other clients.
    private let learner: ViewFieldsLearner?
    private let directory: String

    /// Opens the store and starts to listen.
    ///
    /// A store that can't be written is served from, see `DiskResponseStore.isReadOnly`. Where it has no certificate
    /// authority either, one is made that lasts as long as the proxy.
    ///
    /// - Throws: `StoreError`, `ProxyError`, `DialerError`.
    package static func start(_ setup: ProxySetup) async throws -> LocalProxy {
        let network = try LocalCache.Network(
            setup.cache.hostMap, authorities: setup.cache.originAuthorities)
        try await ListeningTrial.run(setup, network.dialer, network.transport)
        let local = try LocalCache(setup.cache, network)
        let fieldsOmittedFromHits: Set<HTTPField.Name> = setup.servesWebView ? [.setCookie] : []
        let upperCache = setup.servesWebView ? setup.upperCache : .asStated
        let checksAllowedOrigin = setup.servesWebView || setup.checksAllowedOrigin
        var configuration = ProxyConfiguration(
            mode: setup.mode, host: setup.host, port: setup.port, credentials: setup.credentials,
            sendsCacheStatus: setup.sendsCacheStatus,
            context: {
                var context = ExchangeContext(
                    connectivity: local.connectivity, fieldsOmittedFromHits: fieldsOmittedFromHits)
                context.checksAllowedOrigin = checksAllowedOrigin
                context.upperCache = upperCache
                if setup.reloads { context.mode = .reload }
                return context
            }, willPresent: setup.willPresent)
        configuration.reverseHosts = setup.reverseHosts
        configuration.isPartOfClient = setup.servesWebView
        configuration.addedFields = setup.addedFields
        configuration.account = { local.account }
        configuration.onRefusal = setup.onRefusal
        configuration.onUncached = setup.onUncached
        let hosted = try await HostedProxy(
            configuration, cache: local.cache, store: local.store, directory: setup.cache.storeDirectory,
            transport: setup.cache.transport ?? network.transport, dialer: network.dialer,
            isAuthorityTrusted: !setup.servesWebView)
        return LocalProxy(hosted, setup, local)
    }

    private init(_ hosted: HostedProxy, _ setup: ProxySetup, _ local: LocalCache) {
        learner = setup.servesWebView ? ViewFieldsLearner(ViewFields(through: .proxy), local.cache) : nil
        (credentials, directory) = (setup.credentials, setup.cache.storeDirectory)
        self.hosted = hosted
        self.local = local
    }

    package var port: Int { hosted.port }

    /// The certificate authority whose leaves intercepted hosts present.
    package var authority: CertificateAuthority { hosted.authority }

    /// See ``LocalCache/connectivity``.
    package var connectivity: Connectivity {
        get { local.connectivity }
        set { local.connectivity = newValue }
    }

    /// See ``LocalCache/account`` and ``ProxyConfiguration/account``.
    package var account: String {
        get { local.account }
        set { local.account = newValue }
    }

    private var cache: ResponseCache { local.cache }

    /// The policy; a new one counts for the exchanges that begin from then on. What it says is never to be stored is
    /// removed in the background, now as at the start.
    package var rules: RuleList {
        get { cache.rules }
        set { cache.rules = local.turnedOff.before(newValue) }
    }

    /// Sets ``rules``, and tells what was removed because of the new ones.
    func putInForce(_ rules: RuleList, whenPurged: @escaping @Sendable (RemovedContent) -> Void) {
        cache.putInForce(local.turnedOff.before(rules), whenDone: whenPurged)
    }

    /// Removes what is stored, safely while pages load.
    ///
    /// - Throws: `StoreError` when the store can't be written.
    @discardableResult
    package func remove(_ selection: EntrySelection) async throws -> RemovedContent {
        try await cache.remove(selection)
    }

    /// Removes stored responses and what a web view keeps on its own, since a date or for ever.
    ///
    /// - Throws: ``HostError`` where the web view's data can't be removed, and then nothing was; or `StoreError`.
    @discardableResult
    package func clear(
        _ selection: EntrySelection = .everything, and kinds: Set<WebsiteDataKind>, in data: WebViewData,
        since: WallInstant? = nil
    ) async throws -> RemovedContent {
        try await cache.clear(selection, and: kinds, in: data, since: since)
    }

    /// Removes what a crash may have left in the store, and lets what has expired go first. For an idle moment.
    package func tidy() async {
        _ = try? await store.removeOrphans()
        _ = try? await cache.performMaintenance()
    }

    /// Returns once all that has wholly arrived is stored and reported, or the time is up: 20 s unless set.
    package func waitForCommits(within limit: Duration = HostedProxy.settlingTime) async {
        await hosted.waitForCommits(within: limit)
    }

    /// Returns once what was shown as stored is validated, or the time is up, or ``LocalCache/mostPatience``.
    package func waitForValidations(within limit: Duration) async {
        await cache.waitForBackgroundWork(within: min(limit, LocalCache.mostPatience))
    }

    /// Stops as ``HostedProxy/stop(within:)`` does.
    ///
    /// - Parameter grace: How long answers that are under way may take to reach their clients; none unless set.
    package func stop(within grace: Duration = .zero) async {
        await hosted.stop(within: grace)
        // Fields that can't be kept are learned again.
        if let learned = learner?.current, learned.userAgent != nil, !store.isReadOnly {
            try? PreloadStateFiles(folder: directory + "/preload").keep(learned)
        }
    }
}
