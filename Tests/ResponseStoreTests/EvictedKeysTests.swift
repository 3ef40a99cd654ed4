import CacheTesting
import Testing

@testable import ResponseStore

@Suite("EvictedKeys: the keys evicted recently")
struct EvictedKeysTests {
    @Test("forgets the oldest keys when their costs exceed the limit")
    func limit() {
        var keys = EvictedKeys()
        for key in 1...4 { keys.insert(key, cost: 10, limit: 30) }
        #expect((1...4).map { keys.remove($0) } == [false, true, true, true])
        #expect((1...4).allSatisfy { !keys.remove($0) })
    }

    @Test("a key that is evicted again counts from its last eviction")
    func again() {
        var keys = EvictedKeys()
        for key in [1, 2, 1, 3, 4] { keys.insert(key, cost: 10, limit: 30) }
        #expect([1, 2, 3, 4].map { keys.remove($0) } == [true, false, true, true])
    }

    @Test("agrees with a slow model over random operations", arguments: UInt64(0)..<5)
    func model(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var keys = EvictedKeys()
        var model: [(key: Int, cost: Int)] = []
        for _ in 0..<5_000 {
            let key = Int.random(in: 0..<50, using: &random)
            let known = model.firstIndex { $0.key == key }
            if Bool.random(using: &random) {
                #expect(keys.remove(key) == (known != nil))
                if let known { model.remove(at: known) }
            } else {
                if let known { model.remove(at: known) }
                model.append((key, Int.random(in: 1...20, using: &random)))
                keys.insert(key, cost: model[model.count - 1].cost, limit: 200)
                while model.reduce(0, { $0 + $1.cost }) > 200 { model.removeFirst() }
            }
        }
    }
}
