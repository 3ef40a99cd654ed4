import CacheTesting
import HTTPCacheSemantics
import HTTPTypes
import ResponseStore
import Testing

@testable import CacheEngine
@testable import Preloading

@Suite("Pins belong to the set that holds them", .timeLimit(.minutes(5)))
struct PinTests {
    private func pins(_ bench: PreloadBench) async throws -> [String: Int] {
        let all = try await bench.store.summaries(of: .everything, after: nil, limit: 1_000)
        return Dictionary(
            uniqueKeysWithValues: all.map { ($0.key.uri.replacing(PreloadBench.base, with: ""), $0.pins) })
    }

    @Test("what is verified is pinned; what is not listed any more is let go once the new list is settled")
    func changes() async throws {
        let bench = try PreloadBench(.disk)
        let (a, b, c) = (bench.file("/a", "a"), bench.file("/b", "b"), bench.file("/c", "c"))
        await bench.preload([a, b])
        #expect(try await pins(bench) == ["/a": 1, "/b": 1])
        bench.on("/c") { _ in ScriptedTransport.answer(503, [.retryAfter: "1"]) }
        await bench.preload([b, c])
        #expect(try await pins(bench) == ["/a": 1, "/b": 1])
        bench.answer("/c", body: "c")
        await bench.runToEnd()
        #expect(try await pins(bench) == ["/a": 0, "/b": 1, "/c": 1])
    }

    @Test("a second set has pins of its own, and so has the app")
    func holders() async throws {
        let bench = try PreloadBench(.disk)
        let store = try #require(bench.store.base as? DiskResponseStore)
        let a = bench.file("/a", "a")
        let key = CacheKey(uri: a.url)
        await bench.preload([a], set: "one")
        await bench.preload([a], set: "two")
        let (one, two) = (await bench.queue.summary(of: "one"), await bench.queue.summary(of: "two"))
        #expect(one.verified == 1 && two.verified == 1)
        #expect(one.transferred == ByteCount(1) && two.transferred == .zero)
        try await store.pin([key], for: "app")
        #expect(try await pins(bench) == ["/a": 3])
        try await bench.queue.remove(set: "one")
        #expect(try await pins(bench) == ["/a": 2])
        for _ in 1...2 { try await store.unpin([key], for: "app") }
        #expect(try await pins(bench) == ["/a": 1])
        try await bench.queue.remove(set: "two")
        #expect(try await pins(bench) == ["/a": 0])
        #expect(try await bench.uris() == [a.url])
    }

    @Test("a pin lasts when the response is replaced, or invalidated and stored again, and over a restart")
    func lasting() async throws {
        let bench = try PreloadBench(.disk)
        let a = bench.file("/a", "a", [.cacheControl: "max-age=10"])
        await bench.preload([a])
        bench.clock.advance(by: .seconds(60))
        bench.answer("/a", 200, [.cacheControl: "max-age=10"], body: "other")
        _ = try await bench.text(await bench.page("/a"))
        await bench.cache.waitForBackgroundWork()
        #expect(try await pins(bench) == ["/a": 1])
        try await bench.store.removeEntries(for: CacheKey(uri: a.url))
        bench.clock.advance(by: .seconds(60))
        _ = try await bench.text(await bench.page("/a"))
        await bench.cache.waitForBackgroundWork()
        #expect(try await pins(bench) == ["/a": 1])
        let again = try PreloadBench(.disk, directory: bench.directory)
        #expect(try await again.store.pins(of: "preload:app") == [CacheKey(uri: a.url)])
    }

    @Test("what the user removes is not pinned any more, and is fetched again when its set is added again")
    func removed() async throws {
        let bench = try PreloadBench(.disk)
        let items = [bench.file("/a", "a"), bench.file("/b", "b")]
        await bench.preload(items)
        try await bench.cache.remove(EntrySelection(uri: items[0].url))
        #expect(try await bench.store.pins(of: "preload:app") == [CacheKey(uri: items[1].url)])
        try await bench.cache.remove(EntrySelection(partition: ""))
        #expect(try await bench.store.pins(of: "preload:app") == [])
        #expect(await bench.preload(items).verified == 2)
        #expect(try await pins(bench) == ["/a": 1, "/b": 1])
    }

    @Test("others give way to what is pinned when space is needed")
    func eviction() async throws {
        let bench = try PreloadBench(.disk, budget: StoreBudget(total: .kibibytes(200)))
        let text = String(repeating: "x", count: 20_000)
        await bench.preload([bench.file("/kept", text)])
        for number in 0..<20 {
            bench.answer("/\(number)", body: text + "\(number)")
            _ = try await bench.text(await bench.page("/\(number)"))
            await bench.cache.waitForBackgroundWork()
        }
        let stored = try await bench.uris()
        #expect(stored.contains(PreloadBench.base + "/kept"))
        #expect(stored.count < 12)
    }

    @Test("what was refused keeps the pin of its last good version")
    func lastGood() async throws {
        let bench = try PreloadBench(.disk)
        await bench.preload([bench.file("/a", "old")])
        bench.answer("/a", body: "bad")
        #expect(await bench.preload([PreloadBench.item("/a", "new")]).refused == [.hashMismatch: 1])
        #expect(try await pins(bench) == ["/a": 1])
        #expect(try await bench.text(await bench.page("/a")) == "old")
    }
}
