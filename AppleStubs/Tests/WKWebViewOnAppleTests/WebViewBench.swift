import AppleFoundation
import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import ResponseStore
import Security
import ViewCare
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
    let visits = ViewVisits()
    let recorder = ReportRecorder()
    /// Why a mode is not to be used any more.
    var fault: String?

    init() {
        configuration.websiteDataStore = .nonPersistent()
        cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(
                rules: .protocolOnly, clock: clock.engineClock, observer: recorder))
    }

    /// What was reported, with view and visit.
    var reports: [ExchangeReport] { recorder.reports.map { visits.completed($0) } }

    @discardableResult
    func install(
        _ mode: WebViewMode, proxy: WebViewProxy? = nil, _ change: (inout WebViewOptions) -> Void = { _ in }
    ) -> WebViewInstallation {
        var options = WebViewOptions()
        change(&options)
        options.openExternal = { [weak self] in self?.opened.append($0.absoluteString) }
        options.events = { [weak self] event in
            switch event {
            case .modeChanged(let mode): self?.events.append("mode \(mode.name)")
            case .processEnded(let reloaded): self?.events.append("ended \(reloaded)")
            case .showsNothing(let view, let hasElements, let again):
                self?.events.append("nothing at \(view.url?.path ?? "") \(hasElements) \(again)")
            case .wentPast(let view, let requests): self?.events.append("\(view) past \(requests)")
            case .openedExternal: break
            case .refused(_, let reason): self?.events.append("refused \(reason)")
            case .download: self?.events.append("download")
            }
        }
        return WebViewInstallation.install(
            in: configuration, mode: mode, proxy: proxy, cache: cache, context: { ExchangeContext() },
            clock: clock.engineClock, options: options, visits: visits, fault: { [weak self] _ in self?.fault })
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
        isMainFrame: Bool = true, opensWindow: Bool = false, method: String = "GET"
    ) -> [WKNavigationActionPolicy] {
        decisions(
            view, text, type, from: source, isMainFrame: isMainFrame, opensWindow: opensWindow, method: method
        ).withLock { $0 }
    }

    /// The same for a delegate that takes its time.
    func decisions(
        _ view: WKWebView, _ text: String, _ type: WKNavigationType = .other, from source: String? = nil,
        isMainFrame: Bool = true, opensWindow: Bool = false, method: String = "GET"
    ) -> LockedBox<[WKNavigationActionPolicy]> {
        let policies = LockedBox<[WKNavigationActionPolicy]>([])
        guard let url = URL(string: text) else { return policies }
        let sourceURL = source.flatMap { URL(string: $0) } ?? url
        let source = WKFrameInfo(simulating: URLRequest(url: sourceURL), isMainFrame: isMainFrame, in: view)
        let target = WKFrameInfo(simulating: URLRequest(url: sourceURL), isMainFrame: isMainFrame, in: view)
        var request = URLRequest(url: url)
        request.httpMethod = method
        let action = WKNavigationAction(
            simulating: request, type, from: source, to: opensWindow ? nil : target)
        view.navigationDelegate?.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) {
            policy, _ in policies.withLock { $0.append(policy) }
        }
        return policies
    }
}
