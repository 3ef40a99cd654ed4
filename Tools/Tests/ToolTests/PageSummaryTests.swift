import CacheEngine
import CacheTesting
import HTTPTypes
import LarderHost
import ResponseStore
import Testing
import WebVisit

@Suite("What a visit showed, in words")
struct PageSummaryTests {
    @Test("what failed is said once for each address, with how often")
    func failures() async throws {
        let log = ReportLog()
        let cache = ResponseCache(
            store: MemoryResponseStore(), transport: ScriptedTransport(),
            configuration: EngineConfiguration(observer: log))
        for path in ["/a", "/b", "/a", "/a"] {
            let head = HTTPRequest(method: .get, scheme: "https", authority: "shop.test", path: path)
            let context = ExchangeContext(connectivity: .disconnected)
            let answer = await cache.respond(to: EngineRequest(head: head, context: context))
            let source = answer.body.makeSource()
            while try await source.next() != nil {}
        }
        let text = PageSummary(VisitResult(requestedURL: "https://shop.test/"), log.take()).text()
        let failed = text.split(separator: "\n").filter { $0.contains("  failed ") }
        try #require(failed.count == 2, "\(text)")
        #expect(failed[0].contains("https://shop.test/a ") && failed[0].hasSuffix("  × 3"))
        #expect(failed[1].contains("https://shop.test/b ") && !failed[1].contains("×"))
    }
}
