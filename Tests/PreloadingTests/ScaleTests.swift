import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import Preloading

@Suite("As many as a list may have", .timeLimit(.minutes(20)))
struct ScaleTests {
    @Test("50,000 of a host that asks for patience wait after its first answers")
    func many() async throws {
        let bench = try PreloadBench()
        let items = (0..<PreloadList.mostItems).map { PreloadBench.item("/\($0)", nil) }
        bench.on("/0") { _ in ScriptedTransport.answer(503, [.retryAfter: "10"]) }
        for number in 1..<10 { bench.on("/\(number)") { _ in ScriptedTransport.answer(503, [.retryAfter: "10"]) } }
        let summary = await bench.preload(items)
        #expect(summary.waiting == [.retryAfter: items.count])
        // Those that were under way when the first answer came.
        #expect(bench.transport.requests.count <= 6)
    }
}
