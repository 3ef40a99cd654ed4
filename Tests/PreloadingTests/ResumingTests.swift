import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("What is interrupted ends as if it had not been", .timeLimit(.minutes(5)))
struct ResumingTests {
    private static let files = 500

    /// What an undisturbed run leaves.
    private static func undisturbed(_ kind: PreloadBench.StoreKind) async throws -> [String] {
        let bench = try PreloadBench(kind)
        let origin = CutOrigin(files)
        origin.serve(bench.transport)
        #expect(await bench.preload(origin.items).verified == files)
        return try await bench.stored()
    }

    @Test("the network is cut at every tenth request of 500 files", arguments: PreloadBench.StoreKind.allCases)
    func cut(_ kind: PreloadBench.StoreKind) async throws {
        let bench = try PreloadBench(kind)
        let origin = CutOrigin(Self.files) { $0.isMultiple(of: 10) }
        origin.serve(bench.transport)
        await bench.queue.add(origin.items, set: "app")
        let summary = await bench.runToEnd()
        #expect(summary.verified == Self.files && summary.isSettled)
        // Each byte came once: what was there is not sent again.
        #expect(summary.transferred == origin.size)
        // 500, 50 of which break off, 5 of the 50 that follow, and the last of those 5 or none.
        #expect((555...556).contains(origin.requests))
        let (stored, expected) = (try await bench.stored(), try await Self.undisturbed(kind))
        #expect(Set(stored).subtracting(expected).first == nil)
        #expect(stored.count == expected.count)
    }

    @Test("the process is killed in the middle; the next one fetches what is missing, and nothing else")
    func killed() async throws {
        let first = try PreloadBench(.disk)
        let gate = Gate()
        let origin = CutOrigin(Self.files)
        origin.serve(first.transport) { number in if number > 250 { try await gate.pass() } }
        await first.queue.add(origin.items, set: "app")
        let killed = Task { [queue = first.queue] in await queue.run() }
        // From here on the first one does nothing more.
        try await gate.arrivals(6)
        while await first.queue.summary.verified < 250 { await Task.yield() }
        let second = try PreloadBench(.disk, directory: first.directory)
        let again = CutOrigin(Self.files)
        again.serve(second.transport)
        let summary = await second.preload(again.items)
        #expect(summary.verified == Self.files)
        #expect(again.requests == Self.files - 250)
        #expect(try await second.stored() == Self.undisturbed(.disk))
        await first.queue.stop()
        _ = await killed.value
    }

    @Test("a run that is stopped is continued by the next one")
    func stopped() async throws {
        let bench = try PreloadBench()
        let gate = Gate()
        let origin = CutOrigin(50)
        origin.serve(bench.transport) { number in if number > 25 { try await gate.pass() } }
        await bench.queue.add(origin.items, set: "app")
        let running = Task { await bench.queue.run() }
        try await gate.arrivals(6)
        running.cancel()
        let half = await running.value
        #expect(half.verified == 25 && !half.isSettled && half.next == nil)
        gate.open()
        #expect(await bench.queue.run().verified == 50)
        #expect(origin.requests == 56)
    }

    @Test(
        "the disk is full for a while: what is there stays, and the rest follows",
        arguments: [
            FaultyStorage.Fault.committing, .receiving, .appending(beyond: 500),
        ])
    func diskFull(_ fault: FaultyStorage.Fault) async throws {
        let bench = try PreloadBench(.disk)
        let origin = CutOrigin(40)
        origin.serve(bench.transport)
        await bench.queue.add(Array(origin.items.prefix(20)), set: "app")
        #expect(await bench.queue.run().verified == 20)
        bench.store.setFault(fault)
        await bench.queue.add(origin.items, set: "app")
        let full = await bench.queue.run()
        #expect(full.verified == 20 && full.waiting == [.diskFull: 20])
        // After some failures in a row nothing more is sent.
        #expect(origin.requests < 20 + 12)
        bench.store.setFault(nil)
        let summary = await bench.runToEnd()
        #expect(summary.verified == 40)
        #expect(await bench.page("/0.js").cacheStatus.isHit)
        let undisturbed = try PreloadBench(.disk)
        let other = CutOrigin(40)
        other.serve(undisturbed.transport)
        await undisturbed.preload(other.items)
        #expect(try await bench.stored() == undisturbed.stored())
    }

    @Test("a run that may send nothing leaves what has come to the next one", arguments: [true, false])
    func nothingSent(isListed: Bool) async throws {
        let first = try PreloadBench(.disk)
        let origin = CutOrigin(1) { $0 == 1 }
        origin.serve(first.transport)
        var item = origin.items[0]
        if !isListed { item.content = nil }
        await first.queue.add([item], set: "app")
        #expect(await first.queue.run().verified == 0 && origin.requests == 1)
        await first.cache.waitForCommits()
        let next = try PreloadBench(.disk, directory: first.directory)
        origin.serve(next.transport)
        next.connectivity.report(.init(isConstrained: true))
        #expect(await next.preload([item]).waiting == [.constrained: 1] && origin.requests == 1)
        next.connectivity.report(.connected)
        #expect(await next.runToEnd().verified == 1 && origin.requests == 2)
        #expect(next.transport.requests.first?.head.headerFields[.range] != nil)
    }

    @Test("where the origin has another version by then, all of it is fetched")
    func changed() async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { _ in
            let body = ScriptedBody([Array("ol".utf8)], ends: false)
            body.end(throwing: TransportError(code: .closedEarly, message: "The test says so."))
            return ScriptedTransport.answer(
                200, [.eTag: "\"old\"", .cacheControl: "max-age=60"], streaming: body, length: 3)
        }
        await bench.preload([PreloadBench.item("/a.js", "new")])
        bench.on("/a.js") { request in
            #expect(request.head.headerFields[.ifRange] == "\"old\"")
            return ScriptedTransport.answer(200, [.eTag: "\"new\"", .cacheControl: "max-age=60"], body: "new")
        }
        #expect(await bench.runToEnd().verified == 1)
        #expect(try await bench.text(await bench.page("/a.js")) == "new")
    }

    @Test(
        "a file of a page goes on where it was, too, unless the origin has another version", arguments: [false, true])
    func ofPage(isChanged: Bool) async throws {
        let bench = try PreloadBench(.disk, rules: .webViewDefaults)
        bench.answer("/", 200, [.contentType: "text/html"], body: "<script src=/0.js></script>")
        let origin = CutOrigin(1) { $0 == 1 }
        origin.serve(bench.transport)
        await bench.queue.add([PreloadItem(url: PreloadBench.base + "/").withFiles()], set: "page")
        #expect(await bench.queue.run().verified < 2 && origin.requests == 1)
        if isChanged {
            bench.on("/0.js") { request in
                #expect(request.head.headerFields[.ifRange] == "\"0\"")
                return ScriptedTransport.answer(200, [.eTag: "\"1\"", .contentType: "text/javascript"], body: "new")
            }
        }
        let summary = await bench.runToEnd()
        #expect(summary.verified == 2)
        let content = CutOrigin.content(0)
        let last = bench.transport.requests(to: PreloadBench.base + "/0.js").last
        if !isChanged { #expect(last?.head.headerFields[.range] == "bytes=500-") }
        let text = try await bench.text(await bench.page("/0.js", connectivity: .disconnected))
        #expect(text == (isChanged ? "new" : String(decoding: content, as: UTF8.self)))
    }

    @Test("parts that fit together but are not the content are dropped, and the whole is refused")
    func joined() async throws {
        let bench = try PreloadBench()
        bench.answer("/a.js")
        let cut = CutOrigin(1) { $0 == 1 }
        cut.serve(bench.transport)
        var item = cut.items[0]
        item.content = PreloadBench.expected([UInt8](repeating: 1, count: CutOrigin.content(0).count))
        await bench.queue.add([item], set: "app")
        #expect(await bench.runToEnd().refused == [.hashMismatch: 1])
        #expect(try await bench.uris() == [])
    }

    @Test("what no strong tag identifies is fetched from its beginning (RFC 9110 §13.1.5)")
    func weak() async throws {
        let bench = try PreloadBench()
        bench.on("/a.js") { request in
            #expect(request.head.headerFields[.range] == nil)
            let body = ScriptedBody([Array("ne".utf8)], ends: false)
            body.end(throwing: TransportError(code: .closedEarly, message: "The test says so."))
            return bench.transport.requests.count == 1
                ? ScriptedTransport.answer(200, [.eTag: "W/\"1\""], streaming: body, length: 3)
                : ScriptedTransport.answer(200, [.eTag: "W/\"1\""], body: "new")
        }
        await bench.queue.add([PreloadBench.item("/a.js", "new")], set: "app")
        #expect(await bench.runToEnd().verified == 1)
    }
}
