#if canImport(WebKit)
import Foundation
import Interception
import WebKit

/// What belongs to one web view: its requests, and what happens to its navigations.
@MainActor
final class AttachedWebView {
    private(set) weak var webView: WKWebView?
    unowned let installation: WebViewInstallation
    private let forwarder = NavigationForwarder()
    var requests: ViewRequests?
    private var recovery = ProcessRecovery()
    private var fallback = LoadFallback()
    /// The document whose content came last.
    var committedURL: String?
    /// What the main frame asked for last.
    var wanted: URLRequest?
    /// What was loaded last by the app through us, or by us.
    var begun: URLRequest?
    /// What to the app is one navigation goes on with another load.
    private var continuation = NavigationContinuation()

    var options: WebViewOptions { installation.options }

    init(_ webView: WKWebView, _ installation: WebViewInstallation) {
        (self.webView, self.installation) = (webView, installation)
        forwarder.attached = self
    }

    /// Puts the forwarder in front of the web view's delegate.
    func attach() {
        guard let webView, webView.navigationDelegate !== forwarder else { return }
        forwarder.app = webView.navigationDelegate
        webView.navigationDelegate = forwarder
    }

    func load(_ request: URLRequest) -> WKNavigation? {
        recovery.userNavigated()
        var request = request
        if let page = request.url.flatMap({ installation.pages.pageURL(of: $0.absoluteString) }) {
            request.url = URL(string: page)
        }
        return begin(request)
    }

    @discardableResult
    func begin(_ request: URLRequest) -> WKNavigation? {
        begun = request
        return webView?.load(request)
    }

    // MARK: Requests

    var madeRequests: ViewRequests? {
        if let requests { return requests }
        guard let webView else { return nil }
        let made = installation.makeRequests(
            userAgent: webView.customUserAgent, webView.configuration.websiteDataStore,
            ask: { [weak self] in await self?.answer(to: $0) ?? .showResponse },
            move: { [weak self] move in Task { @MainActor in self?.move(move) } })
        requests = made
        return made
    }

    func start(_ task: any WKURLSchemeTask) {
        guard let requests = madeRequests else { return }
        requests.start(
            SchemeTaskID(task), WebViewSchemeTask(task), ShownRequest(task.request, documentURL: committedURL))
    }

    func stop(_ task: any WKURLSchemeTask) { requests?.driver.stop(SchemeTaskID(task)) }

    private func answer(to question: CredentialQuestion) async -> CredentialAnswer {
        guard let webView else { return .showResponse }
        return await forwarder.answer(to: question, in: webView)
    }

    /// The number of loads that are neither finished nor failed nor stopped.
    var openTasks: Int { requests?.driver.openTasks ?? 0 }

    private func move(_ move: DocumentMove) {
        switch move {
        case .load(let url):
            guard let url = URL(string: url) else { return }
            continuation.redirected()
            begin(URLRequest(url: url))
        case .handToApp(let url):
            webView?.stopLoading()
            if let url = URL(string: url) { openExternal(url) }
        }
    }

    func openExternal(_ url: URL) {
        options.openExternal(url)
        options.events(.openedExternal(url))
    }

    // MARK: Loads

    /// What the app is to be told of a load that begins.
    func started() -> NavigationContinuation.Start { continuation.started() }

    func committed(_ url: URL?) {
        committedURL = url?.absoluteString
        continuation.committed()
        if fallback.committed() {
            installation.giveUpProxy("The page came only past the proxy, so web views connect by themselves now.")
        }
    }

    func finished() { recovery.finishedLoading(at: installation.clock.wallTime()) }

    /// - Returns: Whether the app need not know: the load goes on.
    func failed(_ error: any Error) -> Bool {
        let shown = error as NSError
        if continuation.failed(isCancelled: shown.domain == NSURLErrorDomain && shown.code == NSURLErrorCancelled) {
            return true
        }
        guard installation.mode.name == .proxy else { return false }
        let decision = fallback.failed(
            wanted?.url?.absoluteString, LoadFallback.Failure(domain: shown.domain, code: shown.code),
            wasForm: wanted?.httpMethod.map { $0 != "GET" } ?? false)
        switch decision {
        case .leave:
            // Past the proxy it did not come either.
            installation.useProxy()
            return false
        case .loadPastProxy:
            guard let wanted else { return false }
            installation.bypassProxy()
            continuation.retried()
            begin(wanted)
            return true
        }
    }

    func processEnded() {
        guard options.recovers, let webView else { return }
        let isForm = wanted?.httpMethod.map { $0 != "GET" } ?? false
        let decision = recovery.processDied(
            canReload: committedURL != nil && !isForm, at: installation.clock.wallTime())
        options.events(.processEnded(reloaded: decision == .reload))
        switch decision {
        case .reload: webView.reload()
        case .showError:
            let shown = wanted?.url ?? webView.url ?? URL(string: "about:blank")
            if let shown { webView.loadSimulatedRequest(URLRequest(url: shown), responseHTML: options.errorPage) }
        }
    }
}
#endif
