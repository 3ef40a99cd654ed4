#if canImport(WebKit)
import CacheEngine
import Fetching
import Foundation
import HTTPCacheSemantics
import HTTPTypes
import Locking
import SchemeTasks
import ViewCare
import WebKit

/// Answers the requests of a `WebPage` (iOS 26, macOS 26) at the app-cache scheme.
///
/// Type-checked and driven with stand-ins; not yet run on a device.
@available(iOS 26.0, macOS 26.0, *)
public struct WebPageRequests: URLSchemeHandler {
    private let requests: ViewRequests
    private let installation: WebViewInstallation

    private let shown: ShownPage

    @MainActor
    init(_ installation: WebViewInstallation, _ dataStore: WKWebsiteDataStore) {
        self.installation = installation
        shown = ShownPage(installation)
        let (shown, options) = (shown, installation.options)
        let agent = installation.userAgent
        requests = installation.makeRequests(
            of: shown.name, userAgent: { shown.userAgent.withLock { $0 } ?? agent }, dataStore, ask: nil
        ) { move in
            Task { @MainActor in
                switch move {
                case .load(let url, _): URL(string: TargetURI.strict(url)).map { shown.begin($0) }
                case .handToApp(let url): URL(string: url).map(options.openExternal)
                }
            }
        }
    }

    /// The page that was made with the configuration; not kept alive. Without it a redirected document fails.
    @MainActor
    public func attach(to page: WebPage) {
        shown.page = page
        page.isInspectable = installation.options.allowsInspection
    }

    /// The page's name in reports, such as `web view 2`.
    @MainActor public var name: String { shown.name }

    /// How the page's requests are answered, and why not otherwise.
    @MainActor public var mode: InstalledMode { installation.mode }

    /// The request to give to `WebPage.load(_:)` for a page.
    @MainActor
    public func load(_ url: URL) -> URLRequest {
        installation.heedSelfTest()
        let page = installation.pageURL(of: url) ?? url
        shown.begun = (page, .app)
        return URLRequest(url: page)
    }

    /// The answer to a question about a certificate; `nil` where it is not about one of ours.
    @MainActor
    public func disposition(
        for challenge: URLAuthenticationChallenge
    ) -> (URLSession.AuthChallengeDisposition, URLCredential?)? {
        installation.disposition(for: challenge)
    }

    /// A navigation that the page's navigation decider has allowed: await it before the decider returns. A `WebPage`
    /// tells a handler of none, and without it a request for a document looks like one of a script. A form that
    /// replaces its own page waits here until its content has been handed over.
    @MainActor
    public func announce(_ action: WebPage.NavigationAction) async {
        guard let url = action.request.url, let target = action.target else { return }
        if action.navigationType == .formSubmitted { await requests.waitForForms(at: url.absoluteString) }
        if target.isMainFrame { shown.announce(url.absoluteString) }
        requests.navigations.add(url.absoluteString, isTopLevel: target.isMainFrame, by: shown.initiator(of: action))
    }

    /// The answer to a request of a `WebPage`.
    public func reply(for request: URLRequest) -> Reply { Reply(requests: requests, request: request) }

    /// The answer to one request, read from the cache or the network as the page takes it.
    public struct Reply: AsyncSequence, Sendable {
        let requests: ViewRequests
        let request: URLRequest

        /// The head, then the content in pieces.
        public func makeAsyncIterator() -> Iterator { Iterator(requests: requests, request: request) }

        /// One reading; the load is stopped when it is given up.
        public struct Iterator: AsyncIteratorProtocol {
            let requests: ViewRequests
            let request: URLRequest
            fileprivate var load: Load?

            /// - Throws: An error of `NSURLErrorDomain`, or `CancellationError`.
            public mutating func next() async throws -> URLSchemeTaskResult? {
                if load == nil { load = await Load(requests, request) }
                return try await load?.part()
            }
        }
    }

    @MainActor
    private final class ShownPage {
        weak var page: WebPage?
        let name: String
        /// The last request that was loaded by the app through us, or by us, and its initiator; `nil` where nothing
        /// proves one.
        var begun: (url: URL, by: RequestEvidence.Initiator?)?
        /// The app's own, as of the last navigation.
        nonisolated let userAgent = LockedBox<String?>(nil)
        private let visits: ViewVisits
        private let clock: EngineClock

        init(_ installation: WebViewInstallation) {
            (visits, clock) = (installation.visits, installation.clock)
            name = visits.addView()
        }

        deinit { visits.removeView(name, at: clock.uptime()) }

        /// A document is redirected; its chain of redirects tells who has begun it.
        func begin(_ url: URL) {
            begun = (url, nil)
            _ = page?.load(URLRequest(url: url))
        }

        /// The initiator of a navigation, which WebKit knows. A document can have only documents of its own origin
        /// loaded again.
        func initiator(of action: WebPage.NavigationAction) -> RequestEvidence.Initiator? {
            if let begun, begun.url == action.request.url {
                self.begun = nil
                return begun.by
            }
            if action.navigationType == .reload, let url = action.request.url {
                return .document([WebOrigin(url: url.absoluteString)])
            }
            if action.navigationType == .backForward { return .app }
            return .document([WebOrigin(action.source.securityOrigin)])
        }

        /// A page tells nobody that a load has begun, so that every navigation counts as one.
        func announce(_ url: String) {
            let own = page?.customUserAgent.flatMap { $0.isEmpty ? nil : $0 }
            userAgent.withLock { $0 = own }
            visits.announce(url, in: name, at: clock.uptime())
            visits.begin(in: name, at: clock.uptime())
            visits.commit(url, in: name, at: clock.uptime())
        }
    }

    @MainActor
    fileprivate final class Load {
        private let task: PulledSchemeTask
        /// Answers the task, also once the page and its handler are gone.
        private let requests: ViewRequests
        private let url: URL?

        init(_ requests: ViewRequests, _ request: URLRequest) {
            self.requests = requests
            task = PulledSchemeTask(requests.driver)
            url = request.url
            requests.start(task.id, task, WebViewRequest(request, documentURL: nil))
        }

        deinit {
            let (task, requests) = (task, requests)
            Task { @MainActor in
                task.cancel()
                withExtendedLifetime(requests) {}
            }
        }

        func part() async throws -> URLSchemeTaskResult? {
            do {
                switch try await task.part() {
                case .head(let head):
                    guard let response = HTTPURLResponse(head, url: url) else { throw URLError(.badServerResponse) }
                    return .response(response)
                case .content(let piece): return .data(Data(piece))
                // A scheme task is told no redirects.
                case .redirect, nil: return nil
                }
            } catch let error as SchemeTaskError {
                throw error.urlError
            }
        }
    }
}

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
