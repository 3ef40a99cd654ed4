import CacheRules
import CacheTesting
import HTTPTypes
import Testing

@testable import CacheEngine

/// The rules of docs/guides/moving.md, in the words of older caches.
@Suite("Terms of other caches, as rules")
struct MovedTermsTests {
    private static let rules = RuleList {
        RuleList.webViewSafeguards
        Rule("validated-after-5-minutes", .fresh(for: .seconds(300)), when: .pathPrefix("/news/"))
        Rule("from-the-cache", .cacheFirst, when: .pathPrefix("/game/"))
        Rule("for-good", .permanent, when: .path("/fonts/**", "/media/**"))
        Rule("live-first", .networkFirst(timeout: .seconds(3)), when: .path("/", "/cart/**"))
        Rule("never", .neverStore, when: .pathPrefix("/account/"))
        Rule("a-day-if-unstated", .fresh(for: .seconds(86_400)), when: .freshness(.unstated))
        RuleList.webViewDefaults
    }

    @Test(
        "when the server is asked again, and what a page gets without one",
        arguments: [
            // setValidateTime(300)
            ("/news/a", [:], 299, false, true), ("/news/a", [.cacheControl: "max-age=9999"], 301, true, true),
            // Forced prefixes, cache-first: at any age.
            ("/game/a.js", [.cacheControl: "no-cache"], 86_400 * 365, false, true),
            // Permanent paths.
            ("/fonts/a.woff2", [.cacheControl: "max-age=1"], 86_400 * 365, false, true),
            // Reload while there is a network, old without one.
            ("/cart/list", [.cacheControl: "max-age=9999"], 1, true, true), ("/", [:], 1, true, true),
            // Excluded paths.
            ("/account/me", [.cacheControl: "max-age=9999"], 1, true, false),
            // A default lifetime for what states none; what states one keeps it.
            ("/other", [:], 86_399, false, true), ("/other", [:], 86_401, true, true),
            ("/other", [.cacheControl: "max-age=60"], 61, true, true),
        ] as [(String, HTTPFields, Int, Bool, Bool)])
    func terms(
        _ path: String, _ fields: HTTPFields, _ seconds: Int, _ isAsked: Bool, _ isThereOffline: Bool
    ) async throws {
        let bench = try Bench(rules: Self.rules)
        bench.answer(path, 200, fields, body: "page")
        _ = try await bench.text(path)
        await bench.cache.waitForBackgroundWork()
        bench.clock.advance(by: .seconds(seconds))
        _ = try await bench.text(path)
        await bench.cache.waitForBackgroundWork()
        #expect(bench.transport.requests.count == (isAsked ? 2 : 1))
        bench.clock.advance(by: .seconds(seconds))
        let offline = try await bench.text(path, context: Bench.disconnected)
        #expect(offline.response.cacheStatus.isHit == isThereOffline && (offline.text == "page") == isThereOffline)
    }
}
