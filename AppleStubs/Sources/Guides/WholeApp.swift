// The lines of docs/guides/whole-app.md.
import LarderKit
import UIKit
import WebKit

@MainActor
final class Web {
    let larder: Larder
    let store = WKWebsiteDataStore.default()
    private var made: Task<WKWebViewConfiguration, Never>?

    init() throws {
        var settings = try LarderConfiguration.forApp()
        let page = OfflinePage(Array("<!doctype html><p>You are offline.".utf8))
        settings.offlinePage = { _ in page }
        larder = try Larder(settings)
    }

    /// The one configuration of all web views.
    func configuration() async -> WKWebViewConfiguration {
        if let made { return await made.value }
        let task = Task {
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = store
            let installed = await larder.install(in: configuration)
            if let reason = installed.reason { print("Larder: \(installed.name.rawValue), because: \(reason)") }
            return configuration
        }
        made = task
        return await task.value
    }

    func signedIn(_ user: String, cookies: [HTTPCookie]) async {
        larder.account = user  // before the cookies: what is fetched with them is the user's
        for cookie in cookies { await store.httpCookieStore.setCookie(cookie) }
    }

    /// When the user's web views are gone.
    func signOut(_ user: String) async throws {
        let own = EntrySelection(partition: user)
        try await larder.clear(own, webViewsOf: store, and: Set(WebsiteDataKind.allCases))  // cookies first of all
        try await larder.logOut(user)
        try await larder.remove(EntrySelection(partition: ""))  // stored for nobody, as by a sign-in inside a page
    }

    func preload(_ pages: [URL]) async throws {
        for page in pages { _ = try await larder.preload(linksOf: page) }
    }
}

final class PageController: UIViewController {
    private let web: Web
    private let page: URL

    init(_ page: URL, _ web: Web) {
        (self.page, self.web) = (page, web)
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        Task { await show() }
    }

    private func show() async {
        let webView = WKWebView(frame: view.frame, configuration: await web.configuration())
        webView.navigationDelegate = self
        webView.uiDelegate = self
        view.addSubview(webView)
        web.larder.load(page, in: webView)
    }
}

extension PageController: WKUIDelegate {
    func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
        let popup = WKWebView(frame: .zero, configuration: configuration)
        popup.navigationDelegate = self
        popup.uiDelegate = self
        web.larder.watch(popup)
        view.addSubview(popup)
        return popup
    }
}

extension PageController: WKNavigationDelegate, WKDownloadDelegate {
    func webView(_ webView: WKWebView, navigationResponse: WKNavigationResponse, didBecome download: WKDownload) {
        download.delegate = self
    }

    func download(
        _ download: WKDownload, decideDestinationUsing response: URLResponse, suggestedFilename: String,
        completionHandler: @escaping @MainActor @Sendable (URL?) -> Void
    ) {
        completionHandler(FileManager.default.temporaryDirectory.appendingPathComponent(suggestedFilename))
    }
}
