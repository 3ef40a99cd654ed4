// The lines of docs/guides/bundled-site.md.
import CacheRules
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
        let site = BundledSite(try Larder(settings))
        if let seed = Bundle.main.url(forResource: "Shop", withExtension: "seed") {
            do {
                let summary = try await site.larder.preload(seed: seed)
                for failure in summary.failures { print("not stored: \(failure.url): \(failure.refusal)") }
            } catch { print("the seed was not used: \(error)") }
        }
        return site
    }

    func show(in configuration: WKWebViewConfiguration, frame: CGRect) async -> WKWebView {
        await larder.install(in: configuration, through: .appScheme(hosts: [Self.host]))
        let webView = WKWebView(frame: frame, configuration: configuration)
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
