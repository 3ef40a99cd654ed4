#if canImport(WebKit)
import Foundation
import Network
import OSLog
import SwiftUI
import WebKit

// The calls that an adapter of a web view makes to WebKit, as short as can be. They hold the mirror to its word: this
// compiles against it, is driven by the tests beside it, and is spoilt by `scripts/test-check-apple-uses`.

@MainActor
final class WebViewUser: NSObject {
    private let logger = Logger(subsystem: "test", category: "web view")
    private(set) var progress: [Double] = []
    private(set) var events: [String] = []
    private var observation: NSKeyValueObservation?
    weak var forwarding: (any WKNavigationDelegate)?

    func makeView(_ cookies: [HTTPCookie], scheme: some WKURLSchemeHandler) async -> WKWebView {
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        if #available(iOS 17.0, macOS 14.0, *) {
            var proxy = ProxyConfiguration(httpCONNECTProxy: .hostPort(host: "127.0.0.1", port: 8_080))
            proxy.applyCredential(username: "larder", password: "secret")
            proxy.allowFailover = false
            configuration.websiteDataStore.proxyConfigurations = [proxy]
        }
        configuration.setURLSchemeHandler(scheme, forURLScheme: "app-cache")
        let world = WKContentWorld.world(name: "larder")
        configuration.userContentController.addUserScript(
            WKUserScript(source: "1", injectionTime: .atDocumentStart, forMainFrameOnly: false, in: world))
        configuration.userContentController.addScriptMessageHandler(self, contentWorld: world, name: "larder")
        configuration.websiteDataStore.httpCookieStore.add(self)
        for cookie in cookies { await configuration.websiteDataStore.httpCookieStore.setCookie(cookie) }
        let view = WKWebView(frame: .zero, configuration: configuration)
        view.navigationDelegate = self
        view.uiDelegate = self
        if #available(iOS 16.4, macOS 13.3, *) {
            view.isInspectable = true
        }
        observation = view.observe(\.estimatedProgress, options: [.new]) { [weak self] _, change in
            let value = change.newValue ?? 0
            MainActor.assumeIsolated { self?.progress.append(value) }
        }
        logger.debug("a view with \(cookies.count, privacy: .public) cookies")
        return view
    }

    func clear(_ store: WKWebsiteDataStore) async {
        await withCheckedContinuation { continuation in
            store.removeData(
                ofTypes: [WKWebsiteDataTypeDiskCache], modifiedSince: Date(timeIntervalSince1970: 0)
            ) { continuation.resume() }
        }
    }

    @available(iOS 26.0, macOS 26.0, *)
    func makePage(_ handler: some URLSchemeHandler) -> WebPage {
        var configuration = WebPage.Configuration()
        if let scheme = URLScheme("app-cache") { configuration.urlSchemeHandlers[scheme] = handler }
        return WebPage(configuration: configuration, navigationDecider: PageDecider())
    }
}

extension WebViewUser: WKNavigationDelegate {
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        guard let forwarding else { return decisionHandler(navigationAction.targetFrame == nil ? .cancel : .allow) }
        forwarding.webView(webView, decidePolicyFor: navigationAction, decisionHandler: decisionHandler)
    }

    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) { completionHandler(.performDefaultHandling, nil) }

    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { webView.reload() }

    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        download.delegate = self
    }
}

extension WebViewUser: WKDownloadDelegate {
    func download(
        _ download: WKDownload, decideDestinationUsing response: URLResponse, suggestedFilename: String,
        completionHandler: @escaping @MainActor @Sendable (URL?) -> Void
    ) { completionHandler(nil) }

    func downloadDidFinish(_ download: WKDownload) { events.append("downloaded") }
}

extension WebViewUser: WKUIDelegate {
    func webViewDidClose(_ webView: WKWebView) { events.append("closed") }
}

extension WebViewUser: WKHTTPCookieStoreObserver {
    func cookiesDidChange(in cookieStore: WKHTTPCookieStore) { events.append("cookies") }
}

extension WebViewUser: WKScriptMessageHandlerWithReply {
    func userContentController(
        _ userContentController: WKUserContentController, didReceive message: WKScriptMessage,
        replyHandler: @escaping @MainActor @Sendable (Any?, String?) -> Void
    ) { replyHandler(message.body, nil) }
}

@available(iOS 26.0, macOS 26.0, *)
struct PageDecider: WebPage.NavigationDeciding {
    @MainActor
    func decidePolicy(for response: WebPage.NavigationResponse) async -> WKNavigationResponsePolicy { .cancel }
}

struct ProgressBar: View {
    let value: Double
    var body: some View { ProgressView(value: value) }
}
#endif
