import CacheTesting
import Testing

@testable import ResponseStore

@Suite("ScanResistantCache: values in use survive a scan")
struct ScanResistantCacheTests {
    /// A full cache with `a`, `b` and `c`, of which `a` was used.
    private static func full() -> ScanResistantCache<String, Int> {
        var cache = ScanResistantCache<String, Int>(budget: 30)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.set(number, for: key, cost: 10) }
        _ = cache.value(for: "a")
        return cache
    }

    @Test("of the new values, the oldest unused one is evicted first")
    func newValues() {
        var cache = Self.full()
        cache.set(3, for: "d", cost: 10)
        #expect(["a", "b", "c", "d"].map { cache.value(for: $0) } == [0, nil, 2, 3])
        #expect(cache.totalCost == 30)
    }

    @Test("a value that comes back soon after its eviction stays, as if it had been used")
    func comesBack() {
        var cache = Self.full()
        for key in ["d", "b", "e", "f", "g"] { cache.set(3, for: key, cost: 10) }
        #expect(["a", "b", "c", "d", "e", "f", "g"].filter { cache.contains($0) } == ["a", "b", "g"])
    }

    @Test("a preload of 2,000 files does not evict the page on screen", arguments: [1, 2])
    func scan(uses: Int) {
        var cache = ScanResistantCache<Int, Int>(budget: 1 << 20)
        let page = 0..<40
        for number in page { cache.set(number, for: number, cost: 8_000 + number * 500) }
        for _ in 0..<uses { for number in page { _ = cache.value(for: number) } }
        for number in 100..<2_100 {
            cache.set(number, for: number, cost: 500 + number * 7_919 % 60_000)
            #expect(cache.totalCost <= 1 << 20)
        }
        #expect(page.allSatisfy { cache.contains($0) })
    }

    @Test("of two equally used values the larger one is evicted first, though it came later")
    func sizes() {
        var cache = ScanResistantCache<String, Int>(budget: 100_000)
        for (key, cost) in [("small", 1_000), ("large", 40_000)] {
            cache.set(1, for: key, cost: cost)
            _ = cache.value(for: key)
        }
        cache.set(2, for: "next", cost: 70_000)
        #expect(["small", "large", "next"].map { cache.contains($0) } == [true, false, true])
    }

    @Test("a value that is not used any more is evicted in the end, however often used and however small it was")
    func ageing() {
        var cache = ScanResistantCache<Int, Int>(budget: 1_000_000)
        cache.set(0, for: 0, cost: 500)
        var insertionsSurvived = 0
        for number in 1...8_000 {
            // Three uses that count: after the value has left the queue of new values.
            if number < 20 { for _ in 0..<3 { _ = cache.value(for: 0) } }
            cache.set(number, for: number, cost: 100_000)
            _ = cache.value(for: number)
            if cache.contains(0) { insertionsSurvived = number }
        }
        // Its rank is 127 above that of the large ones, of which eight or nine are evicted at each rank; it is passed
        // over three times.
        #expect((4 * 127 * 7..<4 * 129 * 10).contains(insertionsSurvived))
    }

    @Test("a large value evicts several others; one over the budget is not kept at all")
    func large() {
        var cache = Self.full()
        cache.set(9, for: "large", cost: 25)
        #expect(["a", "b", "c", "large"].map { cache.value(for: $0) } == [nil, nil, nil, 9])
        #expect(cache.totalCost == 25)
        cache.set(10, for: "large", cost: 31)
        #expect(cache.value(for: "large") == nil)
        #expect(cache.totalCost == 0)
    }

    @Test("replacing counts the new cost only")
    func replacing() {
        var cache = ScanResistantCache<String, Int>(budget: 30)
        cache.set(1, for: "a", cost: 20)
        cache.set(2, for: "a", cost: 5)
        #expect(cache.totalCost == 5 && cache.value(for: "a") == 2)
        cache.remove("a")
        cache.remove("a")
        #expect(cache.totalCost == 0 && !cache.contains("a"))
        cache.set(3, for: "a", cost: 30)
        cache.removeAll()
        #expect(cache.totalCost == 0 && cache.value(for: "a") == nil)
    }

    @Test("a value in use stays in the main queues when a commit replaces it, but not after removeAll")
    func standing() {
        var cache = Self.full()
        cache.remove("a")
        cache.set(7, for: "a", cost: 10)
        for key in ["d", "e", "f", "g"] { cache.set(3, for: key, cost: 10) }
        #expect(cache.value(for: "a") == 7)
        cache.removeAll()
        cache.set(8, for: "a", cost: 10)
        for key in ["d", "e", "f", "g"] { cache.set(3, for: key, cost: 10) }
        #expect(cache.value(for: "a") == nil)
    }

    @Test("releases memory down to a limit, the values in use last; the budget stays")
    func trimming() {
        var cache = Self.full()
        cache.trim(to: 40)
        #expect(cache.totalCost == 30)
        cache.trim(to: 19)
        #expect(cache.totalCost == 10 && cache.contains("a"))
        cache.trim(to: 0)
        #expect(cache.totalCost == 0 && !cache.contains("a"))
        cache.set(1, for: "b", cost: 30)
        #expect(cache.value(for: "b") == 1)
    }

    @Test("holds its budget and never answers with an older value, over random operations", arguments: UInt64(0)..<10)
    func randomOperations(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var cache = ScanResistantCache<Int, Int>(budget: 20_000)
        var last: [Int: (value: Int, cost: Int)] = [:]
        for step in 0..<3_000 {
            let key = Int.random(in: 0..<60, using: &random)
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<10:
                let value = cache.value(for: key)
                #expect(value == nil || value == last[key]?.value)
            case 10..<17:
                let cost = Int.random(in: 0...4_000, using: &random)
                cache.set(step, for: key, cost: cost)
                last[key] = (step, cost)
                #expect(cache.value(for: key) == step)
            case 17, 18:
                cache.remove(key)
                last[key] = nil
            default:
                cache.trim(to: Int.random(in: 5_000...20_000, using: &random))
            }
            let costs = last.filter { cache.contains($0.key) }.reduce(0) { $0 + $1.value.cost }
            #expect(cache.totalCost == costs && costs <= 20_000)
        }
    }
}
