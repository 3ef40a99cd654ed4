import ResponseStore

/// What Larder does in memory: the cache itself, with sizes for costs.
public struct MemoryTierPolicy: EvictionPolicy {
    private var cache: ScanResistantCache<Int, Int>

    /// - Parameter budget: Bytes.
    public init(budget: Int) {
        cache = ScanResistantCache(budget: budget)
    }

    public var storedBytes: Int { cache.totalCost }

    public func isStored(_ response: Int) -> Bool { cache.contains(response) }

    public mutating func use(_ response: Int) -> Bool { cache.value(for: response) != nil }

    public mutating func add(_ response: Int, size: Int, cost: Double) {
        cache.set(size, for: response, cost: size)
    }
}
