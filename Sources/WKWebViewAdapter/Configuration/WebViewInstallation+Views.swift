#if canImport(WebKit)
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import SchemeTasks
import ViewCare
import WebKit

/// The web views of a configuration, and what they load.
extension WebViewInstallation {
    /// Watches over the navigations of a web view, in front of the delegate that it has now. Call it again after
    /// another delegate was set.
    package func watch(_ webView: WKWebView) { attach(to: webView) }

    @discardableResult
    func attach(to webView: WKWebView) -> AttachedWebView {
        forgetViews()
        let key = ObjectIdentifier(webView)
        if let attached = views[key] {
            attached.attach()
            return attached
        }
        let attached = AttachedWebView(webView, self)
        views[key] = attached
        attached.attach()
        if #available(iOS 16.4, macOS 13.3, *) { webView.isInspectable = options.allowsInspection }
        return attached
    }

    /// Forgets views that are gone; with them end the loads past the proxy that were theirs.
    func forgetViews() {
        for (key, view) in views where view.webView == nil {
            // At once: a proxy that is set later would end the loads that begin now.
            view.endBypass()
            views[key] = nil
        }
    }

    /// The web view's name in reports.
    package func name(of webView: WKWebView) -> String { attached(webView).name }

    /// The web view's own half, made when it is needed first.
    func attached(_ webView: WKWebView) -> AttachedWebView {
        // The place of a web view that is gone may be another one's by now.
        if let present = views[ObjectIdentifier(webView)], present.webView === webView { return present }
        return attach(to: webView)
    }

    /// Loads a page in a web view, as the mode wants it.
    ///
    /// - Parameter cacheMode: The one of `cachePolicy`, for the page itself.
    /// - Returns: The result of `WKWebView.load(_:)`.
    @discardableResult
    package func load(
        _ request: URLRequest, _ cacheMode: CacheMode = .protocolDefault, in webView: WKWebView
    ) -> WKNavigation? {
        heedSelfTest()
        return attach(to: webView).load(request, cacheMode)
    }

    /// The URL at which a page is loaded in the mode that is in use; `nil` for its own.
    func pageURL(of url: URL) -> URL? {
        guard mode.name.usesAppScheme else { return nil }
        return pages.pageURL(of: url.absoluteString).flatMap { URL(string: TargetURI.strict($0)) }
    }

    /// Leaves a mode that a self-test has found not to work here. A handler for https can't be taken back.
    func heedSelfTest() {
        guard !mode.name.needsUnlocking, let reason = fault(mode.name) ?? proxyFault else { return }
        if mode.name == .proxy { return giveUpProxy(reason) }
        mode = InstalledMode(.navigation, reason: reason)
        options.events(.modeChanged(mode))
    }
}

extension WebViewInstallation {
    /// - Parameters:
    ///   - view: The view's name in reports.
    ///   - userAgent: The `User-Agent` that the view sends; `nil` where that is not known.
    func makeRequests(
        of view: String, userAgent: @escaping @Sendable () -> String?, _ dataStore: WKWebsiteDataStore,
        ask: CredentialQuestion.Asker?,
        move: @escaping @Sendable (DocumentMove) -> Void
    ) -> ViewRequests {
        let policy = CookiePolicy(thirdParty: options.thirdPartyCookies, isPublicSuffix: options.isPublicSuffix)
        var configuration = WebViewResponder.Configuration()
        configuration.view = view
        configuration.context = context
        configuration.cookies = CookieBridge(
            store: WebViewCookieStore(store: dataStore.httpCookieStore), policy: policy)
        configuration.registrableDomain = options.registrableDomain
        configuration.defaultFields = [.acceptLanguage: AcceptLanguage.field(Locale.preferredLanguages)]
        configuration.userAgent = userAgent
        configuration.rewriting = options.rewriting
        configuration.credentials = DataStoreCredentials.memory(of: dataStore)
        configuration.askForCredentials = ask
        configuration.move = move
        let responder = WebViewResponder(cache: cache, configuration: configuration, clock: clock)
        let requests = ViewRequests(responder, hook: hook, uploads: uploads)
        let events = options.events
        requests.wentPast = { events(.wentPast(view: view, requests: $0)) }
        return requests
    }
}

extension WebViewInstallation: WKURLSchemeHandler {
    package func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
        attached(webView).start(urlSchemeTask)
    }

    package func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {
        views[ObjectIdentifier(webView)]?.stop(urlSchemeTask)
    }
}
#endif
