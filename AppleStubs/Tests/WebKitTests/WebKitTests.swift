import AppleFoundation
import Network
import Security
import SwiftUI
import Testing
import WebKit

@Suite("The stand-in of WebKit, with a user of it", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct WebKitTests {
    /// Answers at once.
    private final class Handler: NSObject, WKURLSchemeHandler {
        func webView(_ webView: WKWebView, start urlSchemeTask: any WKURLSchemeTask) {
            guard let url = urlSchemeTask.request.url else { return }
            urlSchemeTask.didReceive(
                URLResponse(url: url, mimeType: nil, expectedContentLength: 1, textEncodingName: nil))
            urlSchemeTask.didReceive(Data([1]))
            urlSchemeTask.didFinish()
        }

        func webView(_ webView: WKWebView, stop urlSchemeTask: any WKURLSchemeTask) {}
    }

    /// Decides as it is told, and never else.
    private final class AppDelegate: NSObject, WKNavigationDelegate {
        var asked = 0

        func webView(
            _ webView: WKWebView, decidePolicyFor navigationAction: WKNavigationAction,
            decisionHandler: @escaping @MainActor @Sendable (WKNavigationActionPolicy) -> Void
        ) {
            asked += 1
            decisionHandler(.download)
        }
    }

    private let url = URL(fileURLWithPath: "/page")
    private func cookie(_ name: String) throws -> HTTPCookie {
        try #require(HTTPCookie(properties: [.name: name, .value: "1", .domain: "shop.test", .path: "/"]))
    }

    @Test("a view has a copy of its configuration, with the proxy, the cookies, the script and the handlers set before")
    func configuration() async throws {
        let (user, handler) = (WebViewUser(), Handler())
        let view = await user.makeView([try cookie("a"), try cookie("b")], scheme: handler)
        let store = view.configuration.websiteDataStore
        #expect(await store.httpCookieStore.allCookies().map(\.name) == ["a", "b"])
        #expect(user.events == ["cookies", "cookies"])
        #expect(store.proxyConfigurations.first?.simulatedEndpoint == .hostPort(host: "127.0.0.1", port: 8_080))
        #expect(store.proxyConfigurations.first?.simulatedCredential?.password == "secret")
        #expect(view.configuration.urlSchemeHandler(forURLScheme: "APP-CACHE") === handler)
        #expect(view.configuration.userContentController.userScripts.map(\.source) == ["1"])
        let place = WKUserContentController.Place(.world(name: "larder"), "larder")
        #expect(view.configuration.userContentController.simulatedHandlers[place] === user)
        await user.clear(store)
        #expect(store.removals.map(\.types) == [[WKWebsiteDataTypeDiskCache]])
    }

    @Test("delegates are called through their protocol, are weak, and without a method WebKit's own answer counts")
    func delegates() async throws {
        let user = WebViewUser()
        let view = await user.makeView([], scheme: Handler())
        let frame = WKFrameInfo(simulating: URLRequest(url: url), in: view)
        let action = WKNavigationAction(simulating: URLRequest(url: url), from: frame, to: nil)
        var decisions: [WKNavigationActionPolicy] = []
        let delegate = try #require(view.navigationDelegate)
        delegate.webView(view, decidePolicyFor: action, preferences: WKWebpagePreferences()) { policy, _ in
            decisions.append(policy)
        }
        var app: AppDelegate? = AppDelegate()
        user.forwarding = app
        delegate.webView(view, decidePolicyFor: action) { decisions.append($0) }
        #expect(decisions == [.cancel, .download] && app?.asked == 1)
        app = nil
        #expect(user.forwarding == nil)
        let space = URLProtectionSpace(
            simulating: "shop.test", method: NSURLAuthenticationMethodServerTrust, trust: SecTrust(simulating: []))
        var dispositions: [URLSession.AuthChallengeDisposition] = []
        let challenge = URLAuthenticationChallenge(simulating: space)
        delegate.webView(view, didReceive: challenge) { disposition, _ in dispositions.append(disposition) }
        let none: any WKNavigationDelegate = AppDelegate()
        none.webView(view, didReceive: challenge) { disposition, _ in dispositions.append(disposition) }
        #expect(dispositions == [.performDefaultHandling, .rejectProtectionSpace])
        delegate.webViewWebContentProcessDidTerminate(view)
        #expect(view.told == [.reload])
        view.uiDelegate?.webViewDidClose(view)
        #expect(user.events == ["closed"])
    }

    @Test("progress is observed until nobody does")
    func progress() async {
        var user: WebViewUser? = WebViewUser()
        let view = await user?.makeView([], scheme: Handler())
        view?.simulate(url: url, title: "Shop", isLoading: true, progress: 0.5)
        #expect(user?.progress == [0.5] && view?.title == "Shop")
        weak let gone = user
        // The content controller keeps its handlers; WebKit's does too.
        view?.configuration.userContentController.removeScriptMessageHandler(
            forName: "larder", contentWorld: .world(name: "larder"))
        user = nil
        #expect(gone == nil)
        view?.simulate(url: url, title: "Shop", isLoading: false, progress: 1)
        #expect(view?.navigationDelegate == nil)
    }

    @Test("a scheme task takes a response, content and one end, on the main thread, and nothing after a stop")
    func schemeTasks() async {
        let view = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
        let handler: any WKURLSchemeHandler = Handler()
        let whole = SimulatedSchemeTask(URLRequest(url: url))
        handler.webView(view, start: whole)
        #expect(whole.faults.isEmpty && whole.calls == ["response", "data", "finish"] && whole.isOver)
        #expect(!whole.stop())
        whole.didFinish()
        let stopped = SimulatedSchemeTask(URLRequest(url: url))
        #expect(stopped.stop())
        stopped.didReceive(Data([1]))
        #expect(whole.faults == ["finish after the end"])
        #expect(stopped.faults == ["data after the stop", "content without a response"])
        let elsewhere = SimulatedSchemeTask(URLRequest(url: url))
        await Task.detached { elsewhere.didFailWithError(URLError(.timedOut)) }.value
        #expect(elsewhere.faults == ["fail off the main thread"])
    }

    @Test("a script's message has its reply once, and one name has one handler")
    func scriptMessages() async throws {
        let user = WebViewUser()
        let view = await user.makeView([], scheme: Handler())
        let world = WKContentWorld.world(name: "larder")
        let message = WKScriptMessage(
            simulating: "hello", "larder", in: world, from: WKFrameInfo(simulating: URLRequest(url: url), in: view))
        var replies: [String] = []
        let handler: any WKScriptMessageHandlerWithReply = user
        handler.userContentController(view.configuration.userContentController, didReceive: message) { reply, _ in
            replies.append(reply as? String ?? "")
        }
        #expect(replies == ["hello"])
        view.configuration.userContentController.addScriptMessageHandler(user, contentWorld: world, name: "larder")
        #expect(view.configuration.userContentController.faults == ["two handlers of the name larder"])
    }

    @Test("a page of iOS 26 asks its decider, and tells of its loads")
    func page() async throws {
        struct Reply: URLSchemeHandler {
            func reply(for request: URLRequest) -> AsyncThrowingStream<URLSchemeTaskResult, any Error> {
                AsyncThrowingStream { $0.finish() }
            }
        }
        let page = WebViewUser().makePage(Reply())
        #expect(page.simulatedConfiguration.urlSchemeHandlers.count == 1 && URLScheme("https") == nil)
        var events: [WebPage.NavigationEvent] = []
        for try await event in page.load(URLRequest(url: url)) { events.append(event) }
        #expect(events == [.startedProvisionalNavigation, .committed, .finished])
        var decider = try #require(page.simulatedDecider)
        let space = URLProtectionSpace(simulating: "shop.test", method: "", trust: nil)
        let decision = await decider.decideAuthenticationChallengeDisposition(for: .init(simulating: space))
        #expect(decision.0 == .performDefaultHandling)
        #expect(ProgressBar(value: 0.5).body is ProgressView)
    }
}
