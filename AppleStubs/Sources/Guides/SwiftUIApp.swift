// The lines of docs/guides/swiftui.md and docs/guides/windows.md.
import LarderKit
import SwiftUI
import WebKit

@MainActor
final class AccountWeb: ObservableObject {
    let larder: Larder
    @Published private(set) var page: PageModel?
    private let configuration = WKWebViewConfiguration()
    private var wanted: URL?

    init(_ account: UUID) throws {
        var settings = try LarderConfiguration.forApp(named: "larder-\(account.uuidString)")
        let offline = OfflinePage(Array("<!doctype html><p>You are offline. <a href=\"\">Try again</a>".utf8))
        settings.offlinePage = { _ in offline }
        larder = try Larder(settings)
        configuration.websiteDataStore = .nonPersistent()  // below iOS 17: signed out at the end of the app
        if #available(iOS 17.0, macOS 14.0, *) {
            configuration.websiteDataStore = WKWebsiteDataStore(forIdentifier: account)
        }
    }

    func open(_ url: URL) async {
        wanted = url
        let mode = await larder.install(in: configuration)  // works once; later calls return the mode
        guard let url = wanted else { return }  // another call has opened a later URL meanwhile
        wanted = nil
        if let reason = mode.reason { print("Larder: \(mode.name.rawValue), because: \(reason)") }
        if page == nil { page = PageModel(configuration, larder) }
        page?.open(url)
    }

    func start(_ home: URL) async {
        if page == nil, wanted == nil { await open(home) }
    }

    /// A page of its own, such as for a tab.
    func newPage() async -> PageModel {
        await larder.install(in: configuration)
        return PageModel(configuration, larder)
    }

    /// When its tabs and pop-ups are gone too.
    func signOut() async throws {
        page = nil
        let store = configuration.websiteDataStore
        try await larder.clear(.everything, webViewsOf: store, and: Set(WebsiteDataKind.allCases))
    }
}

@MainActor
final class PageModel: NSObject, ObservableObject, Identifiable {
    let webView: WKWebView
    @Published private(set) var progress = LoadProgress()
    @Published var popup: PageModel?
    @Published var saved: URL?
    var saving: [ObjectIdentifier: URL] = [:]
    private let larder: Larder
    private var closed: () -> Void = {}
    private var following: Task<Void, Never>?

    init(_ configuration: WKWebViewConfiguration, _ larder: Larder) {
        webView = WKWebView(frame: .zero, configuration: configuration)
        self.larder = larder
        super.init()
        webView.navigationDelegate = self
        webView.uiDelegate = self
        larder.watch(webView)  // after the delegate is set, before the first load
        following = Task { [weak self, webView] in
            for await next in webView.loadProgress { self?.progress = next }
        }
    }

    deinit { following?.cancel() }

    func open(_ url: URL) { larder.load(url, in: webView) }
}

extension PageModel: WKNavigationDelegate {
    /// The mode `navigation` has no offline page of Larder's; in the others this is for what never reaches Larder.
    func webView(_ webView: WKWebView, didFailProvisionalNavigation _: WKNavigation!, withError error: any Error) {
        let failure = error as NSError
        guard failure.domain == NSURLErrorDomain, failure.code != NSURLErrorCancelled else { return }
        let page = failure.userInfo[NSURLErrorFailingURLErrorKey] as? URL
        webView.loadHTMLString("<!doctype html><p>You are offline. <a href=\"\">Try again</a>", baseURL: page)
    }
}

extension PageModel: WKUIDelegate {
    func webView(
        _ webView: WKWebView, createWebViewWith configuration: WKWebViewConfiguration,
        for navigationAction: WKNavigationAction, windowFeatures: WKWindowFeatures
    ) -> WKWebView? {
        let opened = PageModel(configuration, larder)  // with this configuration, and no load: WebKit loads it
        opened.closed = { [weak self] in self?.popup = nil }
        popup = opened
        return opened.webView
    }

    func webViewDidClose(_ webView: WKWebView) { closed() }
}

struct PageView: View {
    @ObservedObject var page: PageModel

    var body: some View {
        VStack {
            LoadProgressView(page.progress)
            WebViewHolder(webView: page.webView)
            HStack {
                Button("Back") { page.webView.goBack() }.disabled(!page.webView.canGoBack)
                Button("Forward") { page.webView.goForward() }.disabled(!page.webView.canGoForward)
                Button("Reload") { page.webView.reload() }
                Menu("History") {
                    ForEach(page.webView.backForwardList.backList, id: \.self) { item in
                        Button(item.title ?? item.url.absoluteString) { page.webView.go(to: item) }
                    }
                }
            }
        }
        .navigationTitle(page.progress.title ?? "")
        .sheet(item: $page.popup) { PageView(page: $0) }
        .handedOver(page.progress)
    }
}

struct AccountScreen: View {
    @ObservedObject var web: AccountWeb
    let home: URL

    var body: some View {
        VStack {
            if let page = web.page { PageView(page: page) }
        }
        .task { await web.start(home) }
    }
}

/// The pages of an account's tabs; kept beside its `AccountWeb`, and dropped with it.
@MainActor
final class Tabs: ObservableObject {
    @Published private(set) var pages: [PageModel] = []
    @Published var selected = 0
    private let web: AccountWeb
    private var isOpen = false

    init(_ web: AccountWeb) { self.web = web }

    func open(_ starts: [URL]) async {
        guard !isOpen else { return }
        isOpen = true
        for start in starts {
            let page = await web.newPage()
            page.open(start)
            pages.append(page)
        }
    }

    /// Such as for a link from outside.
    func follow(_ url: URL) { if pages.indices.contains(selected) { pages[selected].open(url) } }
}

struct TabsScreen: View {
    @ObservedObject var tabs: Tabs
    let starts: [URL]

    var body: some View {
        TabView(selection: $tabs.selected) {
            ForEach(Array(tabs.pages.enumerated()), id: \.offset) { tab in
                PageView(page: tab.element).tabItem { Text(tab.element.progress.title ?? "Page") }.tag(tab.offset)
            }
        }
        .task { await tabs.open(starts) }
    }
}

struct ShopView: View {
    let webs: [UUID: AccountWeb]
    @State var current: UUID
    let home: URL

    var body: some View {
        VStack {
            Picker("Account", selection: $current) {
                ForEach(Array(webs.keys), id: \.self) { id in Text(id.uuidString).tag(id) }
            }
            if let web = webs[current] { AccountScreen(web: web, home: home).id(current) }
        }
    }
}
