import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("A page asks for what is being fetched ahead", .timeLimit(.minutes(5)))
struct SharingTests {
    /// Answers a preload from a body of the test's, and a page at once.
    private static func origin(_ bench: PreloadBench, _ body: ScriptedBody, length: Int64?, page: String) {
        bench.on("/a.js") { request in
            request.head.headerFields[.priority] == nil
                ? ScriptedTransport.answer(200, PreloadBench.fresh, body: page)
                : ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body, length: length)
        }
    }

    /// Pages that have asked, once all of them wait.
    private static func pages(_ bench: PreloadBench, _ count: Int) async -> [Task<(EngineResponse, String), any Error>]
    {
        (0..<count).map { _ in
            Task {
                let response = await bench.page("/a.js")
                return (response, try await bench.text(response))
            }
        }
    }

    private static func waiting(_ bench: PreloadBench, _ count: Int) async {
        while bench.cache.flights.waiting(for: CacheKey(uri: PreloadBench.base + "/a.js")) < count {
            await Task.yield()
        }
    }

    @Test("it waits for it, and gets verified bytes; the origin is asked once", arguments: [1, 10])
    func verified(_ count: Int) async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        Self.origin(bench, body, length: 4, page: "page")
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await bench.transport.requests(atLeast: 1)
        body.send("go")
        try await body.pulled(atLeast: 2)
        let pages = await Self.pages(bench, count)
        await Self.waiting(bench, count)
        body.send("od")
        body.end()
        #expect(await summary.verified == 1)
        for page in pages {
            let (response, text) = try await page.value
            #expect(text == "good" && response.cacheStatus.isHit)
        }
        #expect(bench.transport.requests.count == 1)
    }

    @Test("where the content is another one, none of ten sees a byte of it; they share the network's own answer")
    func mismatch() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        Self.origin(bench, body, length: 4, page: "page")
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await bench.transport.requests(atLeast: 1)
        body.send("ev")
        try await body.pulled(atLeast: 2)
        let pages = await Self.pages(bench, 10)
        await Self.waiting(bench, 10)
        body.send("il")
        body.end()
        #expect(await summary.refused == [.hashMismatch: 1])
        for page in pages { #expect(try await page.value.1 == "page") }
        #expect(bench.transport.requests.count == 2)
        #expect(try await bench.text(await bench.page("/a.js")) == "page")
    }

    @Test("where it breaks off, the page gets the network's own answer, and no beginning of the other")
    func brokenOff() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        bench.on("/a.js") { request in
            if request.head.headerFields[.priority] == nil {
                #expect(request.head.headerFields[.range] == nil)
                return ScriptedTransport.answer(200, PreloadBench.fresh, body: "page")
            }
            return ScriptedTransport.answer(
                200, [.eTag: "\"1\"", .cacheControl: "max-age=60"], streaming: body, length: 4)
        }
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await bench.transport.requests(atLeast: 1)
        body.send("go")
        try await body.pulled(atLeast: 2)
        let pages = await Self.pages(bench, 1)
        await Self.waiting(bench, 1)
        body.end(throwing: TransportError(code: .closedEarly, message: "The test says so."))
        #expect(await summary.waiting == [.truncated: 1])
        #expect(try await pages[0].value.1 == "page")
        // What the page stored is not what is expected, and what is expected is still to come. A page has its last byte
        // before it is stored.
        await bench.cache.waitForBackgroundWork()
        #expect(try await bench.uris().count == 2)
    }

    @Test("a page that reloads does not wait, and its newer answer stays")
    func reload() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        Self.origin(bench, body, length: 4, page: "page")
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await bench.transport.requests(atLeast: 1)
        bench.clock.advance(by: .seconds(1))
        let answer = await bench.page("/a.js", PreloadBench.pageFields { $0[.cacheControl] = "no-cache" })
        #expect(try await bench.text(answer) == "page")
        body.send("good")
        body.end()
        // When the page's traffic counts as over is not for the test to know.
        let time = Task {
            for _ in 0..<100 where !Task.isCancelled {
                bench.clock.advance(by: .milliseconds(300))
                await Task.yield()
            }
        }
        _ = await summary
        time.cancel()
        // Nobody can say which of the two is newer, so the next page asks.
        let next = await bench.page("/a.js")
        #expect(try await bench.text(next) == "page")
    }

    @Test("a page that was first is waited for, and what it got is verified without another request")
    func pageFirst() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        bench.on("/a.js") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body, length: 4) }
        async let page = bench.text(await bench.page("/a.js"))
        try await bench.transport.requests(atLeast: 1)
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        while bench.cache.flights.landingWaiters(for: CacheKey(uri: PreloadBench.base + "/a.js")) == 0 {
            await Task.yield()
        }
        body.send("good")
        body.end()
        #expect(try await page == "good")
        #expect(await summary.verified == 1)
        #expect(bench.transport.requests.count == 1)
    }
}
