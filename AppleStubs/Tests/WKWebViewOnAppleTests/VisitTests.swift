import AppleFoundation
import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import Testing
import WebKit

@testable import WKWebViewOnApple

@Suite("Whose requests they are, and what they call themselves", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct VisitTests {
    private let bench = WebViewBench()
    private static let page = "app-cache-https://shop.test/"

    /// A view loads a page, as WebKit tells of it.
    private func visit(_ url: String, in view: WKWebView) async throws {
        bench.clock.advance(by: .seconds(1))
        let delegate = try #require(view.navigationDelegate)
        #expect(bench.decide(view, url) == [.allow])
        delegate.webView(view, didStartProvisionalNavigation: nil)
        _ = await bench.ask(url, in: view)
        view.simulate(url: URL(string: url), title: nil, isLoading: false, progress: 1)
        delegate.webView(view, didCommit: nil)
        delegate.webView(view, didFinish: nil)
    }

    @Test("reports of two web views have their names, and the visits of one are counted")
    func views() async throws {
        for path in ["", "b", "a.js"] { bench.on("https://shop.test/\(path)", body: path) }
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let views = [bench.makeView(), bench.makeView()]
        for view in views { installation.watch(view) }
        try await visit(Self.page, in: views[0])
        try await visit(Self.page, in: views[1])
        try await visit(Self.page + "b", in: views[0])
        for view in views {
            _ = await bench.ask(Self.page + "a.js", in: view) { $0.mainDocumentURL = view.url }
        }
        #expect(views.map { installation.name(of: $0) } == ["web view 1", "web view 2"])
        #expect(views.map { bench.visits.visit(in: installation.name(of: $0)) } == [2, 1])
        let seen = bench.reports.map { "\($0.view) \($0.visit ?? 0) \($0.document ?? "") \($0.uri)" }
        let shop = "https://shop.test/"
        #expect(
            seen == [
                "web view 1 1 \(shop) \(shop)", "web view 2 1 \(shop) \(shop)", "web view 1 2 \(shop)b \(shop)b",
                "web view 1 2 \(shop)b \(shop)a.js", "web view 2 1 \(shop) \(shop)a.js",
            ])
    }

    @Test("a redirect belongs to the visit that it is a part of")
    func redirect() async throws {
        bench.transport.on("https://shop.test/") { _ in ScriptedTransport.answer(302, [.location: "/b"], body: "") }
        bench.on("https://shop.test/b", body: "b")
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        installation.watch(view)
        let delegate = try #require(view.navigationDelegate)
        #expect(bench.decide(view, Self.page) == [.allow])
        delegate.webView(view, didStartProvisionalNavigation: nil)
        _ = await bench.ask(Self.page, in: view)
        while view.told.isEmpty { await Task.yield() }
        delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(.cancelled))
        try await visit(Self.page + "b", in: view)
        #expect(bench.reports.map(\.visit) == [1, 1] && bench.visits.visit(in: "web view 1") == 1)
    }

    @Test("a page of iOS 26 has a name and visits too")
    func page() async throws {
        bench.on("https://shop.test/", body: "x")
        var configuration = WebPage.Configuration()
        let requests = await WebViewInstallation.install(
            in: &configuration, mode: .appScheme(hosts: ["shop.test"]), cache: bench.cache,
            context: { ExchangeContext() }, clock: bench.clock.engineClock, visits: bench.visits,
            likeWebViewsOf: WKWebViewConfiguration())
        let page = WebPage(configuration: configuration)
        requests.attach(to: page)
        let request = requests.load(try #require(URL(string: "https://shop.test/")))
        for agent in [nil, "App/1"] {
            page.customUserAgent = agent
            bench.clock.advance(by: .seconds(1))
            await requests.announce(WebPage.NavigationAction(simulating: request, isMainFrame: true))
            for try await _ in requests.reply(for: request) {}
        }
        #expect(bench.reports.map { "\($0.view) \($0.visit ?? 0)" } == ["web view 1 1", "web view 1 2"])
        #expect(requests.name == "web view 1")
        #expect(
            bench.transport.requests.map { $0.head.headerFields[.userAgent] }
                == [WKWebView.simulatedUserAgent, "App/1"])
    }

    @Test("the origin sees the app's user agent, as it is now, else the web view's own, in preflights too")
    func userAgent() async throws {
        bench.on("https://shop.test/", body: "x")
        bench.transport.on("https://api.test/") { request in
            ScriptedTransport.answer(
                200,
                [
                    .accessControlAllowOrigin: "*", .accessControlAllowHeaders: "x-a",
                    .accessControlAllowMethods: "GET",
                ], body: "")
        }
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        await installation.learnUserAgent(of: bench.configuration)
        let view = bench.makeView()
        for agent in [nil, "App/1", "", "App/2"] {
            view.customUserAgent = agent
            _ = await bench.ask(Self.page, in: view)
        }
        #expect(
            bench.transport.requests.map { $0.head.headerFields[.userAgent] } == [
                WKWebView.simulatedUserAgent, "App/1", WKWebView.simulatedUserAgent, "App/2",
            ])
        _ = await bench.ask("app-cache-https://api.test/", in: view) {
            $0.setValue("https://shop.test", forHTTPHeaderField: "Origin")
            $0.setValue("1", forHTTPHeaderField: "X-A")
        }
        let asked = bench.transport.requests.dropFirst(4)
        #expect(asked.contains { $0.head.method == .options })
        #expect(asked.allSatisfy { $0.head.headerFields[.userAgent] == "App/2" })
    }

    @Test("a mode that the self-test has found not to work is left at the next load")
    func fault() throws {
        let url = try #require(URL(string: "https://shop.test/"))
        let proxy = WebViewProxy(
            port: { 8_080 }, user: nil, password: nil, portChanges: { AsyncStream { $0.finish() } },
            disposition: { _ in (.performDefaultHandling, nil) })
        for mode in [WebViewMode.proxy, .appScheme(hosts: ["shop.test"])] {
            let own = WebViewBench()
            let installation = own.install(mode, proxy: proxy)
            let view = own.makeView()
            own.fault = "It does not work."
            installation.load(URLRequest(url: url), in: view)
            #expect(installation.mode == InstalledMode(.navigation, reason: "It does not work."))
            #expect(view.told == [.load(URLRequest(url: url))] && own.events == ["mode navigation"])
            #expect(own.configuration.websiteDataStore.proxyConfigurations.isEmpty)
            #expect(own.decide(view, "https://shop.test/") == [.allow])
        }
    }
}
