import DemoLogic
import LarderKit
import SwiftUI
import WebKit

/// What the screens share: one Larder, and the web views' configurations.
@MainActor
public final class DemoModel: ObservableObject {
    let larder: Larder
    @Published var pages: [DemoPage] {
        didSet { UserDefaults.standard.set(list.encoded, forKey: Self.pagesKey) }
    }
    @Published private(set) var log = ExchangeLog()
    @Published private(set) var preload = PreloadProgress(set: "")
    @Published private(set) var lines: [String] = []
    @Published private(set) var account = ""
    @Published var isOffline = false {
        didSet { larder.connectivityOverride = isOffline ? .disconnected : nil }
    }
    private var configurations: [String: Task<WKWebViewConfiguration, Never>] = [:]
    private static let pagesKey = "pages"
    /// The set of the pages that are preloaded by hand.
    private static let preloadSet = "demo"

    /// - Throws: What `Larder` throws where its store can't be opened.
    public init() throws {
        var configuration = try LarderConfiguration.forApp()
        configuration.offlinePage = { _ in OfflineText.page }
        larder = try Larder(configuration)
        pages = PageList(UserDefaults.standard.data(forKey: Self.pagesKey)).pages
    }

    private var list: PageList {
        var list = PageList(nil)
        list.pages = pages
        return list
    }

    func save(_ page: DemoPage) {
        if let index = pages.firstIndex(where: { $0.id == page.id }) { pages[index] = page } else { pages.append(page) }
    }

    func remove(_ page: DemoPage) { pages.removeAll { $0.id == page.id } }

    // MARK: Web views

    /// A web view whose requests are answered in the page's mode, with the page on its way.
    ///
    /// Web views of one mode share a configuration; each mode has a data store of its own, because a proxy is a setting
    /// of the data store and would count for web views of other modes as well. Web views that are kept ready would come
    /// from here.
    ///
    /// - Returns: `nil` for a page without a URL.
    func open(_ page: DemoPage) async -> WKWebView? {
        guard let url = page.url else { return nil }
        let webView = WKWebView(frame: .zero, configuration: await configuration(page.mode, url))
        larder.load(url, in: webView)
        return webView
    }

    private func configuration(_ mode: PageMode, _ url: URL) async -> WKWebViewConfiguration {
        let name = mode.configurationName(for: url)
        if let present = configurations[name] { return await present.value }
        // Web views of the same mode wait for the one installation.
        let making = Task {
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = .nonPersistent()
            await larder.install(in: configuration, through: mode.webViewMode(for: url), options: options)
            return configuration
        }
        configurations[name] = making
        return await making.value
    }

    private var options: WebViewOptions {
        var options = WebViewOptions()
        options.events = { [weak self] event in self?.lines.append(event.text) }
        return options
    }

    // MARK: Events

    func followReports() async {
        for await report in larder.events { log.add(report) }
    }

    func followPreloads() async {
        for await event in larder.preloadEvents { preload.add(event) }
    }

    // MARK: What the buttons do

    func preload(_ url: URL) async {
        preload = PreloadProgress(set: Self.preloadSet)
        await larder.preload([url], set: Self.preloadSet)
    }

    func preload(_ manifest: LarderManifest) async {
        preload = PreloadProgress(set: manifest.id)
        await tell("preloaded") { try await self.larder.preload(manifest: manifest).isReady ? "all of it" : "not all" }
    }

    func clear() async {
        await tell("cleared") {
            var count = try await self.larder.removeAll().entries
            for configuration in self.configurations.values {
                let dataStore = await configuration.value.websiteDataStore
                count += try await self.larder.clear(webViewsOf: dataStore).entries
            }
            return "\(count) responses"
        }
    }

    /// Web views that are open keep the cookies of the one before; the next one has a new data store.
    func use(account name: String) {
        account = name
        larder.account = name
        configurations = [:]
    }

    func logOut() async {
        let name = account
        use(account: "")
        await tell("signed out") { "\(try await self.larder.logOut(name).entries) responses removed" }
    }

    private func tell(_ what: String, _ work: @MainActor () async throws -> String) async {
        do { lines.append("\(what): \(try await work())") } catch { lines.append("\(what): \(error)") }
    }
}
