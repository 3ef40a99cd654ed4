#if canImport(WebKit)
import CacheEngine
import Fetching
import Foundation
import ViewCare
import WebKit

@available(iOS 26.0, macOS 26.0, *)
extension WebViewInstallation {
    /// Puts the cache between the pages of a configuration and the network. Type-checked and driven with stand-ins; not
    /// yet run on a device.
    ///
    /// A page has a navigation decider in place of a delegate: yours has to call ``WebPageRequests/announce(_:)`` for
    /// what it allows, and to answer questions about certificates with ``WebPageRequests/disposition(for:)``. The https
    /// mode is not to be had for pages.
    ///
    /// - Parameters: See ``install(in:mode:proxy:reason:cache:context:clock:options:visits:fault:)``.
    ///   `similar` makes web views that call themselves to servers as these pages do.
    /// - Returns: The mode, and what answers the page's requests.
    package static func install(
        in configuration: inout WebPage.Configuration, mode: WebViewMode, proxy: WebViewProxy? = nil,
        reason: String? = nil, cache: ResponseCache, context: @escaping @Sendable () -> ExchangeContext,
        clock: EngineClock = .system, options: WebViewOptions = WebViewOptions(),
        visits: ViewVisits = ViewVisits(), fault: @escaping @MainActor (InterceptionMode) -> String? = { _ in nil },
        likeWebViewsOf similar: WKWebViewConfiguration? = nil
    ) async -> WebPageRequests {
        var (mode, reason) = (mode, reason)
        if mode.name.needsUnlocking {
            mode = .navigation
            reason = "A WebPage takes no handler for https."
        }
        let installation = WebViewInstallation(
            configuration.websiteDataStore, mode, proxy, reason: reason, cache: cache, context: context, clock: clock,
            options: options, visits: visits, fault: fault)
        installation.begin(configuration.userContentController)
        await installation.blockMixedContent(in: configuration.userContentController)
        if let similar { await installation.learnUserAgent(of: similar) }
        let requests = WebPageRequests(installation, configuration.websiteDataStore)
        // In every mode: the page keeps the installation by it.
        if let scheme = URLScheme(AppCacheScheme.name) { configuration.urlSchemeHandlers[scheme] = requests }
        return requests
    }
}
#endif
