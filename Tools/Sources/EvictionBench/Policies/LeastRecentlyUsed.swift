/// LRU: what was asked for longest ago goes first.
package struct LeastRecentlyUsed: EvictionPolicy {
    private var queue = ResponseQueue()
    private let budget: Int

    /// - Parameter budget: Bytes.
    package init(budget: Int) {
        self.budget = budget
    }

    package var storedBytes: Int { queue.bytes }

    package func isStored(_ response: Int) -> Bool { queue.contains(response) }

    package mutating func use(_ response: Int) -> Bool {
        queue.moveToEnd(response)
        return queue.contains(response)
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        queue.append(response, size: size)
        while queue.bytes > budget, let oldest = queue.first { queue.remove(oldest) }
    }
}
