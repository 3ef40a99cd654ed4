#if canImport(WebKit)
import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import Locking
import SchemeTasks
import ViewCare
import WebKit

/// One web view's own half: its requests, and what happens to its navigations.
@MainActor
final class AttachedWebView {
    private(set) weak var webView: WKWebView?
    /// The view's name in reports.
    let name: String
    let visits: ViewVisits
    let clock: EngineClock
    /// The `User-Agent` of its last request.
    private let userAgent = LockedBox<String?>(nil)
    unowned let installation: WebViewInstallation
    private let forwarder = NavigationForwarder()
    var requests: ViewRequests?
    private var recovery = ProcessRecovery()
    private var fallback = LoadFallback()
    /// Set while loads go past the proxy because of this view.
    private var bypass: ProxyBypass?
    /// Whether the document that came last is the answer to a form.
    private var showsForm = false
    /// The document whose content came last.
    var committedURL: String?
    /// The address in the document on its way to which the view goes once it is there.
    private var fragment: URL?
    /// The last request of the main frame.
    var wanted: URLRequest?
    /// The last request that was loaded by the app through us, or by us, and its initiator; `nil` where nothing proves
    /// one.
    var begun: (request: URLRequest, by: RequestEvidence.Initiator?)?
    private var empty = EmptyPage()
    /// Waits to look at the page.
    private var look: Task<Void, Never>?
    /// Joins several loads into what is one navigation to the app.
    private var continuation = NavigationContinuation()

    var options: WebViewOptions { installation.options }

    init(_ webView: WKWebView, _ installation: WebViewInstallation) {
        (self.webView, self.installation) = (webView, installation)
        (visits, clock) = (installation.visits, installation.clock)
        name = visits.addView()
        forwarder.attached = self
    }

    deinit {
        look?.cancel()
        visits.removeView(name, at: clock.uptime())
    }

    /// Puts the forwarder in front of the web view's delegate.
    func attach() {
        guard let webView, webView.navigationDelegate !== forwarder else { return }
        forwarder.stand(before: webView.navigationDelegate)
        webView.navigationDelegate = forwarder
    }

    func load(_ request: URLRequest, _ mode: CacheMode) -> WKNavigation? {
        recovery.userNavigated()
        var request = request
        if let page = request.url.flatMap({ installation.pageURL(of: $0) }) { request.url = page }
        if installation.mode.name != .navigation { request.state(mode) }
        return begin(request)
    }

    @discardableResult
    func begin(_ request: URLRequest, by initiator: RequestEvidence.Initiator? = .app) -> WKNavigation? {
        (begun, fragment) = ((request, initiator), nil)
        return webView?.load(request)
    }

    // MARK: Requests

    var madeRequests: ViewRequests? {
        if let requests { return requests }
        guard let webView else { return nil }
        let agent = userAgent
        let made = installation.makeRequests(
            of: name, userAgent: { agent.withLock { $0 } }, webView.configuration.websiteDataStore,
            ask: { [weak self] in await self?.answer(to: $0) ?? .showResponse },
            move: { [weak self] move in Task { @MainActor in self?.move(move) } })
        requests = made
        return made
    }

    func start(_ task: any WKURLSchemeTask) {
        // The app may have set another delegate.
        attach()
        guard let requests = madeRequests else { return }
        // The app may change it at any time.
        let own = webView?.customUserAgent.flatMap { $0.isEmpty ? nil : $0 }
        let agent = own ?? installation.userAgent
        userAgent.withLock { $0 = agent }
        requests.start(
            SchemeTaskID(task), WebViewSchemeTask(task), WebViewRequest(task.request, documentURL: committedURL))
    }

    func stop(_ task: any WKURLSchemeTask) { requests?.driver.stop(SchemeTaskID(task)) }

    private func answer(to question: CredentialQuestion) async -> CredentialAnswer {
        guard let webView else { return .showResponse }
        return await forwarder.answer(to: question, in: webView)
    }

    private func move(_ move: DocumentMove) {
        switch move {
        case .load(let url, let referrer):
            let (url, then) = DocumentMove.loads(of: url, shown: committedURL)
            guard var request = URL(string: TargetURI.strict(url)).map({ URLRequest(url: $0) }) else { return }
            continuation.redirected()
            request.setValue(referrer, forHTTPHeaderField: "Referer")
            // Its chain of redirects tells who has begun it.
            begin(request, by: nil)
            fragment = then.flatMap { URL(string: TargetURI.strict($0)) }
        case .handToApp(let url):
            webView?.stopLoading()
            if let url = URL(string: url) { openExternal(url) }
        }
    }

    /// The app does not want the document that a redirect leads to: the load before it has failed.
    func refusedRedirect() { continuation = NavigationContinuation() }

    func openExternal(_ url: URL) {
        options.openExternal(url)
        options.events(.openedExternal(url))
    }

    // MARK: Loads

    /// The event to tell the app when a load begins.
    func started() -> NavigationContinuation.Start {
        look?.cancel()
        let start = continuation.started()
        if start == .new { visits.begin(in: name, at: clock.uptime()) } else { visits.goOn(in: name) }
        return start
    }

    func committed(_ url: URL?) {
        committedURL = url?.absoluteString
        if let fragment = fragment.take(),
            DocumentMove.loads(of: fragment.absoluteString, shown: committedURL).then != nil
        {
            webView?.load(URLRequest(url: fragment))
        }
        showsForm = wanted?.sendsForm ?? false
        continuation.committed()
        visits.commit(committedURL, in: name, at: clock.uptime())
        lookAtPage(after: EmptyPage.afterCommit)
        // Where the proxy is used again, it is so once the page is whole: a change of the proxy ends all loads.
        if fallback.committed(at: clock.uptime()) {
            installation.giveUpProxy("The page came only past the proxy, so web views connect by themselves now.")
            endBypass()
        }
    }

    func finished() {
        recovery.finishedLoading(at: clock.wallTime())
        useProxyAgain()
        lookAtPage(after: EmptyPage.afterLoad)
    }

    private func lookAtPage(after delay: Duration) {
        look?.cancel()
        look = Task { [weak self, clock] in
            guard (try? await clock.sleep(delay)) != nil else { return }
            self?.lookAtPage()
        }
    }

    private func lookAtPage() {
        webView?.callAsyncJavaScript(EmptyPage.script, in: nil, in: .defaultClient) { [weak self] result in
            guard let self, let webView, let answer = try? result.get() else { return }
            let hasElements = EmptyPage.hasElements(answer)
            let again = empty.looked(at: webView.url?.absoluteString, showsNothing: hasElements != nil)
            guard let again else { return }
            options.events(.showsNothing(webView, hasElements: hasElements == true, again: again))
        }
    }

    /// - Returns: Whether the app need not know: the load goes on.
    func failed(_ error: any Error) -> Bool {
        let shown = error as NSError
        if continuation.failed(isCancelled: shown.domain == NSURLErrorDomain && shown.code == NSURLErrorCancelled) {
            return true
        }
        guard tryPastProxy(shown) else {
            visits.fail(in: name)
            return false
        }
        return true
    }

    private func tryPastProxy(_ shown: NSError) -> Bool {
        guard installation.mode.name == .proxy, installation.fallsBack else { return false }
        let loadsAgain = fallback.failed(
            wanted?.url?.absoluteString, LoadFallback.Failure(domain: shown.domain, code: shown.code),
            wasForm: wanted?.sendsForm ?? false)
        guard loadsAgain else {
            // Past the proxy it did not come either.
            useProxyAgain()
            return false
        }
        guard var wanted else { return false }
        wanted.setValue(nil, forHTTPHeaderField: CacheMode.field.rawName)
        bypass = bypass ?? installation.bypassProxy()
        continuation.retried()
        begin(wanted)
        return true
    }

    /// Ends the bypass that this view has begun, once it has what it is for.
    func useProxyAgain() {
        if fallback.usesProxy { endBypass() }
    }

    func endBypass() {
        bypass?.end()
        bypass = nil
    }

    func processEnded() {
        look?.cancel()
        guard let webView else { return }
        // Without our method WebKit would load the page again by itself, so somebody has to do something.
        let decision =
            options.recovers
            ? recovery.processDied(canReload: committedURL != nil && !showsForm, at: clock.wallTime())
            : .showError(.nothingToReload)
        options.events(.processEnded(reloaded: decision == .reload))
        switch decision {
        case .reload: webView.reload()
        case .showError:
            let shown = wanted?.url ?? webView.url ?? URL(string: "about:blank")
            if let shown { webView.loadSimulatedRequest(URLRequest(url: shown), responseHTML: options.errorPage) }
        }
    }
}

extension URLRequest {
    /// Whether it does more than ask.
    var sendsForm: Bool { httpMethod.map { $0 != "GET" } ?? false }
}
#endif
