import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine

@Suite("Why nothing is stored is remembered", .timeLimit(.minutes(5)))
struct PastEventTests {
    private func said(_ bench: Bench, _ path: String) async -> (failure: String, steps: String) {
        let context = ExchangeContext(connectivity: .disconnected)
        let failure = await bench.send(path, context: context).failure?.description ?? ""
        let explanation = await bench.cache.explain(
            EngineRequest(
                head: HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: path)))
        return (failure, explanation.steps.filter { $0.title == "Last time" }.map(\.finding).joined())
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var fields: HTTPFields
        var words: String
        var testDescription: String { words }
    }

    @Test(
        "a response that is not to be stored",
        arguments: [
            Row(fields: [.cacheControl: "no-store"], words: "'Cache-Control: no-store' forbids storing it"),
            Row(fields: [.vary: "*"], words: "'Vary: *' forbids storing it"),
        ], Bench.StoreKind.allCases)
    func notStored(_ row: Row, _ kind: Bench.StoreKind) async throws {
        let bench = try Bench(kind, rules: .webViewDefaults)
        bench.answer("/a", 200, row.fields, body: "a")
        for _ in 0..<2 { _ = try await bench.text("/a") }
        await bench.cache.waitForBackgroundWork()
        let (failure, steps) = await said(bench, "/a")
        #expect(
            failure.hasSuffix("is stored. It came and was not stored: \(row.words); " + tail(row.words)), "\(failure)")
        #expect(steps.contains("ago: It came and was not stored: \(row.words)"), "\(steps)")
        let (other, nothing) = await said(bench, "/b")
        #expect(other.hasSuffix("is stored.") && nothing.isEmpty)
        // A removal leaves no trace.
        try await bench.cache.remove(EntrySelection(host: "example.com"))
        #expect(await said(bench, "/a").failure.hasSuffix("is stored."))
        // A response that comes after it is noted again.
        _ = try await bench.text("/a")
        await bench.cache.waitForBackgroundWork()
        #expect(await said(bench, "/a").failure.contains("It came and was not stored"))
    }

    private func tail(_ words: String) -> String {
        words.hasPrefix("'Vary")
            ? "name the request fields that it depends on, or leave Vary out."
            : "answer with 'no-cache' in its place, or give it a rule with \"ignoring\": [\"no-store\"]."
    }

    @Test("a response that a request, a server, a rule or the want of room has removed")
    func removed() async throws {
        let bench = try Bench(.disk, rules: .webViewDefaults)
        for path in ["/a", "/b", "/c"] {
            bench.answer(path, 200, [.cacheControl: "max-age=60"], body: path)
            try await bench.fill(path)
        }
        bench.answer("/clear", 200, [HTTPField.Name("Clear-Site-Data") ?? .date: "\"cache\""], body: "x")
        _ = try await bench.text("/a", method: .post)
        #expect(await said(bench, "/a").failure.contains("a request of a page changed it"))
        _ = try await bench.text("/clear")
        await bench.cache.waitForCommits()
        for path in ["/b", "/c"] { #expect(await said(bench, path).steps.contains("Clear-Site-Data")) }
        try await bench.fill("/c")
        #expect(await said(bench, "/c").steps.isEmpty)
    }
}
