import AppleFoundation
import CacheEngine
import CacheTesting
import LarderHTTPSSchemeOnApple
import Testing
import WebKit

@testable import WKWebViewOnApple

@Suite("Hidden pages, a pool, and the opt-in for https", .serialized, .timeLimit(.minutes(10)))
@MainActor
struct HiddenPageTests {
    private let bench = WebViewBench()

    /// The web view in a container, once it is there.
    private func view(in container: PlatformView) async -> WKWebView {
        while true {
            if let view = container.subviews.first?.subviews.first as? WKWebView { return view }
            await Task.yield()
        }
    }

    private func begin(in container: PlatformView) throws -> HiddenPageLoad {
        let request = URLRequest(url: try #require(URL(string: "https://shop.test/")))
        return HiddenPageLoad(request, bench.configuration, in: container, clock: bench.clock.engineClock) {
            $0.contains("/basket/add")
        }
    }

    @Test(
        "a marked page is not loaded, and other apps and windows are not opened",
        arguments: [WebViewMode.navigation, .appScheme(hosts: ["shop.test"])])
    func marked(_ mode: WebViewMode) async throws {
        bench.install(mode)
        let scheme = mode.name == .appScheme ? "app-cache-https" : "https"
        for (address, isMain, isAllowed, ends) in [
            ("\(scheme)://shop.test/", true, true, false), ("\(scheme)://shop.test/basket/add?1", true, false, true),
            ("\(scheme)://shop.test/basket/add", false, false, false),
            ("\(scheme)://shop.test/frame", false, true, false),
            ("tel:1", true, false, false),
            ("data:text/html,x", true, false, false), ("about:blank", false, true, false),
        ] {
            let container = PlatformView(frame: .zero)
            let load = try begin(in: container)
            let view = await view(in: container)
            let request = URLRequest(url: try #require(URL(string: address)))
            let frame = WKFrameInfo(simulating: request, isMainFrame: isMain, in: view)
            let action = WKNavigationAction(simulating: request, .other, from: frame, to: frame)
            let policy = await withCheckedContinuation { continuation in
                view.navigationDelegate?.webView(
                    view, decidePolicyFor: action, preferences: WKWebpagePreferences()
                ) { policy, _ in continuation.resume(returning: policy) }
            }
            #expect((policy == .allow) == isAllowed, "\(address)")
            if !ends { load.cancel() }
            #expect(await load.outcome == (ends ? .refused : .cancelled), "\(address)")
        }
    }

    @Test("a page that has loaded gets its time to settle, and is removed")
    func loaded() async throws {
        bench.install(.navigation)
        let container = PlatformView(frame: .zero)
        let load = try begin(in: container)
        let view = await view(in: container)
        #expect(view.told.count == 1)
        view.navigationDelegate?.webView(view, didFinish: nil)
        // Not the look at what the page shows, and not the limit.
        try await bench.clock.sleeper(of: .seconds(2))
        bench.clock.advance(by: .seconds(2))
        #expect(await load.outcome == .loaded && container.subviews.isEmpty && view.told.last == .stop)
    }

    @Test("a failure, a process that ends, and the limit are told as such")
    func ends() async throws {
        let container = PlatformView(frame: .zero)
        for number in 0..<3 {
            let load = try begin(in: container)
            let view = await view(in: container)
            switch number {
            case 0:
                view.navigationDelegate?.webView(
                    view, didFailProvisionalNavigation: nil, withError: URLError(.cannotFindHost))
            case 1: view.navigationDelegate?.webViewWebContentProcessDidTerminate(view)
            default:
                try await bench.clock.sleeper(of: .seconds(30))
                bench.clock.advance(by: .seconds(30))
            }
            switch (number, await load.outcome) {
            case (0, .failed(NSURLErrorDomain, NSURLErrorCannotFindHost, _)), (1, .processEnded), (2, .timedOut): break
            case (_, let outcome): Issue.record("\(number): \(outcome)")
            }
            #expect(container.subviews.isEmpty)
        }
    }

    @Test("one page at a time; a load that is cancelled before its turn ends at once")
    func turns() async throws {
        let (container, other) = (PlatformView(frame: .zero), PlatformView(frame: .zero))
        let first = try begin(in: container)
        let (second, third) = (try begin(in: other), try begin(in: container))
        let view = await view(in: container)
        second.cancel()
        #expect(await second.outcome == .cancelled)
        #expect(container.subviews.count == 1 && other.subviews.isEmpty)
        first.cancel()
        #expect(await first.outcome == .cancelled)
        let next = await self.view(in: container)
        #expect(next !== view && container.subviews.count == 1)
        third.cancel()
        #expect(await third.outcome == .cancelled && container.subviews.isEmpty)
    }

    @Test("a cancelled load, and one whose container goes, end at once and keep no view")
    func cancelled() async throws {
        for goes in [true, false] {
            var container: PlatformView? = PlatformView(frame: .zero)
            let load = try begin(in: try #require(container))
            weak var view: WKWebView?
            if let container { view = await self.view(in: container) }
            #expect(view != nil)
            let waiting = Task { await load.outcome }
            if goes { container = nil } else { waiting.cancel() }
            #expect(await waiting.value == .cancelled)
            while view != nil { await Task.yield() }
        }
    }

    @Test("a pool makes views ahead with their process begun, and keeps none that it gave away")
    func pool() {
        let pool = WebViewPool(bench.configuration, capacity: 1)
        pool.warmUp()
        #expect(pool.count == 1)
        weak var given: WKWebView?
        do {
            let view = pool.take()
            given = view
            #expect(view.told.count == 1 && pool.count == 0)
        }
        #expect(given == nil)
        let many = WebViewPool(bench.configuration, capacity: 99)
        many.warmUp()
        #expect(many.count == 4)
    }

    @Test("the self-test opens its page and reads what it wrote; other modes and silent pages are errors")
    func capabilities() async throws {
        let container = PlatformView(frame: .zero)
        for (text, missing) in [("script\tworks\nform\tempty", ["form"]), ("", nil)] as [(String, [String]?)] {
            let check = try CapabilityCheck(.appScheme(hosts: []), in: container, clock: bench.clock.engineClock)
            let view = await view(in: container)
            #expect(
                view.told == [
                    .load(URLRequest(url: try #require(URL(string: "app-cache-https://capabilities.larder.test/"))))
                ])
            let page = await bench.ask("app-cache-https://capabilities.larder.test/", in: view)
            #expect(page?.content.isEmpty == false)
            view.simulatedResult = { _ in .success(text) }
            view.navigationDelegate?.webView(view, didFinish: nil)
            if let missing {
                #expect(try await check.report.missing == missing)
            } else {
                await #expect(throws: WebViewError.self) { try await check.report }
            }
        }
        #expect(throws: WebViewError.self) { try CapabilityCheck(.proxy, in: container) }
    }

    @Test("https is answered only with the permission, which leaves WebKit as it was")
    func httpsScheme() async throws {
        bench.on("https://shop.test/a", [.cacheControl: "max-age=60"], body: "shop")
        let installation = bench.install(.httpsScheme(HTTPSScheme.permission))
        #expect(installation.mode == InstalledMode(.httpsScheme) && bench.configuration.faults.isEmpty)
        #expect(WKWebView.handlesURLScheme("https"))
        let view = bench.makeView()
        #expect(await bench.ask("https://shop.test/a", in: view)?.content == Data("shop".utf8))
        #expect(view.configuration.userContentController.userScripts.count == 2)
        let refused = WebViewBench()
        #expect(refused.install(.httpsScheme(HTTPSSchemePermission { _ in false })).mode.name == .navigation)
    }
}
