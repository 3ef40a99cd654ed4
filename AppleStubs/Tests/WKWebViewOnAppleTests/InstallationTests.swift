import AppleFoundation
import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import PageScripts
import ResponseStore
import Security
import Testing
import ViewCare
import WebKit

@testable import WKWebViewOnApple

@Suite("What is installed in a configuration", .serialized, .timeLimit(.minutes(30)))
@MainActor
struct InstallationTests {
    private let bench = WebViewBench()
    private static let page = "app-cache-https://shop.test/"

    @Test("app scheme: a page and its resources come from the cache, the second time without the network")
    func appScheme() async throws {
        bench.on("https://shop.test/", [.cacheControl: "max-age=60", .contentType: "text/html"], body: "<p>shop")
        bench.on("https://shop.test/a.js", [.cacheControl: "max-age=60"], body: "1")
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        let url = try #require(URL(string: "https://shop.test/"))
        installation.load(URLRequest(url: url), in: view)
        #expect(view.told == [.load(URLRequest(url: try #require(URL(string: Self.page))))])
        for round in 0..<2 {
            #expect(bench.decide(view, Self.page) == [.allow])
            let page = await bench.ask(Self.page, in: view)
            #expect(page?.faults == [] && page?.content == Data("<p>shop".utf8))
            let script = await bench.ask(Self.page + "a.js", in: view) {
                $0.setValue("shop", forHTTPHeaderField: "Accept")
            }
            #expect(script?.content == Data("1".utf8))
            #expect(bench.transport.requests.count == 2, "round \(round)")
        }
        let scripts = view.configuration.userContentController.userScripts
        #expect(
            scripts.count == 4 && scripts.allSatisfy { $0.injectionTime == .atDocumentStart && !$0.isForMainFrameOnly })
        #expect(installation.attached(view).requests?.driver.openTasks == 0)
        #expect(installation.mode == InstalledMode(.appScheme))
    }

    @Test("pages at the app-cache scheme get rules against mixed content; without them the mode is given up")
    func mixedContent() async {
        let lists = { (bench: WebViewBench) in
            bench.configuration.userContentController.simulatedRuleLists.map(\.simulatedSource)
        }
        await bench.install(.navigation).blockMixedContent(in: bench.configuration.userContentController)
        #expect(lists(bench).isEmpty)
        for (unknown, expected, mode) in [
            (nil, [MixedContentRules.ofPages, MixedContentRules.ofFrames], .appScheme),
            ("if-frame-url", [MixedContentRules.ofPages], .appScheme), ("make-https", [], .navigation),
        ] as [(String?, [String], InterceptionMode)] {
            let bench = WebViewBench()
            let installation = bench.install(.appScheme(hosts: ["shop.test"]))
            await installation.blockMixedContent(in: bench.configuration.userContentController) { name, rules in
                if let unknown, rules.contains(unknown) { return nil }
                return await WebViewInstallation.compiled(name, rules)
            }
            #expect(lists(bench) == expected && installation.mode.name == mode)
        }
    }

    @Test("a link to an https page of the same hosts stays at the app-cache scheme; other links go on as they are")
    func links() throws {
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        installation.attach(to: view)
        #expect(bench.decide(view, "https://shop.test/b?c", .linkActivated, from: Self.page) == [.cancel])
        #expect(view.told == [.load(URLRequest(url: try #require(URL(string: Self.page + "b?c"))))])
        #expect(bench.decide(view, "https://other.test/", .linkActivated, from: Self.page) == [.allow])
        #expect(bench.decide(view, "https://shop.test/frame", from: Self.page, isMainFrame: false) == [.allow])
        #expect(view.told.count == 1)
    }

    @Test("a form's navigation waits until the page has handed over its content; others do not")
    func heldForm() async throws {
        bench.transport.on("https://shop.test/up") { request in
            let body = try #require(request.body)
            let bytes = try await ResponseBody.stream(body.source, length: nil).collect(upTo: .mebibytes(1))
            return ScriptedTransport.answer(200, body: "got \(String(decoding: bytes, as: UTF8.self))")
        }
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        installation.attach(to: view)
        let script = try #require(view.configuration.userContentController.userScripts.first?.source)
        let token = try #require(script.components(separatedBy: "('larder/").last?.components(separatedBy: "'").first)
        let url = Self.page + "up"
        let name = "abcdefgh01234567"
        let begun = bench.start(url, in: view) {
            $0.httpMethod = "POST"
            $0.setValue("larder/\(token);begin=\(name);length=3;form=held", forHTTPHeaderField: "Accept")
        }
        #expect(bench.decide(view, url, .linkActivated, from: Self.page) == [.allow])
        let policies = bench.decisions(view, url, .formSubmitted, from: Self.page)
        #expect(policies.withLock { $0 } == [])
        let piece = await bench.ask(url, in: view) {
            $0.httpMethod = "POST"
            $0.setValue("larder/\(token);piece=0;upload=\(name)", forHTTPHeaderField: "Accept")
            $0.httpBody = Data("f=1".utf8)
        }
        #expect(piece?.faults == [])
        while policies.withLock({ $0.isEmpty }) { await Task.yield() }
        #expect(policies.withLock { $0 } == [.allow])
        let answer = await bench.ask(url, in: view) {
            $0.httpMethod = "POST"
            $0.setValue("multipart/form-data; boundary=B", forHTTPHeaderField: "Content-Type")
            $0.httpBody = Data("name=\"\(name)\"".utf8)
        }
        #expect(answer?.content == Data("got f=1".utf8))
        while begun?.isOver != true { await Task.yield() }
    }

    @Test("a redirected document is loaded anew, which the app sees as a redirect of one navigation")
    func redirect() async throws {
        bench.transport.on("https://shop.test/") { _ in
            ScriptedTransport.answer(302, [.location: "/home"], body: "")
        }
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        let app = AppDelegate(["start", "redirect", "failProvisional", "commit", "finish"])
        view.navigationDelegate = app
        installation.load(URLRequest(url: try #require(URL(string: "https://shop.test/"))), in: view)
        let delegate = try #require(view.navigationDelegate)
        #expect(bench.decide(view, Self.page) == [.allow])
        delegate.webView(view, didStartProvisionalNavigation: nil)
        let task = try #require(await bench.ask(Self.page, in: view))
        #expect(task.calls == ["fail"] && task.faults == [])
        while view.told.count < 2 { await Task.yield() }
        #expect(view.told.last == .load(URLRequest(url: try #require(URL(string: Self.page + "home")))))
        delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(.cancelled))
        delegate.webView(view, didStartProvisionalNavigation: nil)
        delegate.webView(view, didCommit: nil)
        delegate.webView(view, didFinish: nil)
        #expect(app.calls == ["start", "redirect", "commit", "finish"])
    }

    @Test(
        "at the app-cache scheme users go back and load again from any page; links of foreign pages do not lead there",
        arguments: [(WKNavigationType.backForward, true), (.reload, true), (.linkActivated, false)])
    func backToAppPage(_ type: WKNavigationType, _ isAllowed: Bool) {
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        installation.attach(to: view)
        view.simulate(url: URL(string: "https://other.test/"), title: nil, isLoading: false, progress: 1)
        view.navigationDelegate?.webView(view, didCommit: nil)
        let policies = bench.decide(view, "app-cache-https://shop.test/", type, from: "https://other.test/")
        #expect(policies == [isAllowed ? .allow : .cancel])
    }

    @Test("pages of a handler of the app's own load as without Larder")
    func otherHandler() throws {
        let configuration = bench.configuration
        configuration.setURLSchemeHandler(OwnHandler(), forURLScheme: "capacitor")
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        installation.attach(to: view)
        #expect(bench.decide(view, "capacitor://localhost/") == [.allow])
        #expect(bench.decide(view, "capacitor://localhost/frame", isMainFrame: false) == [.allow])
        #expect(bench.opened.isEmpty && bench.events.isEmpty)
    }

    private final class OwnHandler: NSObject, WKURLSchemeHandler {
        func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {}
        func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {}
    }

    @Test("a document whose form was answered is not loaded again after its process has ended, a link within it or not")
    func formShown() throws {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        installation.attach(to: view)
        let delegate = try #require(view.navigationDelegate)
        for (method, reloads) in [("POST", false), ("GET", true)] {
            #expect(bench.decide(view, "https://a.test/order", .formSubmitted, method: method) == [.allow])
            delegate.webView(view, didStartProvisionalNavigation: nil)
            view.simulate(url: URL(string: "https://a.test/order"), title: nil, isLoading: false, progress: 1)
            delegate.webView(view, didCommit: nil)
            #expect(bench.decide(view, "https://a.test/order#end", .linkActivated, from: "https://a.test/") == [.allow])
            delegate.webViewWebContentProcessDidTerminate(view)
            #expect(bench.events.last == "ended \(reloads)")
        }
    }

    struct Link: Sendable, CustomTestStringConvertible {
        var url: String
        var type = WKNavigationType.linkActivated
        var opensWindow = false
        var isMainFrame = true
        var method = "GET"
        var policy: WKNavigationActionPolicy
        var opened: [String] = []
        var refused: [String] = []
        var testDescription: String { url }
    }

    nonisolated static let followed = [
        Link(url: "https://a.test/b", policy: .allow),
        Link(url: "tel:123", policy: .cancel, opened: ["tel:123"]),
        Link(url: "tel:123", type: .other, policy: .cancel, refused: ["refused no-user-action"]),
        Link(url: "javascript:1", policy: .cancel, refused: ["refused script-url"]),
        Link(url: "https://a.test/w", opensWindow: true, policy: .cancel),
        // As without Larder, nothing opens: its content would be lost.
        Link(url: "https://a.test/w", type: .formSubmitted, opensWindow: true, method: "POST", policy: .allow),
        Link(url: "about:blank", isMainFrame: false, policy: .allow),
    ]

    @Test("without a method of the app's, links go where NavigationDecision says", arguments: followed)
    func links(_ link: Link) throws {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        installation.attach(to: view)
        view.simulate(url: URL(string: "https://a.test/"), title: nil, isLoading: false, progress: 1)
        view.navigationDelegate?.webView(view, didCommit: nil)
        let policies = bench.decide(
            view, link.url, link.type, from: "https://a.test/", isMainFrame: link.isMainFrame,
            opensWindow: link.opensWindow, method: link.method)
        #expect(policies == [link.policy] && bench.opened == link.opened && bench.events == link.refused)
        let loaded =
            link.opensWindow && link.policy == .cancel
            ? [WKWebView.Told.load(URLRequest(url: try #require(URL(string: link.url))))] : []
        #expect(view.told == loaded)
    }

    @Test("an app's method decides, whatever the link; the one with preferences before the other")
    func appDecides() {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        let app = AppDelegate(["action", "preferences"])
        app.policy = .download
        view.navigationDelegate = app
        installation.attach(to: view)
        #expect(bench.decide(view, "tel:1", .linkActivated) == [.download] && app.calls == ["preferences"])
        app.simulatedMethods = ["action"]
        #expect(bench.decide(view, "tel:1", .linkActivated) == [.download] && app.calls == ["preferences", "action"])
        #expect(bench.opened.isEmpty)
    }

    @Test("a delegate that the app sets later comes behind ours at the next load, and none is kept alive")
    func delegates() throws {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        var first: AppDelegate? = AppDelegate(["finish"])
        view.navigationDelegate = first
        installation.attach(to: view)
        let ours = view.navigationDelegate
        let second = AppDelegate(["finish"])
        view.navigationDelegate = second
        installation.load(URLRequest(url: try #require(URL(string: "https://a.test/"))), in: view)
        #expect(view.navigationDelegate === ours)
        ours?.webView(view, didFinish: nil)
        #expect(first?.calls == [] && second.calls == ["finish"])
        weak let gone = first
        first = nil
        #expect(gone == nil)
    }

    @Test("a page that shows nothing some time after its load is told, and whether it was told before")
    func whiteScreens() async throws {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        installation.attach(to: view)
        let delegate = try #require(view.navigationDelegate)
        let answer = LockedBox("")
        view.simulatedResult = { $0 == EmptyPage.script ? .success(answer.withLock { $0 }) : .success(nil) }
        for (path, says, finishes) in [
            ("a", "nothing", true), ("a", "elements", false), ("a", "", true), ("a", "nothing", true),
            ("b", "nothing", true),
        ] {
            answer.withLock { $0 = says }
            delegate.webView(view, didStartProvisionalNavigation: nil)
            view.simulate(url: URL(string: "https://a.test/" + path), title: nil, isLoading: false, progress: 1)
            delegate.webView(view, didCommit: nil)
            if finishes { delegate.webView(view, didFinish: nil) }
            let asked = view.told.count
            while view.told.count == asked {
                bench.clock.advance(by: .seconds(1))
                await Task.yield()
            }
        }
        #expect(
            bench.events == [
                "nothing at /a false false", "nothing at /a true true", "nothing at /a false false",
                "nothing at /b false false",
            ])
        delegate.webView(view, didFinish: nil)
        delegate.webView(view, didStartProvisionalNavigation: nil)
        #expect(bench.events.count == 4)
    }

    @Test("web views can be inspected as the options say, in debug builds unless set", arguments: [nil, true, false])
    func inspection(_ wanted: Bool?) {
        let installation = bench.install(.navigation) { if let wanted { $0.allowsInspection = wanted } }
        let view = bench.makeView()
        installation.attach(to: view)
        #expect(view.isInspectable == wanted ?? BuildKind.isDebug)
    }

    @Test("a process that has ended: reload once, then the error page; the app's own method comes first")
    func processes() throws {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        installation.load(URLRequest(url: try #require(URL(string: "https://a.test/"))), in: view)
        view.simulate(url: URL(string: "https://a.test/"), title: nil, isLoading: false, progress: 1)
        let delegate = try #require(view.navigationDelegate)
        delegate.webView(view, didCommit: nil)
        delegate.webViewWebContentProcessDidTerminate(view)
        delegate.webViewWebContentProcessDidTerminate(view)
        #expect(bench.events == ["ended true", "ended false"] && view.told.dropFirst().first == .reload)
        guard case .simulated(let request, let data)? = view.told.last else {
            return #expect(Bool(false), "no error page")
        }
        #expect(
            request.url?.absoluteString == "https://a.test/" && String(decoding: data, as: UTF8.self) == ErrorPage.html)
        let app = AppDelegate(["terminate"])
        view.navigationDelegate = app
        installation.attach(to: view)
        delegate.webViewWebContentProcessDidTerminate(view)
        #expect(app.calls == ["terminate"] && bench.events.count == 2)
    }

    @Test("a second installation changes nothing, and a missing proxy is a navigation mode with its reason")
    func again() {
        let first = bench.install(.appScheme(hosts: []))
        #expect(bench.install(.navigation) === first)
        #expect(bench.configuration.userContentController.userScripts.count == 4)
        let other = WebViewBench().install(.proxy)
        #expect(other.mode.name == .navigation)
    }

    @Test("clearing removes the web views' data of these kinds, since then")
    func clearing() async throws {
        let store = bench.configuration.websiteDataStore
        _ = try await bench.cache.clear(.everything, and: [.cookies, .indexedDB], in: WebViewData(store), since: nil)
        #expect(store.removals.map(\.types) == [[WKWebsiteDataTypeCookies, WKWebsiteDataTypeIndexedDBDatabases]])
        store.simulatedRecords = ["a.test", "b.test", "xa.test"].map {
            WKWebsiteDataRecord(simulating: $0, [WKWebsiteDataTypeCookies])
        }
        for host in ["a.test", "www.a.test:8443", "*.a.test", "c.test"] {
            let selection = EntrySelection(host: host)
            _ = try await bench.cache.clear(selection, and: [.cookies], in: WebViewData(store), since: nil)
        }
        #expect(store.removals.dropFirst().map(\.records) == [["a.test"], ["a.test"], ["a.test"], []])
    }
}
