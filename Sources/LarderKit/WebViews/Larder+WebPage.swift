#if canImport(WebKit)
import Foundation
import WKWebViewAdapter
import WebKit

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
        // A page's configuration makes no web view that could say it.
        let similar = WKWebViewConfiguration()
        similar.websiteDataStore = configuration.websiteDataStore
        similar.applicationNameForUserAgent = configuration.applicationNameForUserAgent
        return await WebViewInstallation.install(
            in: &configuration, mode: chosen, proxy: proxy, reason: reason, cache: cache,
            context: { self.contextForClients }, clock: clock, options: options, visits: visits,
            fault: { self.fault(of: $0) }, likeWebViewsOf: similar)
    }
}
#endif
