#if Proxy
import CacheEngine
import CachingProxy
import HTTPCacheSemantics
import NIOPosix
import NIOTransport
import OriginDialing
import ResponseStore
import ViewCare

/// The trait `Proxy` adds a proxy for web views.
extension Larder {
    /// Starts a proxy at 127.0.0.1 through which a web view gets what this ``Larder`` gets: by the same store,
    /// ``rules``, ``account`` and ``connectivity``, as they are when a request arrives.
    ///
    /// On Apple's platforms a web view is sent through it, and made to trust its certificates, as follows. These lines
    /// have not run on a device yet.
    ///
    /// ```swift
    /// let proxy = try await larder.startProxy()
    /// let endpoint = NWEndpoint.hostPort(host: "127.0.0.1", port: NWEndpoint.Port(rawValue: UInt16(proxy.port))!)
    /// var configuration = ProxyConfiguration(httpCONNECTProxy: endpoint)        // Network, iOS 17, macOS 14
    /// if let credentials = proxy.credentials {
    ///     configuration.applyCredential(username: credentials.user, password: credentials.password)
    /// }
    /// let webViewConfiguration = WKWebViewConfiguration()
    /// webViewConfiguration.websiteDataStore.proxyConfigurations = [configuration]
    ///
    /// // In the navigation delegate: what the proxy signs is accepted, all else is left to the system.
    /// func webView(
    ///     _ webView: WKWebView, respondTo challenge: URLAuthenticationChallenge
    /// ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
    ///     proxy.disposition(for: challenge)
    /// }
    /// ```
    ///
    /// iOS takes the port back while the app is suspended: follow ``LarderProxy/portChanges`` to set
    /// `proxyConfigurations` anew.
    ///
    /// The proxy uses the network of this ``Larder``, so URLSession where that is its transport.
    /// Tunnels and WebSocket, which no cache can answer, are connections of the proxy's own.
    ///
    /// The proxy keeps its `Larder` alive until ``LarderProxy/stop(within:)``. There may be several at a time.
    ///
    /// - Parameters:
    ///   - port: 0, so unless set, takes a free one.
    ///   - policy: The hosts for which TLS is opened, so that the store can answer; the others are
    ///     tunnelled unread. All but well-known sign-in and payment hosts
    ///     (`InterceptPolicy.signInHosts`) unless set.
    ///   - credentials: The user name and password that clients need; a new random password unless
    ///     set. With `nil` every program on the device may use the proxy and read the store.
    ///   - sendsCacheStatus: Whether answers carry `Cache-Status`, which scripts of a page can read; not unless set.
    ///   - secrets: Where the key of the proxy's certificate authority is kept; ``AuthorityKeyPlace/platform`` unless
    ///     set.
    /// - Throws: `ProxyError`: the port is taken or can't be listened on. Where the key can't be read or kept, the
    ///   certificate authority lasts as long as the proxy.
    public func startProxy(
        port: Int = 0, intercept policy: InterceptPolicy = .forWebViews, credentials: ProxyCredentials? = .random(),
        sendsCacheStatus: Bool = false, secrets: AuthorityKeyPlace = .platform
    ) async throws -> LarderProxy {
        try await startProxy(
            port: port, intercept: policy, credentials: credentials, sendsCacheStatus: sendsCacheStatus,
            secrets: secrets, view: "", upperCache: .asks)
    }

    /// The proxy behind web views, see ``install(in:through:options:)``.
    ///
    /// - Throws: As ``startProxy(port:intercept:credentials:sendsCacheStatus:secrets:)``.
    func startProxy(for options: WebViewProxyOptions) async throws -> LarderProxy {
        try await startProxy(
            port: options.port, intercept: InterceptPolicy(options.intercepted), credentials: .random(),
            sendsCacheStatus: options.sendsCacheStatus,
            secrets: options.keepsKeyInStoreFolder ? .storeFolder : .platform, view: ViewVisits.someView,
            upperCache: options.usesWebViewCache ? .asks : .off)
    }

    /// - Parameter view: The name of its clients in reports; their connections name them if it is
    ///   empty.
    private func startProxy(
        port: Int, intercept policy: InterceptPolicy, credentials: ProxyCredentials?, sendsCacheStatus: Bool,
        secrets: AuthorityKeyPlace, view: String, upperCache: UpperCache
    ) async throws -> LarderProxy {
        var configuration = ProxyConfiguration(
            mode: .forward(intercept: policy), port: port, credentials: credentials, sendsCacheStatus: sendsCacheStatus,
            context: {
                var context = ExchangeContext(
                    view: view, connectivity: self.connectivity, fieldsOmittedFromHits: [.setCookie])
                context.checksAllowedOrigin = true
                context.upperCache = upperCache
                return context
            })
        configuration.account = { self.account ?? "" }
        configuration.isPartOfClient = true
        let hosted = try await HostedProxy(
            configuration, cache: cache, store: store, directory: directory, transport: transport,
            dialer: try dialer, secrets: secrets.store(directory: directory))
        let proxy = LarderProxy(hosted, credentials)
        let resume: @Sendable () -> Void = { [weak proxy] in proxy?.larderDidResume() }
        resumptionListeners.withLock { $0.add(proxy, resume) }
        return proxy
    }

    /// Connects the proxy to an origin where no cache can answer.
    private var dialer: OriginDialer {
        get throws {
            try (transport as? NIOOriginTransport)?.dialer
                ?? OriginDialer(group: MultiThreadedEventLoopGroup.singleton, trust: try OriginTrust())
        }
    }

    /// A proxy in front of the page of the self-test, and of nothing else: no request that comes to it reaches the
    /// network. With the authority of this ``Larder``'s proxies, so that what keeps that from being used shows.
    ///
    /// - Throws: As ``startProxy(port:intercept:credentials:sendsCacheStatus:secrets:)``.
    package func startCapabilityProxy(_ options: WebViewProxyOptions = WebViewProxyOptions()) async throws
        -> LarderProxy
    {
        let (credentials, transport) = (ProxyCredentials.random(), CapabilityTransport())
        var configuration = ProxyConfiguration(
            mode: .forward(intercept: .only(CapabilityTransport.hosts.map { HostNamePattern($0) })),
            credentials: credentials, sendsCacheStatus: false)
        configuration.refusesUncached = true
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(rules: .protocolOnly, clock: clock))
        let secrets: AuthorityKeyPlace = options.keepsKeyInStoreFolder ? .storeFolder : .platform
        let hosted = try await HostedProxy(
            configuration, cache: cache, store: nil, directory: directory, transport: transport,
            dialer: try dialer, secrets: secrets.store(directory: directory))
        return LarderProxy(hosted, credentials)
    }
}
#endif
