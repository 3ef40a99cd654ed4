import AppleFoundation
import CacheTesting
import Fetching
import HTTPTypes
import Testing
import WKWebViewAdapter
import WebKit

@testable import LarderKit

/// `LarderKit` as an app on Apple's platforms has it, without the trait.
@Suite("A Larder and its web views", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct ModeTests {
    private let folder: TemporaryDirectory
    private let transport = ScriptedTransport()
    private let larder: Larder

    init() throws {
        folder = try TemporaryDirectory()
        var configuration = LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
        configuration.connectivitySource = nil
        larder = try Larder(configuration, transport: transport)
        transport.on("https://shop.test/") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=600", .contentType: "text/html"], body: "shop")
        }
    }

    private func installed(_ mode: WebViewMode) async -> (WKWebViewConfiguration, InstalledMode) {
        let configuration = WKWebViewConfiguration()
        configuration.websiteDataStore = .nonPersistent()
        return (configuration, await larder.install(in: configuration, through: mode))
    }

    /// WebKit loads a page at the app-cache scheme.
    private func visit(_ url: String, in view: WKWebView) async throws {
        let (delegate, url) = (try #require(view.navigationDelegate), try #require(URL(string: url)))
        let frame = WKFrameInfo(simulating: URLRequest(url: url), isMainFrame: true, in: view)
        let action = WKNavigationAction(simulating: URLRequest(url: url), .other, from: frame, to: frame)
        delegate.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) { _, _ in }
        delegate.webView(view, didStartProvisionalNavigation: nil)
        let task = SimulatedSchemeTask(URLRequest(url: url))
        view.configuration.urlSchemeHandler(forURLScheme: AppCacheScheme.name)?.webView(view, start: task)
        while !task.isOver { await Task.yield() }
        view.simulate(url: url, title: nil, isLoading: false, progress: 1)
        delegate.webView(view, didCommit: nil)
    }

    @Test("without the proxy pages load as if there were no Larder, and the reason says so")
    func noProxy() async throws {
        for mode in [WebViewMode.automatic, .proxy] {
            let (configuration, installed) = await installed(mode)
            #expect(installed.name == .navigation && installed.reason?.contains("trait Proxy") == true)
            let view = WKWebView(frame: .zero, configuration: configuration)
            let url = try #require(URL(string: "https://shop.test/"))
            larder.load(url, in: view)
            #expect(view.told == [.load(URLRequest(url: url))])
        }
    }

    @Test("an app's cachePolicy goes to Larder in a field, as WebKit goes by it for its own cache alone")
    func cachePolicy() async throws {
        let rows: [(URLRequest.CachePolicy, String?, URLRequest.CachePolicy)] = [
            (.useProtocolCachePolicy, nil, .useProtocolCachePolicy),
            (.reloadIgnoringLocalCacheData, "reload-ignoring-local", .reloadIgnoringLocalCacheData),
            (.reloadIgnoringLocalAndRemoteCacheData, "reload", .reloadIgnoringLocalAndRemoteCacheData),
            (.returnCacheDataElseLoad, "force-cache", .useProtocolCachePolicy),
            (.returnCacheDataDontLoad, "only-if-cached", .useProtocolCachePolicy),
            (.reloadRevalidatingCacheData, "no-cache", .reloadRevalidatingCacheData),
        ]
        let url = try #require(URL(string: "https://shop.test/"))
        for mode in [WebViewMode.appScheme(hosts: ["shop.test"]), .navigation] {
            let (configuration, installed) = await installed(mode)
            let isTold = installed.name == .appScheme
            let page = try #require(URL(string: isTold ? "app-cache-https://shop.test/" : "https://shop.test/"))
            let view = WKWebView(frame: .zero, configuration: configuration)
            for (policy, field, kept) in rows {
                larder.load(URLRequest(url: url, cachePolicy: policy), in: view)
                var expected = URLRequest(url: page, cachePolicy: isTold ? kept : policy)
                if isTold { expected.setValue(field, forHTTPHeaderField: "Larder-Cache-Mode") }
                #expect(view.told.last == .load(expected))
            }
        }
    }

    private func cookie(_ name: String, _ domain: String = "shop.test") throws -> HTTPCookie {
        try #require(HTTPCookie(properties: [.name: name, .value: "1", .domain: domain, .path: "/"]))
    }

    @Test("web views and sessions share the cookies of the named sites, until the account changes")
    func cookies() async throws {
        let dataStore = WKWebsiteDataStore.nonPersistent()
        let storage = HTTPCookieStorage.shared
        defer { for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) } }
        storage.setCookie(try cookie("session"))
        storage.setCookie(try cookie("other", "other.test"))
        let sharing = await larder.shareCookies(of: dataStore, with: storage, sites: ["shop.test"])
        #expect(await dataStore.httpCookieStore.allCookies().map(\.name) == ["session"])
        await dataStore.httpCookieStore.setCookie(try cookie("basket"))
        while storage.cookies?.contains(where: { $0.name == "basket" }) != true { await Task.yield() }
        await dataStore.httpCookieStore.deleteCookie(try cookie("session"))
        while storage.cookies?.contains(where: { $0.name == "session" }) == true { await Task.yield() }
        storage.setCookie(try cookie("of the app"))
        // As Foundation does on Apple's platforms.
        NotificationCenter.default.post(name: .NSHTTPCookieManagerCookiesChanged, object: storage)
        while await dataStore.httpCookieStore.allCookies().count < 2 { await Task.yield() }
        larder.account = "next"
        await dataStore.httpCookieStore.setCookie(try cookie("of the next user"))
        await sharing.share()
        #expect(storage.cookies?.map(\.name).sorted() == ["basket", "of the app", "other"])
    }

    @Test(
        "clearing a web view's cookies clears the shared ones of sessions, and no others",
        arguments: [nil, "shop.test"])
    func clearingCookies(_ host: String?) async throws {
        let dataStore = WKWebsiteDataStore.nonPersistent()
        let storage = HTTPCookieStorage.shared
        defer { for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) } }
        for domain in ["shop.test", "other.test"] { storage.setCookie(try cookie(domain, domain)) }
        let sharing = await larder.shareCookies(of: dataStore, with: storage, sites: ["shop.test"])
        #expect(await dataStore.httpCookieStore.allCookies().map(\.name) == ["shop.test"])
        dataStore.simulatedRecords = [WKWebsiteDataRecord(simulating: "shop.test", [WKWebsiteDataTypeCookies])]
        let selection = host.map { EntrySelection(host: $0) } ?? .everything
        try await larder.clear(selection, webViewsOf: dataStore, and: [.cookies])
        while storage.cookies?.contains(where: { $0.name == "shop.test" }) == true { await Task.yield() }
        #expect(storage.cookies?.map(\.name) == ["other.test"])
        #expect(await dataStore.httpCookieStore.allCookies().isEmpty)
        _ = sharing
    }

    @Test("reports name the web view and its visit, as the Larder does")
    func reports() async throws {
        let (configuration, _) = await installed(.appScheme(hosts: ["shop.test"]))
        let views = (1...2).map { _ in WKWebView(frame: .zero, configuration: configuration) }
        var events = larder.events.makeAsyncIterator()
        var seen: [String] = []
        let url = try #require(URL(string: "https://shop.test/"))
        for view in [views[0], views[1], views[0]] {
            larder.load(url, in: view)
            try await visit("app-cache-https://shop.test/", in: view)
            let report = try #require(await events.next())
            seen.append("\(report.view), visit \(report.visit ?? 0)")
            #expect(report.view == larder.name(of: view) && report.visit == larder.visit(in: view))
        }
        #expect(seen == ["web view 1, visit 1", "web view 2, visit 1", "web view 1, visit 2"])
        // The origin saw what web views call themselves.
        #expect(transport.requests.map { $0.head.headerFields[.userAgent] } == [WKWebView.simulatedUserAgent])
        #expect(larder.name(of: WKWebView(frame: .zero, configuration: WKWebViewConfiguration())) == nil)
    }

    @Test("a mode that the self-test has found not to work is neither installed nor used, until it works again")
    func measured() async throws {
        let mode = WebViewMode.appScheme(hosts: ["shop.test"])
        let (configuration, first) = await installed(mode)
        #expect(first.name == .appScheme)
        let container = PlatformView(frame: .zero)
        for (text, works) in [("", false), ("script\tan error", false), (Self.whole, true)] {
            let measuring = Task { try await larder.capabilities(of: mode, in: container) }
            try await answerSelfTest(text, in: container)
            let report = try? await measuring.value
            #expect((report == nil) == text.isEmpty)
            let (_, next) = await installed(mode)
            #expect(next.name == (works ? .appScheme : .navigation) && (next.reason == nil) == works)
            // The next process knows as well.
            var again = LarderConfiguration(directory: URL(fileURLWithPath: folder.store))
            again.connectivitySource = nil
            #expect((try Larder(again, transport: transport).fault(of: .appScheme) == nil) == works)
        }
        larder.modeFaults.withLock { $0["appScheme"] = "It does not work." }
        let view = WKWebView(frame: .zero, configuration: configuration)
        let url = try #require(URL(string: "https://shop.test/"))
        larder.load(url, in: view)
        #expect(view.told == [.load(URLRequest(url: url))])
        #expect(larder.mode(of: view) == InstalledMode(.navigation, reason: "It does not work."))
    }

    private static let whole = ["script", "style sheet", "image", "fetch"].map { "\($0)\tworks" }
        .joined(separator: "\n")

    /// The hidden web view of the self-test loads its page, which writes a text.
    private func answerSelfTest(_ text: String, in container: PlatformView) async throws {
        while true {
            if let view = container.subviews.first?.subviews.first as? WKWebView {
                view.simulatedResult = { _ in .success(text) }
                view.navigationDelegate?.webView(view, didFinish: nil)
                while !container.subviews.isEmpty { await Task.yield() }
                return
            }
            await Task.yield()
        }
    }

    @Test("a mode that can't be had, and a page that something else has ended, are errors, and no fault of the mode")
    func notMeasured() async throws {
        let container = PlatformView(frame: .zero)
        let unavailable = await #expect(throws: WebViewError.self) {
            try await larder.capabilities(of: .proxy, in: container)
        }
        #expect(unavailable?.code == .modeUnavailable && unavailable?.localizedDescription == unavailable?.message)
        let measuring = Task { try await larder.capabilities(of: .appScheme(hosts: []), in: container) }
        while container.subviews.isEmpty { await Task.yield() }
        let view = try #require(container.subviews.first?.subviews.first as? WKWebView)
        view.navigationDelegate?.webViewWebContentProcessDidTerminate(view)
        let ended = await #expect(throws: WebViewError.self) { try await measuring.value }
        #expect(ended?.code == .notMeasured)
        #expect(await installed(.appScheme(hosts: ["shop.test"])).1.name == .appScheme)
    }

    @Test("a web view's own cache is emptied with the responses, in every mode")
    func ownCache() async throws {
        let (configuration, _) = await installed(.automatic)
        let store = configuration.websiteDataStore
        #expect(store.removals.isEmpty)
        _ = try await larder.removeAll()
        #expect(store.removals.map { Set($0.types) } == [[WKWebsiteDataTypeDiskCache, WKWebsiteDataTypeMemoryCache]])
        larder.account = "anna"
        while store.removals.count < 2 { await Task.yield() }
    }

    @Test("clearing without arguments leaves pinned responses, cookies and pages' own data")
    func clearing() async throws {
        let (kept, other) = (URL(string: "https://shop.test/"), URL(string: "https://shop.test/b"))
        for url in [kept, other] { try await larder.store(Data("x".utf8), for: try #require(url)) }
        #expect(try await larder.pin(try #require(kept)))
        let store = WKWebsiteDataStore.nonPersistent()
        #expect(try await larder.clear(webViewsOf: store).entries == 1)
        #expect(try await larder.usage.responses == 1)
        #expect(
            store.removals.map { Set($0.types) }
                == [[WKWebsiteDataTypeDiskCache, WKWebsiteDataTypeMemoryCache, WKWebsiteDataTypeFetchCache]])
        #expect(try await larder.clear(.everything, webViewsOf: store).entries == 1)
    }
}
