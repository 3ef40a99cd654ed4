#if canImport(WebKit)
import CacheEngine
import Foundation
import ResponseStore
import ViewCare
import WKWebViewAdapter
import WebKit

/// Web views. Type-checked and driven with stand-ins; not yet run on a device.
extension Larder {
    /// Has the web views that are made with a configuration answered by this ``Larder``: by the same store, ``rules``,
    /// ``account`` and ``connectivity``, as they are when a request begins.
    ///
    /// ```swift
    /// let larder = try Larder()
    /// let configuration = WKWebViewConfiguration()
    /// await larder.install(in: configuration)
    /// let webView = WKWebView(frame: .zero, configuration: configuration)
    /// larder.load(URL(string: "https://shop.example/")!, in: webView)
    /// ```
    ///
    /// It falls back by itself: where the wanted mode can't be had, web views connect as if there were no Larder, and
    /// the result says why. A page that can't be loaded through the proxy is loaded past it.
    ///
    /// Set your navigation delegate before ``load(_:in:)-(URL,_)``. It stays in charge of all that it has methods for.
    /// A web view that you load yourself needs ``watch(_:)`` before: without it nobody accepts the proxy's
    /// certificates.
    ///
    /// The proxy is a setting of the configuration's data store: other web views with the same store, which know
    /// nothing of the proxy's certificates, can't load intercepted hosts then. Where the app has such, as with
    /// `WKWebsiteDataStore.default()`, give these a store of their own. All configurations of a ``Larder`` share one
    /// proxy.
    ///
    /// - Parameters:
    ///   - configuration: Before the first web view is made with it. A second call changes nothing.
    ///   - mode: The proxy, where there is one, unless set; see `WebViewMode`.
    ///   - options: The hosts for which the proxy answers, and its port; links to other apps,
    ///     downloads, the end of a process. See `WebViewOptions` for the defaults.
    /// - Returns: The mode that is in use, and why not the wanted one. A mode that ``capabilities(of:in:options:)`` has
    ///   found not to work here, or that the publisher has turned off (``preload(manifest:)``), is not used.
    @MainActor
    @discardableResult
    public func install(
        in configuration: WKWebViewConfiguration, through mode: WebViewMode = .automatic,
        options: WebViewOptions = WebViewOptions()
    ) async -> InstalledMode {
        if let present = WebViewInstallation.of(configuration) { return present.mode }
        let (chosen, proxy, reason) = await way(to: mode, options.proxy)
        // While the proxy started, another call may have been here.
        if let present = WebViewInstallation.of(configuration) { return present.mode }
        let installation = WebViewInstallation.install(
            in: configuration, mode: chosen, proxy: proxy, reason: reason, cache: cache,
            context: { self.contextForClients }, clock: clock, options: options, visits: visits,
            fault: { self.fault(of: $0) })
        empties(configuration.websiteDataStore)
        await installation.blockMixedContent(in: configuration.userContentController)
        await installation.learnUserAgent(of: configuration)
        return installation.mode
    }

    /// Has the web views' own caches emptied with the store.
    @MainActor
    private func empties(_ store: WKWebsiteDataStore) {
        webViewCaches.add(ObjectIdentifier(store)) { [weak store] in
            guard let store else { return false }
            await WebViewData(store).removeData(of: [.diskCache, .memoryCache], host: nil, since: nil)
            return true
        }
    }

    /// The objection to a mode, of the publisher or of the self-test; `nil` where there is none.
    func fault(of mode: InterceptionMode) -> String? {
        policy.turnedOff.fault(of: mode) ?? modeFaults.withLock { $0[mode.rawValue] }
    }

    /// The mode that can be had, the proxy for it, and why it is not the wanted one.
    @MainActor
    func way(
        to mode: WebViewMode, _ options: WebViewProxyOptions
    ) async -> (WebViewMode, WebViewProxy?, String?) {
        if let fault = fault(of: mode.name) { return (.navigation, nil, fault) }
        guard mode.name == .proxy else { return (mode, nil, nil) }
        do {
            return (mode, try await webViewProxy(options), nil)
        } catch {
            return (.navigation, nil, error.message)
        }
    }

    /// Loads a page in a web view, in the mode of its configuration; without ``install(in:through:options:)`` just so.
    ///
    /// From then on navigations are watched over, in front of the web view's delegate: call it after you have set
    /// yours.
    ///
    /// - Returns: The result of `WKWebView.load(_:)`.
    @MainActor
    @discardableResult
    public func load(_ url: URL, in webView: WKWebView) -> WKNavigation? {
        load(URLRequest(url: url), in: webView)
    }

    /// As ``load(_:in:)-(URL,_)``, with a request. Its `cachePolicy` counts for the page itself, not for what the page
    /// asks for; `timeoutInterval` is WebKit's. Where the host of the page is not intercepted, its server sees the
    /// policy in the field `Larder-Cache-Mode`.
    @MainActor
    @discardableResult
    public func load(_ request: URLRequest, in webView: WKWebView) -> WKNavigation? {
        guard let installation = WebViewInstallation.of(webView.configuration) else { return webView.load(request) }
        return installation.load(request, CacheMode(request.cachePolicy), in: webView)
    }

    /// Loads a page where nobody sees it, so that all that it asks for is stored; see `HiddenPageLoad`. One page is
    /// loaded at a time, in the order of the calls. A manifest (``preload(manifest:)``) costs far less: this runs the
    /// page. Where there is no proxy, it warms the web views' own cache alone. A page that a manifest marks
    /// (`sideEffects`), if that was preloaded before, is not loaded: not itself, nor where it leads to, nor in a frame;
    /// what its scripts fetch is not looked at.
    ///
    /// ```swift
    /// let outcome = await larder.preload(rendering: url, with: configuration, in: view).outcome
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: After ``install(in:through:options:)``.
    ///   - container: A view in the window. The load ends with it, and when the task that waits is cancelled.
    @MainActor
    public func preload(
        rendering url: URL, with configuration: WKWebViewConfiguration, in container: PlatformView,
        limits: HiddenPageLoad.Limits = HiddenPageLoad.Limits()
    ) -> HiddenPageLoad {
        HiddenPageLoad(URLRequest(url: url), configuration, in: container, limits: limits, clock: clock) {
            [preloads] page in
            await preloads.current().isMarked(page)
        }
    }

    /// Watches over a web view's navigations, in front of the delegate that it has now: as ``load(_:in:)-(URL,_)``
    /// does, for a web view that the app loads itself. Does nothing without ``install(in:through:options:)``.
    @MainActor
    public func watch(_ webView: WKWebView) { WebViewInstallation.of(webView.configuration)?.watch(webView) }

    /// How a web view's requests are answered now; `nil` without ``install(in:through:options:)``.
    @MainActor
    public func mode(of webView: WKWebView) -> InstalledMode? {
        WebViewInstallation.of(webView.configuration)?.mode
    }

    /// The name of a web view in reports (`ExchangeReport.view`), such as `web view 2`; `nil`
    /// without ``install(in:through:options:)``. Unique within a ``Larder``.
    @MainActor
    public func name(of webView: WKWebView) -> String? {
        WebViewInstallation.of(webView.configuration)?.name(of: webView)
    }

    /// The number of the visit that a web view has begun last (`ExchangeReport.visit`): 1 for its first document, and
    /// one more for each that it loads after that; `nil` before.
    @MainActor
    public func visit(in webView: WKWebView) -> Int? { name(of: webView).flatMap { visits.visit(in: $0) } }

    /// Removes stored responses and what the web views of a data store keep, in one call. Nobody is signed out, and
    /// nothing of a page's own data goes, unless it is named: cookies, storage, service workers.
    ///
    /// - Parameters:
    ///   - selection: The responses to remove, of all accounts. Default: everything not pinned;
    ///     preloaded responses are pinned. `.everything` means those too.
    ///   - kinds: The web views' data to remove; its caches unless set. Where the selection has a host, only that of
    ///     its site: the registrable domain with all hosts below it.
    ///   - since: Only what was stored or modified then or later; `nil` for all. Of one site, all that web views have.
    /// - Throws: `StoreError`.
    @MainActor
    @discardableResult
    public func clear(
        _ selection: EntrySelection = EntrySelection(isPinned: false), webViewsOf dataStore: WKWebsiteDataStore,
        and kinds: Set<WebsiteDataKind> = WebsiteDataKind.caches, since: WallInstant? = nil
    ) async throws -> RemovedContent {
        try await clear(selection, and: kinds, in: WebViewData(dataStore), since: since)
    }
}

@available(iOS 26.0, macOS 26.0, *)
extension Larder {
    /// Has the pages that are made with a configuration answered by this ``Larder``. Type-checked and driven with
    /// stand-ins; not yet run on a device.
    ///
    /// ```swift
    /// var configuration = WebPage.Configuration()
    /// let requests = await larder.requests(for: &configuration)
    /// let page = WebPage(configuration: configuration, navigationDecider: decider)
    /// requests.attach(to: page)
    /// page.load(requests.load(url))
    /// ```
    ///
    /// The decider has to call `WebPageRequests.announce(_:)` for what it allows, and `disposition(for:)` for questions
    /// about certificates. See ``install(in:through:options:)`` for the rest.
    @MainActor
    public func requests(
        for configuration: inout WebPage.Configuration, through mode: WebViewMode = .automatic,
        options: WebViewOptions = WebViewOptions()
    ) async -> WebPageRequests {
        let (chosen, proxy, reason) = await way(to: mode, options.proxy)
        empties(configuration.websiteDataStore)
        // No web view can be made from it to ask for its user agent, so a similar one is used.
        let similar = WKWebViewConfiguration()
        similar.websiteDataStore = configuration.websiteDataStore
        similar.applicationNameForUserAgent = configuration.applicationNameForUserAgent
        return await WebViewInstallation.install(
            in: &configuration, mode: chosen, proxy: proxy, reason: reason, cache: cache,
            context: { self.contextForClients }, clock: clock, options: options, visits: visits,
            fault: { self.fault(of: $0) }, likeWebViewsOf: similar)
    }
}

extension Larder {
    /// Measures which kinds of loads a mode carries on this system: loads a built-in page, without any network, in a
    /// hidden web view of its own. Takes seconds, a minute at most, and changes nothing that is stored.
    ///
    /// A mode that fails is not used from then on: ``install(in:through:options:)`` takes `WebViewMode.navigation` and
    /// says why, and so do web views of this ``Larder`` with their next ``load(_:in:)-(URL,_)``, so that their pages
    /// load. It fails if the page can't be loaded, or if scripts, style sheets, images or `fetch` do not come. Only a
    /// later measurement that succeeds, or another build of the system, lifts that: it is remembered beside the state
    /// of preloading, so one measurement for each build of the system will do.
    ///
    /// - Parameters:
    ///   - mode: All but `WebViewMode.navigation`; `automatic` is the proxy. The hosts of `appScheme` do not count.
    ///   - container: A view in the window; what is measured ends with it. Nothing here keeps it.
    ///   - options: Where the proxy's key is kept; the rest of them does not count.
    /// - Throws: `WebViewError`: `modeUnavailable` where the mode can't be had here at all, `modeFailed`,
    ///   `notMeasured`.
    @MainActor
    public func capabilities(
        of mode: WebViewMode, in container: PlatformView, options: WebViewProxyOptions = WebViewProxyOptions()
    ) async throws -> CapabilityReport {
        let proxy = mode.name == .proxy ? try await capabilityProxy(options) : nil
        do {
            let check = try CapabilityCheck(mode, proxy: proxy, in: container, clock: clock)
            let report = try await check.report
            note(report.fault, of: mode.name)
            return report
        } catch let error as WebViewError {
            if error.code == .modeFailed { note(error.message, of: mode.name) }
            throw error
        }
    }

    /// One that can't be kept is measured again.
    private func note(_ fault: String?, of mode: InterceptionMode) {
        modeFaults.withLock { faults in
            faults[mode.rawValue] = fault
            try? preloads.files.keep(modeFaults: faults)
        }
    }
}
#endif
