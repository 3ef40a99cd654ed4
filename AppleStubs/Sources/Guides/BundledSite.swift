// The lines of docs/guides/bundled-site.md.
import LarderKit
import WebKit

@MainActor
final class BundledSite {
    static let host = "app.shop.example"
    static let start = URL(string: "https://app.shop.example/")!
    let larder: Larder

    private init(_ larder: Larder) { self.larder = larder }

    static func open() async throws -> BundledSite {
        var settings = try LarderConfiguration.forApp(named: "site")
        settings.rules = RuleList {
            RuleList.webViewSafeguards
            Rule("bundled", .cacheFirst, when: .all(.host(host), .not(.pathPrefix("/api/"))))
            RuleList.webViewDefaults
        }
        if let seed = Bundle.main.path(forResource: "Shop", ofType: "seed") {
            do { try await fill(settings, from: seed) } catch { print("the seed was not used: \(error)") }
        }
        return BundledSite(try Larder(settings))
    }

    /// Before the Larder is opened. What is there already is not copied again.
    private nonisolated static func fill(_ settings: LarderConfiguration, from path: String) async throws {
        let store = try DiskResponseStore(directory: settings.directory.path, budget: settings.budget)
        let cache = ResponseCache(
            store: store, transport: URLSessionOriginTransport(),
            configuration: EngineConfiguration(rules: settings.rules))
        let summary = try await SeedFilling(try Seed(path: path), cache: cache).run()
        for failure in summary.failures { print("not stored: \(failure.url): \(failure.refusal)") }
    }

    func show(in configuration: WKWebViewConfiguration) async -> WKWebView {
        await larder.install(in: configuration, through: .appScheme(hosts: [Self.host]))
        let webView = WKWebView(frame: .zero, configuration: configuration)
        larder.load(Self.start, in: webView)
        return webView
    }

    func update(key: String, nextKey: String) async throws -> Bool {
        let head = Self.start.appendingPathComponent("larder/head.json")
        var manifest = LarderManifest(url: head, id: "shop", keys: [key, nextKey], base: Self.start)
        manifest.minimumSerial = 412  // of the manifest that the seed was built with
        return try await larder.preload(manifest: manifest).isReady
    }
}
