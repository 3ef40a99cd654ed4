import Testing

@testable import ResponseStore

@Suite("RecencyCache: a budget in bytes")
struct RecencyCacheTests {
    @Test("what was used least recently goes first")
    func order() {
        var cache = RecencyCache<String, Int>(budget: 30)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.set(number, for: key, cost: 10) }
        #expect(cache.value(for: "a") == 0)
        cache.set(3, for: "d", cost: 10)
        #expect(cache.value(for: "b") == nil)
        #expect(["a", "c", "d"].map { cache.value(for: $0) } == [0, 2, 3])
        #expect(cache.totalCost == 30)
    }

    @Test("a large value pushes several out, one over the budget is not kept at all")
    func large() {
        var cache = RecencyCache<String, Int>(budget: 30)
        for (number, key) in ["a", "b", "c"].enumerated() { cache.set(number, for: key, cost: 10) }
        cache.set(9, for: "large", cost: 25)
        #expect(["a", "b", "c"].allSatisfy { cache.value(for: $0) == nil })
        #expect(cache.totalCost == 25)
        cache.set(10, for: "large", cost: 31)
        #expect(cache.value(for: "large") == nil)
        #expect(cache.totalCost == 0)
    }

    @Test("replacing counts the new cost only")
    func replacing() {
        var cache = RecencyCache<String, Int>(budget: 30)
        cache.set(1, for: "a", cost: 20)
        cache.set(2, for: "a", cost: 5)
        #expect(cache.totalCost == 5)
        cache.remove("a")
        cache.remove("a")
        #expect(cache.totalCost == 0)
        cache.set(3, for: "a", cost: 30)
        cache.removeAll()
        #expect(cache.totalCost == 0 && cache.value(for: "a") == nil)
    }

    @Test("agrees with a slow model over random operations", arguments: UInt64(0)..<10)
    func model(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var cache = RecencyCache<Int, Int>(budget: 100)
        // Most recently used last.
        var model: [(key: Int, value: Int, cost: Int)] = []
        for step in 0..<2_000 {
            let key = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5:
                let expected = model.firstIndex { $0.key == key }
                #expect(cache.value(for: key) == expected.map { model[$0].value })
                if let expected { model.append(model.remove(at: expected)) }
            case 5..<9:
                let cost = Int.random(in: 0...40, using: &random)
                cache.set(step, for: key, cost: cost)
                model.removeAll { $0.key == key }
                model.append((key, step, cost))
                while model.reduce(0, { $0 + $1.cost }) > 100 { model.removeFirst() }
            default:
                cache.remove(key)
                model.removeAll { $0.key == key }
            }
            #expect(cache.totalCost == model.reduce(0) { $0 + $1.cost })
        }
    }
}
