import CacheEngine
import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

/// A caller that asks about a URL from outside does not know which fields the view sends.
@Suite("Questions without the view's fields are about the variants that the view has stored", .timeLimit(.minutes(5)))
struct VariantChoiceTests {
    private static let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/a")

    /// A page in two codings, as two views asked for it.
    private func bench() async throws -> Bench {
        let bench = try Bench(rules: .webViewDefaults)
        origin(of: bench, "old")
        try await bench.fill("/a", [.acceptEncoding: "gzip, deflate, br", .userAgent: "view"])
        try await bench.fill("/a", [.acceptEncoding: "gzip", .userAgent: "view"])
        return bench
    }

    private func origin(of bench: Bench, _ text: String) {
        bench.transport.on(Bench.base + "/a") { request in
            let coding = request.head.headerFields[.acceptEncoding] ?? "none"
            return ScriptedTransport.answer(
                200, [.contentType: "text/html", .cacheControl: "max-age=600", .vary: "Accept-Encoding"],
                body: "\(text) for \(coding)")
        }
    }

    @Test("explaining takes missing fields from the stored response, and given ones as they are")
    func explained() async throws {
        let bench = try await bench()
        #expect(await bench.cache.explain(EngineRequest(head: Self.head)).answer == .stored)
        var other = Self.head
        other.headerFields[.acceptEncoding] = "identity"
        #expect(await bench.cache.explain(EngineRequest(head: other)).answer == .forwarded)
        other.headerFields = [.acceptLanguage: "de"]
        #expect(await bench.cache.explain(EngineRequest(head: other)).answer == .stored)
    }

    @Test("a page that opens in the view without a network is available offline")
    func available() async throws {
        let bench = try await bench()
        var request = EngineRequest(head: Self.head)
        request.context.connectivity = .disconnected
        #expect(await bench.cache.storedAnswer(toVariantsOf: request) != nil)
        request.head.headerFields[.acceptEncoding] = "identity"
        #expect(await bench.cache.storedAnswer(toVariantsOf: request) == nil)
    }
}
