/// A policy by name, and how to make one for a budget.
package struct Contender: Sendable {
    package var name: String
    /// From the budget in bytes and the mean size of the trace's responses.
    var make: @Sendable (_ budget: Int, _ meanSize: Int) -> any EvictionPolicy

    /// The policies of the literature, then Larder's two.
    package static let all = [
        Contender(name: "LRU") { budget, _ in LeastRecentlyUsed(budget: budget) },
        Contender(name: "LFU") { budget, _ in LeastFrequentlyUsed(budget: budget) },
        Contender(name: "GDSF, cost 1") { budget, _ in
            GreedyDual(budget: budget) { uses, size, _ in Double(uses) / Double(size) }
        },
        Contender(name: "GDSF, cost measured") { budget, _ in
            GreedyDual(budget: budget) { uses, size, cost in Double(uses) * cost / Double(size) }
        },
        Contender(name: "S3-FIFO") { budget, _ in S3FIFO(budget: budget) },
        Contender(name: "W-TinyLFU") { budget, meanSize in WindowTinyLFU(budget: budget, meanSize: meanSize) },
        Contender(name: "W-TinyLFU, window 10 %") { budget, meanSize in
            WindowTinyLFU(budget: budget, meanSize: meanSize, windowShare: 0.1)
        },
        Contender(name: "Larder, disk") { budget, _ in DiskTierPolicy(budget: budget) },
        Contender(name: "Larder, memory") { budget, _ in MemoryTierPolicy(budget: budget) },
    ]
}
