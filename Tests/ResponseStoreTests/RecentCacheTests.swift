import CacheTesting
import Testing

@testable import ResponseStore

@Suite("RecentCache: what was used lately stays")
struct RecentCacheTests {
    /// A full cache with `a`, `b` and `c`, of which `a` was used.
    private static func full() -> RecentCache<String, Int> {
        var cache = RecentCache<String, Int>(budget: 30)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.set(number, for: key, cost: 10) }
        _ = cache.value(for: "a")
        return cache
    }

    @Test("the oldest unused value goes first")
    func order() {
        var cache = Self.full()
        cache.set(3, for: "d", cost: 10)
        #expect(["a", "b", "c", "d"].map { cache.value(for: $0) } == [0, nil, 2, 3])
        #expect(cache.totalCost == 30)
    }

    @Test("a page that is used again and again stays during a preload of 2,000 files")
    func scan() {
        var cache = RecentCache<Int, Int>(budget: 1 << 20)
        let page = 0..<40
        for number in page { cache.set(number, for: number, cost: 8_000 + number * 500) }
        for number in 100..<2_100 {
            if number % 10 == 0 { for number in page { #expect(cache.value(for: number) == number) } }
            cache.set(number, for: number, cost: 500 + number * 7_919 % 20_000)
            #expect(cache.totalCost <= 1 << 20)
        }
    }

    @Test("a large value drops several others; one over the budget is not kept at all")
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
        var cache = RecentCache<String, Int>(budget: 30)
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
        var cache = RecentCache<Int, Int>(budget: 20_000)
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
