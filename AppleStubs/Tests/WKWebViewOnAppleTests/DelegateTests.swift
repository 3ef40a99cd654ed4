import AppleFoundation
import Testing
import WebKit

@testable import WKWebViewOnApple

@Suite("The app's own delegate", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct DelegateTests {
    private let bench = WebViewBench()

    /// A view with an app's delegate behind ours.
    private func attached(_ app: AppDelegate) throws -> (WKWebView, any WKNavigationDelegate) {
        let installation = bench.install(.navigation)
        let view = bench.makeView()
        view.navigationDelegate = app
        installation.watch(view)
        let ours = try #require(view.navigationDelegate)
        #expect(ours !== app)
        return (view, ours)
    }

    @Test("is told of each call once, at once or later, and each handler is called once", arguments: [false, true])
    func each(later: Bool) throws {
        for method in AppDelegate.allMethods where method != "action" {
            let own = DelegateTests()
            let app = AppDelegate([method])
            app.answersLater = later
            let (view, ours) = try own.attached(app)
            let answers = try #require(WebKitCalls.make(method, in: view, to: ours))
            #expect(app.calls == [method])
            app.answer()
            #expect(answers.withLock { $0 } == 1, "\(method)")
        }
    }

    @Test("without a method, or gone, leaves an answer to every handler, and nothing of ours is lost")
    func none() throws {
        for isGone in [false, true] {
            for method in AppDelegate.allMethods where method != "action" {
                let own = DelegateTests()
                var app: AppDelegate? = AppDelegate(isGone ? Set(AppDelegate.allMethods) : [])
                let (view, ours) = try own.attached(try #require(app))
                if isGone { app = nil }
                let answers = try #require(WebKitCalls.make(method, in: view, to: ours))
                #expect(answers.withLock { $0 } == 1 && app?.calls ?? [] == [], "\(method)")
                if method.hasSuffix("Download") { #expect(own.bench.events == ["download"]) }
            }
        }
    }

    @Test("with the older of the two methods for actions alone is asked by it")
    func older() throws {
        let app = AppDelegate(["action"])
        let (view, ours) = try attached(app)
        let answers = try #require(WebKitCalls.make("preferences", in: view, to: ours))
        #expect(app.calls == ["action"] && answers.withLock { $0 } == 1)
    }

    @Test("that was put in front of ours, and passes calls on to it, is asked once, and so is the one before it")
    func inFront() throws {
        for method in AppDelegate.allMethods where method != "action" {
            let own = DelegateTests()
            let first = AppDelegate(Set(AppDelegate.allMethods))
            let (view, ours) = try own.attached(first)
            let front = AppDelegate(Set(AppDelegate.allMethods))
            front.next = ours
            view.navigationDelegate = front
            own.bench.configuration.larderInstallation?.watch(view)
            #expect(view.navigationDelegate === ours)
            let answers = try #require(WebKitCalls.make(method, in: view, to: ours))
            #expect(front.calls == [method] && first.calls == [method] && answers.withLock { $0 } == 1, "\(method)")
        }
    }

    @Test("for dialogs and windows is the app's alone")
    func userInterface() throws {
        final class Windows: NSObject, WKUIDelegate {}
        let windows = Windows()
        let installation = bench.install(.appScheme(hosts: ["a.test"]))
        let view = bench.makeView()
        view.uiDelegate = windows
        installation.load(URLRequest(url: try #require(URL(string: "https://a.test/"))), in: view)
        #expect(view.uiDelegate === windows)
        // Windows that a page asks for are its matter.
        view.navigationDelegate?.webView(view, didCommit: nil)
        let policies = bench.decide(
            view, "https://a.test/w", .linkActivated, from: "https://a.test/", opensWindow: true)
        #expect(policies == [.allow])
    }

    @Test("that is set between two requests of a page comes behind ours at the next one")
    func replaced() async throws {
        bench.on("https://shop.test/", body: "")
        let installation = bench.install(.appScheme(hosts: ["shop.test"]))
        let view = bench.makeView()
        installation.watch(view)
        let ours = view.navigationDelegate
        let app = AppDelegate(["finish"])
        view.navigationDelegate = app
        _ = await bench.ask("app-cache-https://shop.test/", in: view)
        #expect(view.navigationDelegate === ours)
        ours?.webView(view, didFinish: nil)
        #expect(app.calls == ["finish"])
    }

    @Test("a navigation without a source frame, as on macOS 15.1, is decided without reading one")
    func noSource() throws {
        let (view, ours) = try attached(AppDelegate())
        view.simulate(url: URL(string: "https://a.test/"), title: nil, isLoading: false, progress: 1)
        ours.webView(view, didCommit: nil)
        let url = try #require(URL(string: "https://b.test/"))
        let frame = WKFrameInfo(simulating: URLRequest(url: url), isMainFrame: true, in: view)
        let action = WKNavigationAction(simulating: URLRequest(url: url), .other, from: nil, to: frame)
        var policy: WKNavigationActionPolicy?
        ours.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) { decided, _ in
            MainActor.assumeIsolated { policy = decided }
        }
        #expect(policy == .allow && action.simulatedReadsOfMissingSource == 0)
    }

    @Test("a page whose process ended, and that is not to be loaded again, is replaced by the error page at once")
    func notRecovered() throws {
        let installation = bench.install(.navigation) { $0.recovers = false }
        let view = bench.makeView()
        installation.load(URLRequest(url: try #require(URL(string: "https://a.test/"))), in: view)
        view.simulate(url: URL(string: "https://a.test/"), title: nil, isLoading: false, progress: 1)
        view.navigationDelegate?.webView(view, didCommit: nil)
        view.navigationDelegate?.webViewWebContentProcessDidTerminate(view)
        #expect(bench.events == ["ended false"])
        guard case .simulated? = view.told.last else { return #expect(Bool(false), "a white page") }
    }
}

extension WKWebViewConfiguration {
    fileprivate var larderInstallation: WebViewInstallation? { WebViewInstallation.of(self) }
}
