// The lines of docs/guides/moving.md.
import CacheRules
import LarderKit
import WebKit

func sessions(larder: Larder) -> URLSession {
    let configuration = URLSessionConfiguration.default
    larder.register(in: configuration)
    return URLSession(configuration: configuration)
}

func aheadOfNeed(larder: Larder, product: URL) async throws {
    let page = product.appendingPathComponent("preload.html")
    try await larder.preload(linksOf: page)  // a page of <link rel=preload>, nothing else
    larder.willProbablyOpen(product)
}

@MainActor
func rendered(
    larder: Larder, product: URL, configuration: WKWebViewConfiguration, container: PlatformView
) async -> HiddenPageLoad.Outcome {
    let outcome = await larder.preload(rendering: product, with: configuration, in: container).outcome
    return outcome
}

func packages(larder: Larder, key: String) async throws {
    let head = URL(string: "https://shop.example/larder/head.json")!
    let outcome = try await larder.preload(manifest: LarderManifest(url: head, id: "shop", keys: [key]))
    print(outcome.isReady)
}

func shipped(larder: Larder, script: Data) async throws {
    let url = URL(string: "https://shop.example/app.4f2c91d0.js")!
    try await larder.store(
        script, for: url, fields: [.contentType: "text/javascript", .cacheControl: "max-age=31536000, immutable"])
}

func termsOfOtherCaches(larder: Larder) {
    let rules = RuleList {
        RuleList.webViewSafeguards
        Rule("validated-after-5-minutes", .fresh(for: .seconds(300)), when: .pathPrefix("/news/"))
        Rule("from-the-cache", .cacheFirst, when: .pathPrefix("/game/"))
        Rule("for-good", .permanent, when: .path("/fonts/**", "/media/**"))
        Rule("live-first", .networkFirst(timeout: .seconds(3)), when: .path("/", "/cart/**"))
        Rule("never", .neverStore, when: .pathPrefix("/account/"))
        Rule("a-day-if-unstated", .fresh(for: .seconds(86_400)), when: .freshness(.unstated))
        RuleList.webViewDefaults
    }
    larder.rules = rules
}
