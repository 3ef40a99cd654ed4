import AppleFoundation
import CacheEngine
import CacheTesting
import HTTPTypes
import Locking
import SchemeTasks
import Testing
import ViewCare
import WebKit

@testable import WKWebViewOnApple

@Suite("Pages of iOS 26, progress, and what a request shows", .serialized, .timeLimit(.minutes(5)))
@MainActor
struct PageTests {
    private let bench = WebViewBench()

    @Test("a page's requests are answered as a web view's, piece by piece, and its redirects load anew")
    func page() async throws {
        bench.on("https://shop.test/a", [.cacheControl: "max-age=60"], body: "shop")
        bench.transport.on("https://shop.test/old") { _ in
            ScriptedTransport.answer(302, [.location: "/a"], body: "")
        }
        var configuration = WebPage.Configuration()
        let requests = await WebViewInstallation.install(
            in: &configuration, mode: .appScheme(hosts: ["shop.test"]), cache: bench.cache,
            context: { ExchangeContext() }, clock: bench.clock.engineClock)
        #expect(requests.mode.name == .appScheme && configuration.urlSchemeHandlers.count == 1)
        let page = WebPage(configuration: configuration)
        requests.attach(to: page)
        #expect(page.isInspectable == WebViewOptions().allowsInspection)
        let url = try #require(URL(string: "https://shop.test/a"))
        let request = requests.load(url)
        #expect(request.url?.absoluteString == "app-cache-https://shop.test/a")
        for _ in 0..<2 {
            var (status, content) = (0, Data())
            for try await result in requests.reply(for: request) {
                switch result {
                case .response(let response): status = (response as? HTTPURLResponse)?.statusCode ?? 0
                case .data(let data): content += data
                }
            }
            #expect(status == 200 && content == Data("shop".utf8))
        }
        #expect(bench.transport.requests.count == 1)
        var moved = request
        moved.url = URL(string: "app-cache-https://shop.test/old")
        await requests.announce(WebPage.NavigationAction(simulating: moved, isMainFrame: true))
        await #expect(throws: NSError.self) {
            for try await _ in requests.reply(for: moved) {}
        }
        while page.told.isEmpty { await Task.yield() }
        #expect(page.told.map(\.url) == [request.url])
    }

    @Test("a page opens from the store where its server fails, or gives no answer in time")
    func weakNetwork() async throws {
        let isSilent = AtomicFlag(false), hasFailed = AtomicFlag(false)
        bench.transport.on("https://shop.test/a") { [clock = bench.clock] request in
            if hasFailed.value { throw TransportError(code: .connectionFailed, message: "The test says so.") }
            if isSilent.value {
                // As transports do: they give up after the time that the engine states, or their own.
                clock.advance(by: request.timeout ?? .seconds(60))
                throw TransportError(code: .timedOut, message: "The test says so.")
            }
            return ScriptedTransport.answer(200, [.cacheControl: "max-age=1"], body: "shop")
        }
        var configuration = WebPage.Configuration()
        let requests = await WebViewInstallation.install(
            in: &configuration, mode: .appScheme(hosts: ["shop.test"]), cache: bench.cache,
            context: { ExchangeContext() }, clock: bench.clock.engineClock)
        let url = try #require(URL(string: "https://shop.test/a"))
        func content() async throws -> String {
            var content = Data()
            for try await case .data(let data) in requests.reply(for: requests.load(url)) { content += data }
            return String(decoding: content, as: UTF8.self)
        }
        #expect(try await content() == "shop")
        bench.clock.advance(by: .seconds(60))
        isSilent.value = true
        #expect(try await content() == "shop")
        hasFailed.value = true
        #expect(try await content() == "shop")
    }

    @Test("an app is told how many requests of a page went past, and what it names is left out of the scripts")
    func scripts() async throws {
        bench.install(.appScheme(hosts: ["shop.test"])) { $0.unpatched = ["shop.test": [.history, .fetch]] }
        let view = bench.makeView()
        let sources = view.configuration.userContentController.userScripts.map(\.source)
        let leftOut = "'shop.test': {__proto__: null, fetch: true, history: true}"
        #expect(sources.filter { $0.contains(leftOut) }.count == 2)
        let token = try #require(
            sources.first?.components(separatedBy: "('larder/").last?.components(separatedBy: "'").first)
        for report in ["1.2.0.0", "1.0.0.0", "0.3.0.1"] {
            _ = await bench.ask("app-cache-https://shop.test/", in: view) {
                $0.httpMethod = "POST"
                $0.setValue("larder/\(token);addresses=\(report)", forHTTPHeaderField: "Accept")
            }
        }
        #expect(bench.events == ["web view 1 past 2", "web view 1 past 3"])
        #expect(bench.transport.requests.isEmpty)
    }

    @Test("progress tells what is, and each change, until nobody reads it")
    func progress() async throws {
        let view = bench.makeView()
        var told = view.loadProgress.makeAsyncIterator()
        #expect(await told.next() == LoadProgress())
        view.simulate(
            url: URL(string: "app-cache-https://shop.test/"), title: "Shop", isLoading: true, progress: 0.5)
        #expect(
            await told.next()
                == LoadProgress(fraction: 0.5, isLoading: true, url: "https://shop.test/", title: "Shop"))
    }

    @Test("content of a request: from bytes or a stream, to its limit")
    func content() throws {
        let url = try #require(URL(string: "https://shop.test/"))
        var request = URLRequest(url: url)
        #expect(WebViewRequest(request, documentURL: "d").content(5) == [])
        request.httpBody = Data("12345".utf8)
        #expect(WebViewRequest(request, documentURL: nil).content(5) == Array("12345".utf8))
        #expect(WebViewRequest(request, documentURL: nil).content(4) == nil)
        let bytes = Data(repeating: 7, count: 200_000)
        request.httpBodyStream = InputStream(data: bytes)
        #expect(WebViewRequest(request, documentURL: nil).content(200_000) == Array(bytes))
        request.httpBodyStream = InputStream(data: bytes)
        #expect(WebViewRequest(request, documentURL: nil).content(199_999) == nil)
        #expect(WebViewRequest(request, documentURL: "d").topLevelURL == "d")
    }
}
