import ResponseStore

/// Larder's policy in memory: the cache itself, with sizes for costs.
package struct MemoryTierPolicy: EvictionPolicy {
    private var cache: RecentCache<Int, Int>

    /// - Parameter budget: Bytes.
    package init(budget: Int) {
        cache = RecentCache(budget: budget)
    }

    package var storedBytes: Int { cache.totalCost }

    package func isStored(_ response: Int) -> Bool { cache.contains(response) }

    package mutating func use(_ response: Int) -> Bool { cache.value(for: response) != nil }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        cache.set(size, for: response, cost: size)
    }
}
