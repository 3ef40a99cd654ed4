import AppleFoundation
import CacheEngine
import CacheTesting
import HTTPTypes
import Interception
import Locking
import ResponseStore
import Security
import WebKit

@testable import WKWebViewOnApple

/// A web view of the mirror with a cache behind it, over a scripted network and a clock that stands still.
@MainActor
final class WebViewBench {
    let transport = ScriptedTransport()
    let clock = ManualClock()
    let cache: ResponseCache
    let configuration = WKWebViewConfiguration()
    private(set) var events: [String] = []
    private(set) var opened: [String] = []

    init() {
        configuration.websiteDataStore = .nonPersistent()
        cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(rules: .protocolOnly, clock: clock.engineClock))
    }

    @discardableResult
    func install(_ mode: WebViewMode, proxy: WebViewProxy? = nil) -> WebViewInstallation {
        var options = WebViewOptions()
        options.openExternal = { [weak self] in self?.opened.append($0.absoluteString) }
        options.events = { [weak self] event in
            switch event {
            case .modeChanged(let mode): self?.events.append("mode \(mode.name)")
            case .processEnded(let reloaded): self?.events.append("ended \(reloaded)")
            case .openedExternal: break
            case .refused(_, let reason): self?.events.append("refused \(reason)")
            case .download: self?.events.append("download")
            }
        }
        return WebViewInstallation.install(
            in: configuration, mode: mode, proxy: proxy, cache: cache, context: { ExchangeContext() },
            clock: clock.engineClock, options: options)
    }

    func makeView() -> WKWebView { WKWebView(frame: .zero, configuration: configuration) }

    func on(_ url: String, _ fields: HTTPFields = [:], body: String) {
        transport.on(url) { _ in ScriptedTransport.answer(200, fields, body: body) }
    }

    /// Has a view ask its handler for a URL, as WebKit does, and returns at the end.
    func ask(_ url: String, in view: WKWebView, _ change: (inout URLRequest) -> Void = { _ in }) async
        -> SimulatedSchemeTask?
    {
        guard let task = start(url, in: view, change) else { return nil }
        while !task.isOver { await Task.yield() }
        return task
    }

    func start(
        _ text: String, in view: WKWebView, _ change: (inout URLRequest) -> Void = { _ in }
    ) -> SimulatedSchemeTask? {
        guard let url = URL(string: text), let scheme = url.scheme,
            let handler = view.configuration.urlSchemeHandler(forURLScheme: scheme)
        else { return nil }
        var request = URLRequest(url: url)
        change(&request)
        let task = SimulatedSchemeTask(request)
        handler.webView(view, start: task)
        return task
    }

    /// Has a view ask its delegate whether it may load, as WebKit does before each document.
    func decide(
        _ view: WKWebView, _ text: String, _ type: WKNavigationType = .other, from source: String? = nil,
        isMainFrame: Bool = true, opensWindow: Bool = false
    ) -> [WKNavigationActionPolicy] {
        decisions(view, text, type, from: source, isMainFrame: isMainFrame, opensWindow: opensWindow).withLock { $0 }
    }

    /// The same for a delegate that takes its time.
    func decisions(
        _ view: WKWebView, _ text: String, _ type: WKNavigationType = .other, from source: String? = nil,
        isMainFrame: Bool = true, opensWindow: Bool = false
    ) -> LockedBox<[WKNavigationActionPolicy]> {
        let policies = LockedBox<[WKNavigationActionPolicy]>([])
        guard let url = URL(string: text) else { return policies }
        let sourceURL = source.flatMap { URL(string: $0) } ?? url
        let source = WKFrameInfo(simulating: URLRequest(url: sourceURL), isMainFrame: isMainFrame, in: view)
        let target = WKFrameInfo(simulating: URLRequest(url: sourceURL), isMainFrame: isMainFrame, in: view)
        let action = WKNavigationAction(
            simulating: URLRequest(url: url), type, from: source, to: opensWindow ? nil : target)
        view.navigationDelegate?.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) {
            policy, _ in policies.withLock { $0.append(policy) }
        }
        return policies
    }
}

/// An app's delegate, with the methods that a test gives it.
@MainActor
final class AppDelegate: NSObject, PartialNavigationDelegate {
    var simulatedMethods: Set<String>
    private(set) var calls: [String] = []
    var policy = WKNavigationActionPolicy.allow
    var disposition = URLSession.AuthChallengeDisposition.cancelAuthenticationChallenge
    var credential: URLCredential?
    /// Takes the place of the method for challenges.
    var challenged: ((URLAuthenticationChallenge, @escaping ChallengeHandler) -> Void)?

    typealias ChallengeHandler = @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    init(_ methods: Set<String> = []) {
        simulatedMethods = methods
        super.init()
    }

    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        calls.append("action")
        decisionHandler(policy)
    }
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction, preferences: WKWebpagePreferences,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy, WKWebpagePreferences) -> Void
    ) {
        calls.append("preferences")
        decisionHandler(policy, preferences)
    }
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
        calls.append("response")
        decisionHandler(.cancel)
    }
    func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
        calls.append("start")
    }
    func webView(_ webView: WKWebView, didReceiveServerRedirectForProvisionalNavigation navigation: WKNavigation!) {
        calls.append("redirect")
    }
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) { calls.append("failProvisional") }
    func webView(_ webView: WKWebView, didCommit navigation: WKNavigation!) { calls.append("commit") }
    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { calls.append("finish") }
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
        calls.append("fail")
    }
    func webView(
        _ webView: WKWebView, didReceive challenge: URLAuthenticationChallenge,
        completionHandler:
            @escaping @MainActor @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        calls.append("challenge")
        if let challenged { return challenged(challenge, completionHandler) }
        completionHandler(disposition, credential)
    }
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { calls.append("terminate") }
    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        calls.append("responseDownload")
    }
}
