import CacheRules
import CachingProxy
import DemoSite
import OriginDialing
import Preloading
import WebVisit

/// The visitors of a demo: through Larder, each with a store of its own, and without it.
struct DemoVisitors: Sendable {
    /// A store of the demo.
    enum Store: String {
        /// Filled by the visits themselves.
        case visited = "store"
        /// Filled before the first visit.
        case preloaded
        /// Empty like the next one, and nothing is preloaded.
        case quiet
        /// Filled with other files while the page is opened.
        case preloading
        /// Empty until the visit on a lossy network.
        case lossy
    }

    let control: ProxyDemoVisitor
    private let options: DemoOptions
    private let directory: String
    private let hostMap: [String]
    private let authorities: String?
    private let display: Display
    /// Carries requests that a scheme handler does not carry.
    private let tunnel: LocalProxy

    /// Whether the control's requests are read, forwarded and not stored, rather than tunnelled: plain http can't be
    /// tunnelled.
    var controlIsRead: Bool { Self.readsControl(options) }

    private static func readsControl(_ options: DemoOptions) -> Bool {
        options.url?.hasPrefix("http:") ?? false
    }

    /// - Parameters:
    ///   - hostMap: See `HostMap`.
    ///   - authorities: PEM file with authorities of the origin.
    static func start(
        _ options: DemoOptions, directory: String, hostMap: [String], authorities: String?, display: Display
    ) async throws -> DemoVisitors {
        let isRead = readsControl(options)
        var setup = ProxySetup(
            storeDirectory: directory + "/control", mode: .forward(intercept: isRead ? .forWebViews : .none))
        setup.cache.hostMap = try HostMap(hostMap)
        setup.cache.originAuthorities = authorities
        // The control must not cache what is read, nor keep the web view from caching it.
        setup.cache.rules = RuleList([Rule.disconnected, Rule("control", .bypass)])
        setup.upperCache = .asStated
        let control = try await ProxyDemoVisitor.start(setup, display: display)
        var tunnel = control.visitor.proxy
        if options.mode != .proxy, options.url == nil || isRead {
            // WebKitGTK asks nobody for the credentials of a proxy that a WebSocket meets first. For the sample shop
            // there are none: for these seconds other programs of this machine could tunnel through, as they could
            // dial.
            setup.cache.storeDirectory = directory + "/tunnel"
            setup.mode = .forward(intercept: .none)
            setup.credentials = options.url == nil ? nil : .random()
            tunnel = try await LocalProxy.start(setup)
        }
        return DemoVisitors(
            control: control, options: options, directory: directory, hostMap: hostMap, authorities: authorities,
            display: display, tunnel: tunnel)
    }

    /// Opens a store, and visits through it.
    func larder(_ store: Store) async throws -> any DemoVisitor {
        let path = directory + "/" + store.rawValue
        switch options.mode {
        case .none: return control
        case .proxy:
            var setup = ProxySetup(storeDirectory: path, mode: .forward(intercept: .forWebViews))
            setup.cache.hostMap = try HostMap(hostMap)
            setup.cache.originAuthorities = authorities
            setup.cache.rules = try RulesSource(options.rules).rules()
            return try await ProxyDemoVisitor.start(setup, display: display)
        default:
            let cache = SessionCacheRequest(
                storeDirectory: path, rules: options.rules, hostMap: hostMap, originAuthorities: authorities)
            return SessionDemoVisitor(
                mode: options.mode, cache: cache, tunnel: tunnel, display: display, program: options.sessionProgram)
        }
    }

    /// Fills the store for the visit after a preload.
    ///
    /// - Parameters:
    ///   - publication: The manifests and redirects that the origin publishes.
    ///   - visitor: Will make the visit. A proxy's cache preloads itself, as an app's does.
    /// - Returns: Bytes of content that came.
    func preload(_ publication: DemoPublication, for visitor: any DemoVisitor) async throws -> Int64 {
        var bytes: Int64 = 0
        var cache = CacheSetup(storeDirectory: directory + "/" + Store.preloaded.rawValue)
        cache.hostMap = try HostMap(hostMap)
        cache.originAuthorities = authorities
        cache.rules = .webViewDefaults
        let local = try (visitor as? ProxyDemoVisitor)?.visitor.proxy.local ?? LocalCache(cache)
        for manifest in publication.manifests {
            var request = PreloadRequest(cache: cache)
            request.items = publication.redirects(of: manifest.host)
            request.viewFields = .init(through: options.mode)
            request.pageOrigin = publication.pageOrigin
            // A scheme handler knows the page, and keeps apart what its page shares with other sites.
            if options.mode.needsUnlocking, manifest.isOtherSite { request.site = publication.pageOrigin }
            request.manifest = .init(
                url: manifest.url, id: manifest.host, trust: publication.trust, base: manifest.base)
            let outcome = try await PreloadRun(request, local).run { _ in }
            guard outcome.isComplete else {
                throw HostError(
                    code: .fault,
                    message:
                        "The preload of '\(manifest.url)' is not complete: "
                        + "\(outcome.manifestProblem?.description ?? "")"
                        + outcome.refused.map { "\($0.item.url) \($0.refusal)" }.joined(separator: ", "))
            }
            bytes += outcome.summary.transferred.bytes
        }
        if !(visitor is ProxyDemoVisitor) { await local.stop() }
        return bytes
    }

    /// Fetches other files of the shop into the store of a proxy, and returns once a few have come.
    ///
    /// - Returns: To be cancelled.
    func preloadOtherFiles(_ count: Int, for visitor: any DemoVisitor) async throws -> Task<Void, Never>? {
        guard let local = (visitor as? ProxyDemoVisitor)?.visitor.proxy.local else { return nil }
        var request = PreloadRequest(cache: CacheSetup(storeDirectory: directory + "/" + Store.preloading.rawValue))
        request.viewFields = .init(through: options.mode)
        let shop = DemoHosts().origin(of: DemoHosts().shop)
        request.pageOrigin = shop
        request.items = (0..<count).map {
            PreloadItem(url: "\(shop)/other/\($0).txt", destination: .fetch, origin: shop)
        }
        let run = try PreloadRun(request, local)
        let (begun, news) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            _ = try? await run.run { event in
                if case .verified = event { news.yield() }
            }
            news.finish()
        }
        var seen = 0
        for await _ in begun {
            seen += 1
            if seen == 20 { break }
        }
        return task
    }

    func stop() async {
        if tunnel !== control.visitor.proxy { await tunnel.stop() }
        await control.stop()
    }
}
