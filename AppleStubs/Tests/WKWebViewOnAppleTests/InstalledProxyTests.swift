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

/// Tells that it is gone.
private final class Farewell: Sendable {
    private let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    deinit { body() }
}

@Suite("The proxy of a data store", .serialized, .timeLimit(.minutes(30)))
@MainActor
struct InstalledProxyTests {
    private let bench = WebViewBench()

    private func proxy(
        _ port: LockedBox<Int>, changes: AsyncStream<Int> = AsyncStream { $0.finish() },
        released: LockedBox<Int> = LockedBox(0), password: String = "secret"
    ) -> WebViewProxy {
        WebViewProxy(
            port: { port.withLock { $0 } }, user: "larder", password: password, portChanges: { changes },
            disposition: { challenge in
                challenge.protectionSpace.host == "shop.test"
                    ? (.useCredential, nil) : (.performDefaultHandling, nil)
            }, use: Farewell { released.withLock { $0 += 1 } })
    }

    @Test("proxy: the data store is sent through it with its credentials, follows its port, and is let go at the end")
    func proxyMode() async throws {
        let (port, released) = (LockedBox(8_080), LockedBox(0))
        let (changes, change) = AsyncStream.makeStream(of: Int.self)
        weak var gone: WebViewInstallation?
        do {
            let own = WebViewBench()
            gone = own.install(.proxy, proxy: proxy(port, changes: changes, released: released))
            let store = own.configuration.websiteDataStore
            #expect(store.proxyConfigurations.map(\.simulatedEndpoint) == [.hostPort(host: "127.0.0.1", port: 8_080)])
            #expect(store.proxyConfigurations.first?.simulatedCredential?.username == "larder")
            port.withLock { $0 = 9_090 }
            change.yield(9_090)
            while store.proxyConfigurations.map(\.simulatedEndpoint) != [.hostPort(host: "127.0.0.1", port: 9_090)] {
                await Task.yield()
            }
            let view = own.makeView()
            #expect(WebViewInstallation.of(view.configuration) === gone)
        }
        while gone != nil { await Task.yield() }
        // The task that follows the port lets go last.
        while released.withLock({ $0 }) == 0 { await Task.yield() }
        #expect(released.withLock { $0 } == 1)
    }

    @Test("a page that does not come through the proxy is loaded past it; if it comes, the proxy stays off, else not")
    func fallback() throws {
        for comes in [true, false] {
            let own = WebViewBench()
            let installation = own.install(.proxy, proxy: proxy(LockedBox(8_080)))
            let store = own.configuration.websiteDataStore
            let view = own.makeView()
            let app = AppDelegate(["start", "failProvisional", "commit"])
            view.navigationDelegate = app
            let request = URLRequest(url: try #require(URL(string: "https://shop.test/")))
            installation.load(request, in: view)
            let delegate = try #require(view.navigationDelegate)
            #expect(own.decide(view, "https://shop.test/") == [.allow])
            delegate.webView(view, didStartProvisionalNavigation: nil)
            delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(.secureConnectionFailed))
            #expect(view.told == [.load(request), .load(request)] && store.proxyConfigurations.isEmpty)
            #expect(own.decide(view, "https://shop.test/") == [.allow])
            delegate.webView(view, didStartProvisionalNavigation: nil)
            if comes {
                delegate.webView(view, didCommit: nil)
                #expect(installation.mode.name == .navigation && installation.mode.reason != nil)
                #expect(app.calls == ["start", "commit"] && own.events == ["mode navigation"])
                #expect(store.proxyConfigurations.isEmpty)
            } else {
                delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(.cannotFindHost))
                #expect(app.calls == ["start", "failProvisional"] && own.events == [])
                #expect(installation.mode.name == .proxy && store.proxyConfigurations.count == 1)
            }
        }
    }

    @Test("our certificate is ours to judge, every other question the app's, and the system's where it has no method")
    func challenges() throws {
        let installation = bench.install(.proxy, proxy: proxy(LockedBox(1)))
        let view = bench.makeView()
        let app = AppDelegate(["challenge"])
        view.navigationDelegate = app
        installation.attach(to: view)
        func ask(_ host: String) -> [URLSession.AuthChallengeDisposition] {
            let space = URLProtectionSpace(
                simulating: host, method: NSURLAuthenticationMethodServerTrust, trust: SecTrust(simulating: []))
            let answers = LockedBox<[URLSession.AuthChallengeDisposition]>([])
            view.navigationDelegate?.webView(view, didReceive: URLAuthenticationChallenge(simulating: space)) {
                disposition, _ in answers.withLock { $0.append(disposition) }
            }
            return answers.withLock { $0 }
        }
        #expect(ask("shop.test") == [.useCredential] && app.calls == [])
        #expect(ask("other.test") == [.cancelAuthenticationChallenge] && app.calls == ["challenge"])
        app.simulatedMethods = []
        #expect(ask("other.test") == [.performDefaultHandling])
    }

    @Test("the password of the proxy is ours to give, again if another was refused, and no app is asked for it")
    func proxyPassword() throws {
        let installation = bench.install(.proxy, proxy: proxy(LockedBox(1)))
        let view = bench.makeView()
        let app = AppDelegate(["challenge"])
        view.navigationDelegate = app
        installation.attach(to: view)
        func ask(_ host: String, isProxy: Bool = true, failures: Int = 0) -> String? {
            let space = URLProtectionSpace(
                simulating: host, method: NSURLAuthenticationMethodHTTPBasic, trust: nil, isProxy: isProxy)
            let answer = LockedBox<String?>(nil)
            let challenge = URLAuthenticationChallenge(simulating: space, previousFailureCount: failures)
            view.navigationDelegate?.webView(view, didReceive: challenge) { _, credential in
                answer.withLock { $0 = credential.map { "\($0.user ?? "") \($0.password ?? "")" } }
            }
            return answer.withLock { $0 }
        }
        #expect(ask("127.0.0.1") == "larder secret" && ask("127.0.0.1", failures: 1) == "larder secret")
        #expect(ask("127.0.0.1", failures: 2) == nil && app.calls == [])
        #expect(ask("127.0.0.1", isProxy: false) == nil && app.calls == ["challenge"])
        #expect(ask("proxy.test") == nil && app.calls == ["challenge", "challenge"])
    }

    @Test("a data store's proxy is set once: each change ends the loads of all its web views")
    func proxyOfStore() throws {
        let port = LockedBox(8_080)
        let installation = bench.install(.proxy, proxy: proxy(port))
        let store = bench.configuration.websiteDataStore
        #expect(store.simulatedProxyChanges == 1)
        // Another tab.
        let other = WKWebViewConfiguration()
        other.websiteDataStore = store
        let second = WebViewInstallation.install(
            in: other, mode: .proxy, proxy: proxy(port), cache: bench.cache, context: { ExchangeContext() })
        #expect(store.simulatedProxyChanges == 1)
        let view = bench.makeView()
        installation.attach(to: view)
        let delegate = try #require(view.navigationDelegate)
        let url = try #require(URL(string: "https://shop.test/"))
        func load(_ failure: URLError.Code?) {
            installation.load(URLRequest(url: url), in: view)
            #expect(bench.decide(view, url.absoluteString) == [.allow])
            delegate.webView(view, didStartProvisionalNavigation: nil)
            if let failure { delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(failure)) }
        }
        for code in [URLError.cancelled, .notConnectedToInternet] { load(code) }
        #expect(store.simulatedProxyChanges == 1)
        // Past the proxy, and through it again once the page is whole; another place of it is no other page.
        load(.timedOut)
        #expect(store.proxyConfigurations.isEmpty && store.simulatedProxyChanges == 2)
        #expect(bench.decide(view, url.absoluteString) == [.allow])
        delegate.webView(view, didStartProvisionalNavigation: nil)
        view.simulate(url: url, title: nil, isLoading: true, progress: 0.5)
        delegate.webView(view, didCommit: nil)
        #expect(bench.decide(view, url.absoluteString + "#home") == [.allow])
        #expect(store.simulatedProxyChanges == 2)
        delegate.webView(view, didFinish: nil)
        #expect(store.proxyConfigurations.count == 1 && store.simulatedProxyChanges == 3)
        // Once one was at fault, no other view's installation sets it again.
        installation.giveUpProxy("at fault")
        second.useProxy()
        let third = WKWebViewConfiguration()
        third.websiteDataStore = store
        let late = WebViewInstallation.install(
            in: third, mode: .proxy, proxy: proxy(port), cache: bench.cache, context: { ExchangeContext() })
        #expect(late.mode.name == .navigation && late.mode.reason == "at fault")
        #expect(store.proxyConfigurations.isEmpty && store.simulatedProxyChanges == 4)
    }

    @Test("a proxy is not set while a page of another view loads past it; a view that is gone, or fails, ends that")
    func bypassed() async throws {
        let port = LockedBox(8_080)
        let installation = bench.install(.proxy, proxy: proxy(port))
        let store = bench.configuration.websiteDataStore
        let url = try #require(URL(string: "https://shop.test/"))
        func passes() throws -> WKWebView {
            let view = bench.makeView()
            installation.attach(to: view)
            installation.load(URLRequest(url: url), in: view)
            #expect(bench.decide(view, url.absoluteString) == [.allow])
            let delegate = try #require(view.navigationDelegate)
            delegate.webView(view, didStartProvisionalNavigation: nil)
            delegate.webView(view, didFailProvisionalNavigation: nil, withError: URLError(.timedOut))
            return view
        }
        let first = try passes()
        var second: WKWebView? = try passes()
        #expect(store.proxyConfigurations.isEmpty)
        // The listener was mended elsewhere meanwhile.
        port.withLock { $0 = 9_090 }
        installation.useProxy()
        #expect(store.proxyConfigurations.isEmpty)
        // It came, and broke off.
        first.simulate(url: url, title: nil, isLoading: true, progress: 0.5)
        first.navigationDelegate?.webView(first, didCommit: nil)
        first.navigationDelegate?.webView(first, didFail: nil, withError: URLError(.networkConnectionLost))
        #expect(store.proxyConfigurations.isEmpty)
        #expect(second != nil)
        second = nil
        // Before the next load of any view, so that no load is ended by it.
        #expect(bench.decide(first, url.absoluteString + "next") == [.allow])
        while store.proxyConfigurations.isEmpty { await Task.yield() }
        // One that was at fault; another Larder's was not.
        installation.giveUpProxy("at fault")
        #expect(store.proxyConfigurations.isEmpty)
        let other = WKWebViewConfiguration()
        other.websiteDataStore = store
        let late = WebViewInstallation.install(
            in: other, mode: .proxy, proxy: proxy(port, password: "other"), cache: bench.cache,
            context: { ExchangeContext() })
        #expect(late.mode.name == .proxy && store.proxyConfigurations.count == 1)
    }
}
