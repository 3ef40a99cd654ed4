#if canImport(WebKit)
import CacheEngine
import CacheRules
import Fetching
import Foundation
import HTTPTypes
import PageScripts
import SchemeTasks
import ViewCare
import WebKit

/// Stands between the web views of one configuration and the network.
///
/// A configuration keeps it alive, and with it each web view that was made with the configuration; it keeps no web
/// view. Type-checked and driven with stand-ins; not yet run on a device.
@MainActor
package final class WebViewInstallation: NSObject {
    let cache: ResponseCache
    let context: @Sendable () -> ExchangeContext
    let clock: EngineClock
    let options: WebViewOptions
    /// Told of navigations, for reports.
    let visits: ViewVisits
    let fault: @MainActor (InterceptionMode) -> String?
    /// The `User-Agent` of this configuration's web views; `nil` where that is not known.
    private(set) var userAgent: String?
    /// Whether a page that does not come through the proxy is loaded past it.
    var fallsBack = true
    /// See ``WebViewMode/appScheme(hosts:)``; empty in other modes.
    let pages: AppSchemePages
    let hook: UploadScript
    /// All views share them: a form may be sent into a window of its own.
    let uploads = PageUploads { try UploadFile(in: NSTemporaryDirectory()) }
    private let dataStore: WKWebsiteDataStore
    /// How requests are answered now.
    package internal(set) var mode: InstalledMode
    private(set) var proxy: WebViewProxy?
    private var portFollowing: Task<Void, Never>?
    var views: [ObjectIdentifier: AttachedWebView] = [:]

    /// Puts the cache between a configuration's web views and the network. Before the first web view is made with it.
    ///
    /// - Parameters:
    ///   - mode: The one to use.
    ///   - proxy: The one to use in ``WebViewMode/proxy``; without it the mode becomes ``WebViewMode/navigation``.
    ///   - reason: Why another mode than the wanted one is installed.
    ///   - context: The account, connectivity and limits of a request that begins now.
    ///   - clock: The one of the cache.
    ///   - visits: Is told which view loads which document; its names for views stand in reports.
    ///   - fault: Why a mode is not to be used any more, as a self-test has found; asked before each load.
    /// - Returns: The installation; the one that is there already if the configuration has one.
    @discardableResult
    package static func install(
        in configuration: WKWebViewConfiguration, mode: WebViewMode, proxy: WebViewProxy? = nil, reason: String? = nil,
        cache: ResponseCache, context: @escaping @Sendable () -> ExchangeContext, clock: EngineClock = .system,
        options: WebViewOptions = WebViewOptions(), visits: ViewVisits = ViewVisits(),
        fault: @escaping @MainActor (InterceptionMode) -> String? = { _ in nil }
    ) -> WebViewInstallation {
        if let present = WebViewInstallation.of(configuration) { return present }
        let installation = WebViewInstallation(
            configuration.websiteDataStore, mode, proxy, reason: reason, cache: cache, context: context, clock: clock,
            options: options, visits: visits, fault: fault)
        // In every mode: by its handler an installation is found again, and a web view keeps it.
        configuration.setURLSchemeHandler(installation, forURLScheme: AppCacheScheme.name)
        if let permission = mode.permission {
            let isPermitted = permission.during {
                for scheme in mode.name.schemes {
                    configuration.setURLSchemeHandler(installation, forURLScheme: scheme)
                }
            }
            if !isPermitted {
                installation.mode = InstalledMode(.navigation, reason: "WebKit lets no handler have https here.")
            }
        }
        installation.begin(configuration.userContentController)
        return installation
    }

    /// The one that was installed in a configuration or in that of a web view; `nil` without one.
    package static func of(_ configuration: WKWebViewConfiguration) -> WebViewInstallation? {
        configuration.urlSchemeHandler(forURLScheme: AppCacheScheme.name) as? WebViewInstallation
    }

    init(
        _ dataStore: WKWebsiteDataStore, _ mode: WebViewMode, _ proxy: WebViewProxy?, reason: String?,
        cache: ResponseCache, context: @escaping @Sendable () -> ExchangeContext, clock: EngineClock,
        options: WebViewOptions, visits: ViewVisits, fault: @escaping @MainActor (InterceptionMode) -> String?
    ) {
        (self.cache, self.context, self.clock, self.options) = (cache, context, clock, options)
        (self.visits, self.fault) = (visits, fault)
        (self.dataStore, self.proxy) = (dataStore, proxy)
        let fault = mode.name == .proxy ? DataStoreProxy.of(dataStore).fault(of: proxy) : nil
        let isWithoutProxy = mode.name == .proxy && (proxy == nil || fault != nil)
        self.mode = InstalledMode(isWithoutProxy ? .navigation : mode.name, reason: fault ?? reason)
        pages = AppSchemePages(hosts: mode.hosts)
        hook = UploadScript(
            token: UploadScript.randomToken(), schemes: mode.name.schemes, unpatched: options.unpatched)
        super.init()
    }

    deinit {
        portFollowing?.cancel()
    }

    /// Adds the page scripts that the mode needs, or sends the data store through the proxy.
    func begin(_ controller: WKUserContentController) {
        if mode.name == .proxy { useProxy() }
        guard mode.name.hasHandler else { return }
        var (sources, sourcesApart) = ([hook.script], [hook.isolatedWorldScript])
        if mode.name.usesAppScheme, let rewriting = options.rewriting {
            let addresses = AddressScript(rewriting, unpatched: options.unpatched)
            sources.append(addresses.script)
            sourcesApart.append(addresses.isolatedWorldScript(hook))
        }
        let apart = WKContentWorld.world(name: "larder-forms")
        for (sources, world) in [(sources, WKContentWorld.page), (sourcesApart, apart)] {
            for source in sources {
                controller.addUserScript(
                    WKUserScript(source: source, injectionTime: .atDocumentStart, forMainFrameOnly: false, in: world))
            }
        }
    }

    /// Finds out what web views of the configuration call themselves to servers, where a scheme handler answers. Starts
    /// a process for web views where none runs; returns after two seconds at the latest.
    package func learnUserAgent(of configuration: WKWebViewConfiguration) async {
        guard mode.name.hasHandler else { return }
        let view = WKWebView(frame: .zero, configuration: configuration)
        let answer = FirstAnswer<String?>()
        // WebKit keeps the field (RFC 9110 §10.1.5) from scheme handlers.
        view.callAsyncJavaScript("return navigator.userAgent", in: nil, in: .defaultClient) { result in
            answer.give((try? result.get()) as? String)
        }
        let timer = Task { [clock] in
            // Longer than the first process of web views takes to start.
            try? await clock.sleep(.seconds(2))
            answer.give(nil)
        }
        let text = await answer.value
        timer.cancel()
        // Without the view nobody would answer.
        withExtendedLifetime(view) {}
        userAgent = text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Keeps pages at the app-cache scheme from plain http, as WebKit keeps those at https; see `MixedContentRules`.
    /// Before the first web view is made with the configuration. Where WebKit does not take the rules, the mode becomes
    /// ``WebViewMode/navigation``.
    package func blockMixedContent(
        in controller: WKUserContentController,
        compiled: @MainActor (_ name: String, _ rules: String) async -> WKContentRuleList? =
            WebViewInstallation.compiled
    ) async {
        guard mode.name.usesAppScheme else { return }
        guard let rules = await compiled("larder-pages", MixedContentRules.ofPages) else {
            mode = InstalledMode(.navigation, reason: "WebKit does not take the rules against mixed content.")
            return
        }
        controller.add(rules)
        // Older systems do not know the condition.
        if let rules = await compiled("larder-frames", MixedContentRules.ofFrames) { controller.add(rules) }
    }

    package static func compiled(_ name: String, _ rules: String) async -> WKContentRuleList? {
        guard let store = WKContentRuleListStore.default() else { return nil }
        return await withCheckedContinuation { continuation in
            store.compileContentRuleList(forIdentifier: name, encodedContentRuleList: rules) { list, _ in
                continuation.resume(returning: list)
            }
        }
    }

    // MARK: Proxy

    func useProxy() {
        guard mode.name == .proxy, let proxy else { return }
        DataStoreProxy.of(dataStore).use(proxy)
        guard portFollowing == nil else { return }
        let changes = proxy.portChanges()
        portFollowing = Task { [weak self] in
            for await _ in changes {
                guard let self else { return }
                if mode.name == .proxy { DataStoreProxy.of(dataStore).use(proxy) }
            }
        }
    }

    /// Loads go past the proxy until the result is ended.
    func bypassProxy() -> ProxyBypass { DataStoreProxy.of(dataStore).bypass(proxy) }

    /// Why the views of another configuration of the data store have given up the proxy, if they have.
    var proxyFault: String? { mode.name == .proxy ? DataStoreProxy.of(dataStore).fault(of: proxy) : nil }

    /// The proxy was at fault.
    func giveUpProxy(_ reason: String) {
        DataStoreProxy.of(dataStore).giveUp(proxy, reason)
        mode = InstalledMode(.navigation, reason: reason)
        options.events(.modeChanged(mode))
    }

    /// - Returns: `nil` where the question is not about the proxy, its certificates or its password.
    func disposition(
        for challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?)? {
        // The data store has the password already; should WebKit ask all the same, that is not for the app.
        let space = challenge.protectionSpace
        if mode.name == .proxy, space.isProxy(), space.host == "127.0.0.1", let user = proxy?.user,
            let password = proxy?.password
        {
            // A page's URL may have a password, too: one that was refused need not be ours.
            guard challenge.previousFailureCount < 2 else { return (.cancelAuthenticationChallenge, nil) }
            return (.useCredential, URLCredential(user: user, password: password, persistence: .forSession))
        }
        guard let answer = proxy?.disposition(challenge), answer.0 != .performDefaultHandling else { return nil }
        return answer
    }
}
#endif
