/// LRU: what was asked for longest ago goes first.
public struct LeastRecentlyUsed: EvictionPolicy {
    private var queue = ResponseQueue()
    private let budget: Int

    /// - Parameter budget: Bytes.
    public init(budget: Int) {
        self.budget = budget
    }

    public var storedBytes: Int { queue.bytes }

    public func isStored(_ response: Int) -> Bool { queue.contains(response) }

    public mutating func use(_ response: Int) -> Bool {
        queue.moveToEnd(response)
        return queue.contains(response)
    }

    public mutating func add(_ response: Int, size: Int, cost: Double) {
        queue.append(response, size: size)
        while queue.bytes > budget, let oldest = queue.first { queue.remove(oldest) }
    }
}
