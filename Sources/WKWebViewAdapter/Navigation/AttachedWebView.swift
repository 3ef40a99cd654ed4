#if canImport(WebKit)
import Foundation
import HTTPTypes
import Interception
import WebKit

/// What belongs to one web view: its requests, and what happens to its navigations.
@MainActor
final class AttachedWebView {
    private(set) weak var webView: WKWebView?
    private unowned let installation: WebViewInstallation
    private let forwarder = NavigationForwarder()
    private var requests: ViewRequests?
    private var recovery = ProcessRecovery()
    private var fallback = LoadFallback()
    /// The document whose content came last.
    private var committedURL: String?
    /// What the main frame asked for last.
    private var wanted: URLRequest?
    /// What was loaded last by the app through us, or by us.
    private var begun: URLRequest?
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
    private func begin(_ request: URLRequest) -> WKNavigation? {
        begun = request
        return webView?.load(request)
    }

    // MARK: Requests

    private var madeRequests: ViewRequests? {
        if let requests { return requests }
        guard let webView else { return nil }
        let made = installation.makeRequests(
            userAgent: webView.customUserAgent, webView.configuration.websiteDataStore
        ) { [weak self] move in
            Task { @MainActor in self?.move(move) }
        }
        requests = made
        return made
    }

    func start(_ task: any WKURLSchemeTask) {
        guard let requests = madeRequests else { return }
        requests.start(
            SchemeTaskID(task), WebViewSchemeTask(task), ShownRequest(task.request, documentURL: committedURL))
    }

    func stop(_ task: any WKURLSchemeTask) { requests?.driver.stop(SchemeTaskID(task)) }

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

    private func openExternal(_ url: URL) {
        options.openExternal(url)
        options.events(.openedExternal(url))
    }

    // MARK: Navigations

    /// What to do where the app leaves it to us.
    func policy(for action: WKNavigationAction) -> WKNavigationActionPolicy {
        guard !action.shouldPerformDownload else { return .download }
        guard let url = action.request.url else { return .allow }
        let frame = action.targetFrame
        let decision = NavigationDecision.decide(
            url: url.absoluteString, from: asked(url) ? nil : WebOrigin(action.sourceFrame.securityOrigin),
            isMainFrame: frame?.isMainFrame ?? true, opensWindow: frame == nil,
            isUserAction: [.linkActivated, .formSubmitted].contains(action.navigationType))
        switch decision {
        case .load, .download: return .allow
        case .loadInSameView(let same):
            // The app has windows of its own for what asks for one.
            guard webView?.uiDelegate == nil else { return .allow }
            if let same = URL(string: same) { begin(URLRequest(url: same)) }
            return .cancel
        case .handToApp: openExternal(url)
        case .refuse(let reason): options.events(.refused(url, reason: reason.rawValue))
        }
        return .cancel
    }

    /// Whether the app, or we for it, began this navigation.
    private func asked(_ url: URL) -> Bool { committedURL == nil || begun?.url == url }

    /// An https page of the hosts that are loaded at the app-cache scheme goes there, wherever the link to it stands.
    func movesToAppScheme(_ action: WKNavigationAction) -> Bool {
        guard action.targetFrame?.isMainFrame == true, action.request.httpMethod ?? "GET" == "GET",
            let url = action.request.url, let page = installation.pages.pageURL(of: url.absoluteString),
            let pageURL = URL(string: page)
        else { return false }
        begin(URLRequest(url: pageURL))
        return true
    }

    /// What a form's navigation has to wait for, if there is anything: WebKit stops what a page has under way when it
    /// navigates, so the content comes before.
    func wait(for action: WKNavigationAction) -> (@MainActor @Sendable () async -> Void)? {
        guard action.navigationType == .formSubmitted, let requests, let url = action.request.url?.absoluteString,
            requests.holdsForm(at: url)
        else { return nil }
        return { await requests.waitForForms(at: url) }
    }

    /// The app, or we for it, have decided about a navigation.
    func decided(_ action: WKNavigationAction, _ policy: WKNavigationActionPolicy) {
        guard policy == .allow, let frame = action.targetFrame, let url = action.request.url else { return }
        if frame.isMainFrame { wanted = action.request }
        madeRequests?.announce(url.absoluteString, isTopLevel: frame.isMainFrame)
    }

    func policy(for response: WKNavigationResponse) -> WKNavigationResponsePolicy {
        guard let shown = response.response as? HTTPURLResponse else {
            return response.canShowMIMEType ? .allow : .cancel
        }
        switch NavigationDecision.decide(response: HTTPResponse(shown), canShow: response.canShowMIMEType) {
        case .download: return .download
        default: return .allow
        }
    }

    /// - Returns: `nil` where the question is not about our certificates.
    func disposition(
        for challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?)? { installation.disposition(for: challenge) }

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

extension WebOrigin {
    /// Of a frame's document; opaque where it has none.
    @MainActor
    fileprivate init(_ origin: WKSecurityOrigin) {
        let port = origin.port > 0 ? ":\(origin.port)" : ""
        self.init(url: "\(origin.protocol)://\(origin.host)\(port)/")
    }
}

extension HTTPResponse {
    /// What decides about a download.
    fileprivate init(_ response: HTTPURLResponse) {
        self.init(status: .init(code: min(max(response.statusCode, 100), 999)))
        headerFields[.contentDisposition] = response.value(forHTTPHeaderField: "Content-Disposition")
    }
}
#endif
