/// LFU: what was asked for least often while stored goes first; of two, the one asked for longer ago.
package struct LeastFrequentlyUsed: EvictionPolicy {
    private let budget: Int
    private var order = PriorityOrder()
    private var stored: [Int: (uses: Int, size: Int)] = [:]
    package private(set) var storedBytes = 0

    /// - Parameter budget: Bytes.
    package init(budget: Int) {
        self.budget = budget
    }

    package func isStored(_ response: Int) -> Bool { stored[response] != nil }

    package mutating func use(_ response: Int) -> Bool {
        guard let known = stored[response] else { return false }
        stored[response] = (known.uses + 1, known.size)
        order.set(response, to: Double(known.uses + 1))
        return true
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        while storedBytes + size > budget, let victim = order.removeLowest() {
            storedBytes -= stored.removeValue(forKey: victim.response)?.size ?? 0
        }
        stored[response] = (1, size)
        storedBytes += size
        order.set(response, to: 1)
    }
}
