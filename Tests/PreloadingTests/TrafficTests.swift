import CacheRules
import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Pages come first", .timeLimit(.minutes(5)))
struct TrafficTests {
    @Test("nothing is sent ahead while a page uses the network, and for a moment after it")
    func heldBack() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        bench.on("/page") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body) }
        let page = await bench.page("/page", destination: .document)
        await bench.queue.add((0..<3).map { bench.file("/\($0).js", "file \($0)") }, set: "app")
        async let summary = bench.queue.run()
        try await bench.clock.sleepers(atLeast: 3)
        #expect(bench.transport.requests.count == 1)
        body.end()
        _ = try await bench.text(page)
        // Each waits anew, for the moment of quiet.
        try await bench.clock.sleepers(atLeast: 6)
        #expect(bench.transport.requests.count == 1)
        bench.clock.advance(by: VisibleTraffic.pause)
        #expect(await summary.verified == 3)
    }

    @Test("what is being fetched ahead is not read on while a page uses the network")
    func paused() async throws {
        let bench = try PreloadBench()
        let (ahead, body) = (ScriptedBody(), ScriptedBody())
        bench.on("/a.js") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: ahead, length: 4) }
        bench.on("/page") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body) }
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await ahead.pulls(atLeast: 1)
        let page = await bench.page("/page", destination: .document)
        ahead.send("go")
        // Both contents are watched for silence, and it waits for quiet now.
        try await bench.clock.sleepers(atLeast: 3)
        ahead.send("od")
        ahead.end()
        for _ in 0..<1_000 { await Task.yield() }
        #expect(ahead.pulledBytes == 2)
        body.end()
        _ = try await bench.text(page)
        try await bench.clock.sleepers(atLeast: 4)
        bench.clock.advance(by: VisibleTraffic.pause)
        #expect(await summary.verified == 1)
    }

    @Test("one from which nothing comes for half a minute breaks off, so that a page that waits goes on by itself")
    func silent() async throws {
        let bench = try PreloadBench()
        let ahead = ScriptedBody([Array("go".utf8)], ends: false)
        bench.on("/a.js") { request in
            request.head.headerFields[.priority] == nil
                ? ScriptedTransport.answer(200, PreloadBench.fresh, body: "page")
                : ScriptedTransport.answer(200, PreloadBench.fresh, streaming: ahead, length: 4)
        }
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await ahead.pulls(atLeast: 2)
        try await bench.clock.sleepers(atLeast: 1)
        async let page = bench.text(await bench.page("/a.js"))
        while bench.cache.flights.waiting(for: CacheKey(uri: PreloadBench.base + "/a.js")) == 0 { await Task.yield() }
        bench.clock.advance(by: OriginLimits().silenceInBackground)
        #expect(try await page == "page")
        #expect(await summary.waiting == [.truncated: 1])
    }

    @Test("what a page waits for goes on, whatever else the page loads")
    func promoted() async throws {
        let bench = try PreloadBench()
        let (ahead, body) = (ScriptedBody(), ScriptedBody())
        bench.on("/a.js") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: ahead, length: 4) }
        bench.on("/page") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body) }
        let page = await bench.page("/page", destination: .document)
        await bench.queue.add([PreloadBench.item("/a.js", "good", group: .lazy)], set: "app")
        async let summary = bench.queue.run()
        try await bench.clock.sleepers(atLeast: 2)
        #expect(bench.transport.requests.count == 1)
        async let script = bench.text(await bench.page("/a.js"))
        try await bench.transport.requests(atLeast: 2)
        #expect(!bench.cache.traffic.isQuiet)
        ahead.send("good")
        ahead.end()
        #expect(try await script == "good")
        body.end()
        _ = try await bench.text(page)
        #expect(await summary.verified == 1)
        bench.clock.advance(by: VisibleTraffic.pause)
        #expect(bench.cache.traffic.isQuiet)
    }

    @Test("a stream or a long poll holds nothing back after ten seconds")
    func longPoll() async throws {
        let bench = try PreloadBench()
        let body = ScriptedBody()
        bench.on("/poll") { _ in ScriptedTransport.answer(200, [:], streaming: body) }
        let poll = await bench.page("/poll", destination: .fetch)
        await bench.queue.add([bench.file("/a.js", "a")], set: "app")
        async let summary = bench.queue.run()
        try await bench.clock.sleepers(atLeast: 2)
        bench.clock.advance(by: VisibleTraffic.longest)
        #expect(await summary.verified == 1)
        body.end()
        _ = try await bench.text(poll)
    }

    @Test("a page that fails or is given up holds nothing back", arguments: [true, false])
    func ended(_ fails: Bool) async throws {
        let bench = try PreloadBench()
        if fails {
            bench.on("/page") { _ in throw TransportError(code: .connectionFailed, message: "The test says so.") }
        } else {
            bench.on("/page") { _ in
                ScriptedTransport.answer(200, [.cacheControl: "no-store"], streaming: ScriptedBody())
            }
        }
        let page = await bench.page("/page", destination: .document)
        page.body.makeSource().cancel()
        bench.clock.advance(by: VisibleTraffic.pause)
        #expect(bench.cache.traffic.isQuiet)
    }

    @Test("a preload that is stopped while it gives way ends at once")
    func stopped() async throws {
        let bench = try PreloadBench()
        let (ahead, body) = (ScriptedBody(), ScriptedBody())
        bench.on("/a.js") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: ahead, length: 4) }
        bench.on("/page") { _ in ScriptedTransport.answer(200, PreloadBench.fresh, streaming: body) }
        await bench.queue.add([PreloadBench.item("/a.js", "good")], set: "app")
        async let summary = bench.queue.run()
        try await ahead.pulls(atLeast: 1)
        let page = await bench.page("/page", destination: .document)
        ahead.send("go")
        try await bench.clock.sleepers(atLeast: 2)
        await bench.queue.cancel(set: "app")
        #expect(await summary.items == 0)
        #expect(ahead.isCancelled)
        page.body.makeSource().cancel()
    }
}
