import CacheEngine
import CacheRules
import CachingProxy
import HTTPCacheSemantics
import HTTPTypes
import Preloading
import WebVisit

/// Hidden web views over a store: each a process of its own, all behind one proxy whose requests are those of hidden
/// pages.
final class HiddenPageHost: Sendable {
    let display: Display
    let trust: LeafTrust
    let credentials: ProxyCredentials
    let cache: ResponseCache
    private let hosted: HostedProxy
    private let limits: WholePageLimits

    var port: Int { hosted.port }

    /// - Parameter local: Has the store and the network. Its own requests go past `traffic`.
    static func start(
        _ local: LocalCache, _ setup: CacheSetup, _ traffic: HiddenPageTraffic, _ limits: WholePageLimits,
        observer: any ExchangeObserver
    ) async throws -> HiddenPageHost {
        let (trust, credentials) = (LeafTrust(), ProxyCredentials.random())
        let transport = traffic.transport(over: local.transport)
        let cache = ResponseCache(
            store: local.store, transport: transport,
            configuration: EngineConfiguration(rules: traffic.rules(before: local.cache.rules), observer: observer))
        // Tunnelled traffic can't be inspected: sign-in hosts are not reached, and WebSocket is not opened.
        var configuration = ProxyConfiguration(
            mode: .forward(intercept: .forWebViews), credentials: credentials, sendsCacheStatus: false,
            context: {
                var context = ExchangeContext(connectivity: local.connectivity, fieldsOmittedFromHits: [.setCookie])
                context.checksAllowedOrigin = true
                return context
            }, willPresent: { await trust.confirm(host: $0, certificatePEM: $1) })
        (configuration.refusesUncached, configuration.isPartOfClient) = (true, true)
        configuration.account = { local.account }
        let hosted = try await HostedProxy(
            configuration, cache: cache, store: local.store, directory: setup.storeDirectory,
            transport: transport, dialer: local.dialer)
        do {
            return HiddenPageHost(try await Display.find(), trust, credentials, cache, hosted, limits)
        } catch {
            await hosted.stop()
            throw error
        }
    }

    private init(
        _ display: Display, _ trust: LeafTrust, _ credentials: ProxyCredentials, _ cache: ResponseCache,
        _ hosted: HostedProxy, _ limits: WholePageLimits
    ) {
        (self.display, self.trust, self.credentials) = (display, trust, credentials)
        (self.cache, self.hosted, self.limits) = (cache, hosted, limits)
    }

    func open() throws -> HiddenWebView { HiddenWebView(try WebViewProcess(display: display), self) }

    /// A visit that keeps nothing, and that is ended by its caller rather than by its own limit.
    func visit(_ url: String) throws -> VisitRequest {
        try trust.addHost(of: url, hosted.authority)
        return VisitRequest(
            url: url, proxy: "http://127.0.0.1:\(port)", proxyUser: credentials.user,
            proxyPassword: credentials.password, timeoutSeconds: limits.time / .seconds(1) + 60,
            trusted: trust.known, prefetchesNames: false)
    }

    /// Returns when what has arrived is stored.
    func stop() async {
        await hosted.stop()
        display.stop()
    }
}

/// One hidden page in a web-view process.
struct HiddenWebView: HiddenPage {
    private let process: WebViewProcess
    private let host: HiddenPageHost

    init(_ process: WebViewProcess, _ host: HiddenPageHost) { (self.process, self.host) = (process, host) }

    func load(_ url: String) async throws -> HiddenPageResult {
        host.trust.use(process)
        defer { host.trust.use(nil) }
        let seen = try await process.visit(host.visit(url))
        var problem = seen.loadError.map { $0.message }
        if let download = seen.download { problem = "It is a download (\(download.mediaType)), not a page." }
        if let app = seen.handedToApp { problem = "It leads to another app: \(app)" }
        if let reason = seen.webProcessTerminated { problem = "The web process ended: \(reason)." }
        if seen.timedOut { problem = "The page did not come to rest." }
        return HiddenPageResult(url: seen.finalURL, status: seen.mainStatus, problem: problem)
    }

    var memory: ByteCount? { ProcessMemory.ofWebProcesses(below: process.processIdentifier) }

    func stop() async { process.stop() }
}
