import CacheEngine
import CacheRules
import CacheTesting
import HTTPTypes
import Testing

@Suite("Endless streams are not stored for web views", .timeLimit(.minutes(5)))
struct EventStreamTests {
    @Test(
        "neither stored nor replayed, and explained",
        arguments: ["text/event-stream", "Text/Event-Stream;charset=utf-8", "multipart/x-mixed-replace; boundary=a"])
    func streams(_ type: String) async throws {
        let bench = try Bench(rules: .webViewDefaults)
        bench.answer("/live", 200, [.contentType: type, .cacheControl: "max-age=600"], body: "data: 1\n\n")
        let (response, _) = try await bench.text("/live")
        await bench.cache.waitForBackgroundWork()
        #expect(!response.cacheStatus.isStored && response.cacheStatus.detail == "event-stream")
        #expect(try await bench.store.entries(for: bench.key("/live")).isEmpty)
        #expect(await bench.send("/live", context: Bench.disconnected).failure?.code == .disconnected)
    }

    @Test("a stream that an earlier version stored is removed, and until then not replayed without a network")
    func earlier() async throws {
        let bench = try Bench(rules: .protocolOnly)
        bench.answer(
            "/live", 200, [.contentType: "text/event-stream", .cacheControl: "max-age=600"], body: "data: 1\n\n")
        try await bench.fill("/live")
        let views = ResponseCache(
            store: bench.store, transport: bench.transport,
            configuration: .init(rules: .webViewDefaults, clock: bench.clock.engineClock))
        let head = HTTPRequest(method: .get, scheme: "https", authority: "example.com", path: "/live")
        let explanation = await views.explain(EngineRequest(head: head))
        #expect(explanation.steps.contains { $0.finding.contains("'event-stream'") })
        let offline = await views.respond(to: EngineRequest(head: head, context: Bench.disconnected))
        #expect(offline.failure?.code == .disconnected)
        bench.cache.rules = .webViewDefaults
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.store.entries(for: bench.key("/live")).isEmpty)
    }

    @Test("explaining a stream's URL says that a rule forbids storing it, once it came, and which request is kept out")
    func explained() async throws {
        let bench = try Bench(rules: .webViewDefaults)
        func findings(_ fields: HTTPFields) async -> [String] {
            let head = HTTPRequest(
                method: .get, scheme: "https", authority: "example.com", path: "/live", headerFields: fields)
            return await bench.cache.explain(EngineRequest(head: head)).steps.map(\.finding)
        }
        bench.answer("/live", 200, [.contentType: "text/event-stream"], body: "data: 1\n\n")
        #expect(await !findings([:]).contains { $0.contains("forbids storing") })
        _ = try await bench.text("/live")
        await bench.cache.waitForBackgroundWork()
        #expect(await findings([:]).contains { $0.contains("The rule 'event-stream' forbids storing it") })
        #expect(await findings([.accept: "text/event-stream"]).contains { $0.contains("'event-stream-request'") })
    }
}
