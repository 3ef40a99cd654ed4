import AppleFoundation
import CacheEngine
import CacheTesting
import Fetching
import HTTPCacheSemantics
import HTTPTypes
import Locking
import ResponseStore
import Security
import Testing
import WebKit

@testable import WKWebViewOnApple

/// What WebKit, a page and an app do with a web view, in any order.
@Suite("Web views under random orders of calls", .serialized, .timeLimit(.minutes(60)))
@MainActor
struct OrderTests {
    nonisolated private static let urls = ["", "stored", "moved", "broken", "slow"].map {
        "app-cache-https://shop.test/\($0)"
    }

    /// One life of a configuration with its views.
    @MainActor
    private final class World {
        private(set) var installation: WebViewInstallation?
        private var configuration: WKWebViewConfiguration?
        private var views: [WKWebView] = []
        private var delegates: [AppDelegate] = []
        private(set) var tasks: [(view: ObjectIdentifier, task: SimulatedSchemeTask)] = []
        private(set) var faults: [String] = []
        private var asked: [(method: String, answers: WebKitCalls.Answers)] = []
        private var random: SplitMix64

        init(_ cache: ResponseCache, _ clock: ManualClock, seed: UInt64) {
            random = SplitMix64(seed: seed)
            let configuration = WKWebViewConfiguration()
            configuration.websiteDataStore = .nonPersistent()
            let proxy = WebViewProxy(
                port: { 8_080 }, user: nil, password: nil, portChanges: { AsyncStream { $0.finish() } },
                disposition: {
                    $0.protectionSpace.host == "ours.test" ? (.useCredential, nil) : (.performDefaultHandling, nil)
                })
            var options = WebViewOptions()
            options.openExternal = { _ in }
            let mode: WebViewMode =
                [.appScheme(hosts: ["shop.test"]), .proxy, .navigation].randomElement(using: &random) ?? .navigation
            installation = WebViewInstallation.install(
                in: configuration, mode: mode, proxy: proxy, cache: cache, context: { ExchangeContext() },
                clock: clock.engineClock, options: options)
            self.configuration = configuration
            views = [WKWebView(frame: .zero, configuration: configuration)]
        }

        func step() async {
            guard let view = views.randomElement(using: &random), let url = randomURL() else { return }
            switch Int.random(in: 0..<17, using: &random) {
            case 0, 1: installation?.load(URLRequest(url: url), in: view)
            case 2, 3: start(url, view)
            case 4: stop()
            case 5, 6, 7, 8, 9, 10, 11: call(view, url)
            case 12: installation?.watch(view)
            case 13:
                let app = AppDelegate(Set(AppDelegate.allMethods.filter { _ in Bool.random(using: &random) }))
                app.answersLater = Bool.random(using: &random)
                // Some stand in front of what was there.
                if Bool.random(using: &random) { app.next = view.navigationDelegate }
                delegates.append(app)
                view.navigationDelegate = app
            case 14:
                // One that goes has answered what it was asked.
                answerAll()
                if !delegates.isEmpty { delegates.removeFirst() }
            case 15:
                if views.count < 3, let configuration {
                    views.append(WKWebView(frame: .zero, configuration: configuration))
                } else {
                    close(view)
                }
            default:
                delegates.randomElement(using: &random)?.answer()
                await Task.yield()
            }
        }

        private func randomURL() -> URL? { OrderTests.urls.randomElement(using: &random).flatMap { URL(string: $0) } }

        private func start(_ url: URL, _ view: WKWebView) {
            var request = URLRequest(url: url)
            if Bool.random(using: &random) { request.httpMethod = "POST" }
            let task = SimulatedSchemeTask(request)
            tasks.append((ObjectIdentifier(view), task))
            view.configuration.urlSchemeHandler(forURLScheme: AppCacheScheme.name)?.webView(view, start: task)
        }

        private func stop() {
            guard let (id, task) = tasks.randomElement(using: &random),
                let view = views.first(where: { ObjectIdentifier($0) == id }), task.stop()
            else { return }
            view.configuration.urlSchemeHandler(forURLScheme: AppCacheScheme.name)?.webView(view, stop: task)
        }

        /// WebKit stops what a view has open before the view is gone.
        private func close(_ view: WKWebView) {
            for (id, task) in tasks where id == ObjectIdentifier(view) && task.stop() {
                view.configuration.urlSchemeHandler(forURLScheme: AppCacheScheme.name)?.webView(view, stop: task)
            }
            views.removeAll { $0 === view }
        }

        /// WebKit calls a method of the delegate: the app's has it once, if ours leaves it to the app at all.
        private func call(_ view: WKWebView, _ url: URL) {
            guard let delegate = view.navigationDelegate,
                let method = AppDelegate.allMethods.randomElement(using: &random)
            else { return }
            let app = (delegate as? NavigationForwarder)?.app as? AppDelegate
            let methods = app?.simulatedMethods ?? []
            let before = delegates.map(\.calls)
            let types: [WKNavigationType] = [.linkActivated, .formSubmitted, .reload, .other]
            let errors: [URLError.Code] = [.cancelled, .notConnectedToInternet, .timedOut]
            let answers = WebKitCalls.make(
                method, in: view, to: delegate, url: url.absoluteString,
                type: types.randomElement(using: &random) ?? .other, isMainFrame: Bool.random(using: &random),
                host: Bool.random(using: &random) ? "ours.test" : "other.test",
                error: errors.randomElement(using: &random) ?? .unknown)
            if let answers { asked.append((method, answers)) }
            for (app, calls) in zip(delegates, before)
            where Set(app.calls.dropFirst(calls.count)).count < app.calls.count - calls.count {
                faults.append("\(method): one delegate was told twice")
            }
            guard let app, let place = delegates.firstIndex(where: { $0 === app }), answers != nil else { return }
            let told = app.calls.dropFirst(before[place].count)
            let isOurs = ["preferences", "start", "failProvisional", "challenge"].contains(method)
            let isAbsent = !methods.contains(method) && !(method == "preferences" && methods.contains("action"))
            if isAbsent, method != "start", !told.isEmpty { faults.append("\(method): a missing method was called") }
            if !isAbsent, !isOurs, told.first != method { faults.append("\(method): the app was not told") }
        }

        private func answerAll() {
            // A decision may call for another one, of the delegate behind.
            for _ in 0..<20 { for app in delegates { app.answer() } }
        }

        func end() async {
            answerAll()
            for _ in 0..<100 where asked.contains(where: { $0.answers.withLock { $0 } == 0 }) { await Task.yield() }
            for (method, answers) in asked where answers.withLock({ $0 }) != 1 {
                faults.append("\(method): a handler was called \(answers.withLock { $0 }) times")
            }
            for view in views { close(view) }
            delegates = []
            (configuration, installation) = (nil, nil)
            faults += tasks.flatMap(\.task.faults)
        }
    }

    @Test("random orders: no call on a stopped task, each handler once, nothing kept once the app lets go")
    func orders() async throws {
        let (transport, clock) = (ScriptedTransport(), ManualClock())
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: transport,
            configuration: EngineConfiguration(rules: .protocolOnly, clock: clock.engineClock))
        for name in ["", "slow"] {
            transport.on("https://shop.test/\(name)") { _ in
                if name == "slow" { for _ in 0..<5 { await Task.yield() } }
                return ScriptedTransport.answer(200, [.cacheControl: "no-store"], body: "x")
            }
        }
        transport.on("https://shop.test/stored") { _ in
            ScriptedTransport.answer(200, [.cacheControl: "max-age=6000"], body: "stored")
        }
        transport.on("https://shop.test/moved") { _ in ScriptedTransport.answer(302, [.location: "/"], body: "") }
        transport.on("https://shop.test/broken") { _ in throw TransportError(code: .nameNotResolved, message: "No.") }
        for seed in 0..<RandomOrders.count {
            var world: World? = World(cache, clock, seed: seed)
            weak let installation = world?.installation
            var random = SplitMix64(seed: seed &+ 1_000_000_007)
            for _ in 0..<Int.random(in: 3...14, using: &random) { await world?.step() }
            await world?.end()
            let faults = world?.faults ?? []
            world = nil
            // What was under way holds nothing once it has ended.
            var turns = 0
            while installation != nil, turns < 10_000 {
                await Task.yield()
                turns += 1
            }
            guard faults.isEmpty, installation == nil else {
                Issue.record("seed \(seed): \(faults.prefix(3)), kept: \(installation != nil)")
                return
            }
        }
    }

    @Test(
        "random orders of cookies: the web view's store has what was set last, and scripts see none that is HttpOnly")
    func cookies() async throws {
        let clock = ManualClock()
        for seed in 0..<RandomOrders.count {
            var random = SplitMix64(seed: seed)
            let kept = WKHTTPCookieStore()
            var waiting: [@MainActor @Sendable () -> Void] = []
            if Bool.random(using: &random) {
                kept.simulatedDelay = { change in
                    waiting.append(change)
                    Task { @MainActor in if !waiting.isEmpty { waiting.removeFirst()() } }
                }
            }
            let store = WebViewCookieStore(store: kept)
            var model: [String: Cookie] = [:]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let cookie = Cookie(
                    name: ["a", "b"].randomElement(using: &random) ?? "",
                    value: "\(UInt8.random(in: 0...9, using: &random)),x=1",
                    domain: "shop.test", isHostOnly: Bool.random(using: &random),
                    path: ["/", "/p"].randomElement(using: &random) ?? "/",
                    expires: Bool.random(using: &random) ? clock.now + .seconds(1_000) : nil,
                    isSecure: Bool.random(using: &random),
                    isHTTPOnly: Bool.random(using: &random),
                    partition: Int.random(in: 0..<9, using: &random) == 0 ? "https://top.test" : nil)
                let name = "\(cookie.name) \(cookie.isHostOnly) \(cookie.path)"
                switch Int.random(in: 0..<3, using: &random) {
                case 0 where !cookie.isPartitioned:
                    await store.remove([cookie])
                    model[name] = nil
                default:
                    await store.set([cookie])
                    if !cookie.isPartitioned { model[name] = cookie }
                }
            }
            let seen = await store.cookies(for: "https://shop.test/p")
            let matches =
                seen.count == model.count
                && seen.allSatisfy { cookie in
                    model.values.contains {
                        $0.isSameCookie(as: cookie) && $0.value == cookie.value && $0.isHTTPOnly == cookie.isHTTPOnly
                            && $0.isSecure == cookie.isSecure
                    }
                }
            guard matches else {
                Issue.record("seed \(seed): \(seen.map(\.description)), not \(model.keys.sorted())")
                return
            }
        }
    }
}
