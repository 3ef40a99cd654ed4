import CacheTesting
import Testing

@testable import EvictionBench

/// Each sequence was worked out by hand; what is stored at its end is compared.
@Suite("Eviction policies against sequences worked out by hand")
struct EvictionPolicyTests {
    /// Asks for a response, and stores it when it is not stored.
    private func ask(
        _ responses: [Int], of policy: inout some EvictionPolicy, size: Int = 10, cost: Double = 1
    ) {
        for response in responses where !policy.use(response) { policy.add(response, size: size, cost: cost) }
    }

    private func stored(_ policy: some EvictionPolicy) -> [Int] {
        (0..<20).filter { policy.isStored($0) }
    }

    @Test("LRU: 1 was asked for longest ago")
    func leastRecentlyUsed() {
        var policy = LeastRecentlyUsed(budget: 30)
        ask([0, 1, 2, 0, 3], of: &policy)
        #expect(stored(policy) == [0, 2, 3])
        #expect(policy.storedBytes == 30)
    }

    @Test("LFU: 1 was asked for once, then 3; 0 three times, 2 twice")
    func leastFrequentlyUsed() {
        var policy = LeastFrequentlyUsed(budget: 30)
        ask([0, 1, 2, 0, 0, 2, 3, 4], of: &policy)
        #expect(stored(policy) == [0, 2, 4])
        #expect(policy.storedBytes == 30)
    }

    @Test("GDSF: uses × cost / size, on top of the priority that went last")
    func greedyDual() {
        var policy = GreedyDual(budget: 40) { uses, size, cost in Double(uses) * cost / Double(size) }
        ask([0], of: &policy, size: 10, cost: 10)  // 1
        ask([1], of: &policy, size: 20, cost: 10)  // 0.5
        ask([2], of: &policy, size: 10, cost: 30)  // 3
        ask([3], of: &policy, size: 10, cost: 10)  // 1 goes, clock 0.5: 1.5
        ask([4], of: &policy, size: 20, cost: 10)  // 0 goes, clock 1: 1.5
        #expect(stored(policy) == [2, 3, 4])
        ask([5], of: &policy, size: 10, cost: 5)  // 3 goes, clock 1.5: 2
        ask([4], of: &policy)  // 1.5 + 2 × 0.5
        ask([6], of: &policy, size: 10, cost: 10)  // 5 goes
        #expect(stored(policy) == [2, 4, 6])
        #expect(policy.storedBytes == 40)
    }

    @Test("S3-FIFO: two uses lead to the main queue, one does not, and a ghost goes there at once")
    func s3FIFO() {
        var policy = S3FIFO(budget: 100)
        ask(Array(0..<10) + [0, 0], of: &policy)
        ask([10], of: &policy)  // 0 moves to the main queue, 1 becomes a ghost
        #expect(stored(policy) == [0] + Array(2...10))
        ask([1], of: &policy)  // from the ghosts to the main queue; 2 becomes a ghost
        ask([3, 11], of: &policy)  // one use does not save 3
        #expect(stored(policy) == [0, 1] + Array(4...11))
        ask(Array(12..<20), of: &policy)  // a scan: the small queue alone gives
        #expect(stored(policy) == [0, 1] + Array(12..<20))
        #expect(policy.storedBytes == 100)
    }

    @Test("W-TinyLFU: what leaves the window must have been asked for more often than what it would replace")
    func windowTinyLFU() {
        var policy = WindowTinyLFU(budget: 100, meanSize: 1, windowShare: 0.1)
        ask(Array(0..<10), of: &policy)  // 9 in the window
        ask([10], of: &policy)  // 9 against 0, once each: 9 goes
        #expect(stored(policy) == Array(0..<9) + [10])
        ask([9, 11], of: &policy)  // 10 against 0: 10 goes; 9, twice by now, against 0: 0 goes
        #expect(stored(policy) == Array(1...9) + [11])
        #expect(policy.storedBytes == 100)
    }

    @Test("Larder on disk: 0.1 ms a byte for each use, or 0.2 for what took 100 ms longer")
    func diskTier() {
        var policy = DiskTierPolicy(budget: 3_000)
        ask([0], of: &policy, size: 1_000, cost: 38)  // 0.1
        ask([1], of: &policy, size: 1_000, cost: 138)  // 0.2
        ask([2, 2], of: &policy, size: 1_000, cost: 38)  // 0.2
        ask([3], of: &policy, size: 1_000, cost: 38)  // 0 goes: 0.1 + 0.1
        #expect(stored(policy) == [1, 2, 3])
        ask([4], of: &policy, size: 1_000, cost: 38)  // of three with 0.2, 1 got it first
        #expect(stored(policy) == [2, 3, 4])
        #expect(policy.storedBytes == 3_000)
    }

    @Test("Larder in memory: one use outlasts a scan")
    func memoryTier() {
        var policy = MemoryTierPolicy(budget: 100)
        ask([0, 1, 2, 1], of: &policy)
        ask(Array(3..<20), of: &policy)
        #expect(policy.isStored(1) && !policy.isStored(0) && !policy.isStored(2))
        #expect(policy.storedBytes == 100)
    }

    @Test("every contender holds every budget", arguments: Contender.all.indices)
    func budgets(_ place: Int) {
        var random = SplitMix64(seed: 7)
        let responses = (0..<300).map { _ in
            TracedResponse(size: Int.random(in: 1...2_000, using: &random), cost: 1)
        }
        let steps = (0..<5_000).map { _ in Trace.Step.request(Int.random(in: 0..<300, using: &random)) }
        let trace = Trace(responses: responses, steps: steps)
        for budget in [1, 2_500, 20_000, trace.footprint] {
            let policy = Contender.all[place].make(budget, 1_000)
            let counts = EvictionSimulation.run(trace, policy, budget: budget)
            #expect(counts.largest <= budget)
            #expect(counts.requests == 4_500)
        }
    }
}
