#if canImport(WebKit)
import CacheEngine
import Fetching
import Foundation
import ViewCare
import WebKit

/// Loads a page where nobody sees it, so that all that it asks for is stored: for pages that nothing else can predict.
///
/// It costs a web view, its processes and what the page's scripts do, such as counting a visit. A manifest or a preload
/// page costs none of that. Type-checked and driven with stand-ins; not yet run on a device.
@MainActor
public final class HiddenPageLoad {
    /// How a load ended.
    public enum Outcome: Hashable, Sendable {
        /// The page has loaded, and has had ``Limits/settling`` for what its scripts load.
        case loaded
        /// `NSURLErrorDomain` or WebKit's own, and in words.
        case failed(domain: String, code: Int, message: String)
        /// ``Limits/whole`` is over.
        case timedOut
        /// The task was cancelled, or the view that it stood in is gone.
        case cancelled
        /// The page's process has ended.
        case processEnded
        /// A manifest that was preloaded marks the page, or what it leads to, as one whose GET does something.
        case refused
    }

    /// How long it may take.
    public struct Limits: Hashable, Sendable {
        /// From its turn on; 30 seconds unless set.
        public var whole = Duration.seconds(30)
        /// After the page's load event; 2 seconds unless set.
        public var settling = Duration.seconds(2)

        /// The defaults.
        public init() {}
    }

    private let watch: HiddenLoad
    private let work: Task<Outcome, Never>

    /// Loads a page once, in a web view of its own that is removed at the end. One page is loaded at a time: each
    /// begins when those before it have ended.
    ///
    /// - Parameters:
    ///   - configuration: After `Larder.install(in:through:options:)`; cookies and mode are its own.
    ///   - container: A view in the window: WebKit gives pages without a window little time. The hidden one stands
    ///     below everything else in it, and the load ends when the container goes; nothing here keeps it.
    ///   - isMarked: Whether a page must not be asked for ahead of need; asked before each navigation, those of frames
    ///     and redirects of scripts included.
    package convenience init(
        _ request: URLRequest, _ configuration: WKWebViewConfiguration, in container: PlatformView,
        limits: Limits = Limits(), clock: EngineClock = .system,
        isMarked: @escaping @MainActor (_ url: String) async -> Bool
    ) {
        self.init(request, configuration, in: container, limits: limits, clock: clock, isMarked: isMarked) { _ in
            try? await clock.sleep(limits.settling)
        }
    }

    /// - Parameter settling: Runs between the page's load event and the end; cancelled if it ends
    ///   otherwise.
    init(
        _ request: URLRequest, _ configuration: WKWebViewConfiguration, in container: PlatformView, limits: Limits,
        clock: EngineClock, isMarked: @escaping @MainActor (_ url: String) async -> Bool = { _ in false },
        settling: @escaping @MainActor (WKWebView) async -> Void
    ) {
        let watch = HiddenLoad(isMarked)
        self.watch = watch
        watch.queue()
        work = Task { [weak container] in
            defer { watch.leave() }
            guard await watch.turn.value, watch.first.given == nil else { return await watch.first.value }
            // Only the container holds the view, so that it goes when the container goes.
            weak let holder = HiddenHolder.add(to: container, configuration, watch)
            if let view = holder?.view {
                if let installation = WebViewInstallation.of(configuration) {
                    installation.load(request, in: view)
                } else {
                    view.load(request)
                }
            } else {
                watch.end(.cancelled)
            }
            let timer = Task {
                try? await clock.sleep(limits.whole)
                watch.end(.timedOut)
            }
            var outcome = await watch.first.value
            if outcome == .loaded {
                let settled = Task { if let view = holder?.view { await settling(view) } }
                watch.settles { settled.cancel() }
                await settled.value
                outcome = watch.late ?? .loaded
            }
            timer.cancel()
            holder?.close()
            return outcome
        }
    }

    /// How it ended, once it has. Cancelling the task that waits ends the load.
    public var outcome: Outcome {
        get async {
            await withTaskCancellationHandler {
                await work.value
            } onCancel: {
                Task { @MainActor in watch.end(.cancelled) }
            }
        }
    }

    /// Ends the load. Does nothing once it has ended.
    package func cancel() { watch.end(.cancelled) }
}

/// Keeps a hidden web view in its container.
@MainActor
private final class HiddenHolder: PlatformView {
    let view: WKWebView
    private let watch: HiddenLoad

    static func add(
        to container: PlatformView?, _ configuration: WKWebViewConfiguration, _ watch: HiddenLoad
    ) -> HiddenHolder? {
        guard let container else { return nil }
        let holder = HiddenHolder(WKWebView(frame: container.frame, configuration: configuration), watch)
        container.addBehind(holder)
        return holder
    }

    private init(_ view: WKWebView, _ watch: HiddenLoad) {
        (self.view, self.watch) = (view, watch)
        super.init(frame: view.frame)
        view.navigationDelegate = watch
        addSubview(view)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    deinit {
        let watch = watch
        Task { @MainActor in watch.end(.cancelled) }
    }

    func close() {
        view.stopLoading()
        removeFromSuperview()
    }
}

/// Waits for the end of a hidden load.
@MainActor
private final class HiddenLoad: NSObject, WKNavigationDelegate {
    /// Those that have not ended; the first one loads.
    private static var all: [HiddenLoad] = []

    /// Whether it may begin; `false` where it ended before.
    let turn = FirstAnswer<Bool>()
    let first = FirstAnswer<HiddenPageLoad.Outcome>()
    /// The outcome that ended the settling, if one did.
    private(set) var late: HiddenPageLoad.Outcome?
    private var whenLate: () -> Void = {}
    private let isMarked: @MainActor (_ url: String) async -> Bool

    init(_ isMarked: @escaping @MainActor (_ url: String) async -> Bool) { self.isMarked = isMarked }

    func queue() {
        Self.all.append(self)
        Self.all.first?.turn.give(true)
    }

    func leave() {
        Self.all.removeAll { $0 === self }
        Self.all.first?.turn.give(true)
    }

    /// - Parameter stop: Called when something else than time ends the settling.
    func settles(_ stop: @escaping () -> Void) { whenLate = stop }

    func end(_ outcome: HiddenPageLoad.Outcome) {
        turn.give(false)
        if first.given == .loaded, outcome != .loaded, late == nil {
            late = outcome
            whenLate()
        }
        first.give(outcome)
    }

    /// Other apps, and windows, are not opened without a user.
    func webView(
        _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
        decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
    ) {
        guard let url = navigationAction.request.url?.absoluteString, let frame = navigationAction.targetFrame,
            NavigationDecision.decide(url: url, from: nil, isMainFrame: frame.isMainFrame, isUserAction: false) == .load
        else { return decisionHandler(.cancel) }
        Task {
            guard await isMarked(AppCacheScheme.networkURL(of: url) ?? url) else { return decisionHandler(.allow) }
            decisionHandler(.cancel)
            if frame.isMainFrame { end(.refused) }
        }
    }

    func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) { end(.loaded) }
    func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) { failed(error) }
    func webView(
        _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) { failed(error) }
    func webViewWebContentProcessDidTerminate(_ webView: WKWebView) { end(.processEnded) }

    private func failed(_ error: any Error) {
        let error = error as NSError
        end(.failed(domain: error.domain, code: error.code, message: error.localizedDescription))
    }
}
#endif
