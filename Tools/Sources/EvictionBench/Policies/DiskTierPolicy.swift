import HTTPCacheSemantics
import ResponseStore

/// Larder's policy on disk: ``ResponseStore/GreedyDualSizeFrequency`` orders what is stored.
package struct DiskTierPolicy: EvictionPolicy {
    private struct Stored {
        var uses: Int
        var size: ByteCount
        var cost: Duration
    }

    private let budget: Int
    private var recency = GreedyDualSizeFrequency()
    private var order = PriorityOrder()
    private var stored: [Int: Stored] = [:]
    package private(set) var storedBytes = 0

    /// - Parameter budget: Bytes.
    package init(budget: Int) {
        self.budget = budget
    }

    package func isStored(_ response: Int) -> Bool { stored[response] != nil }

    package mutating func use(_ response: Int) -> Bool {
        guard var known = stored[response] else { return false }
        known.uses += 1
        stored[response] = known
        order.set(response, to: recency.priority(uses: known.uses, size: known.size, cost: known.cost))
        return true
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        while storedBytes + size > budget, let victim = order.removeLowest() {
            storedBytes -= Int(stored.removeValue(forKey: victim.response)?.size.bytes ?? 0)
            recency.noteEviction(ofPriority: victim.priority)
        }
        let new = Stored(uses: 1, size: ByteCount(size), cost: .milliseconds(cost))
        stored[response] = new
        storedBytes += size
        order.set(response, to: recency.priority(uses: 1, size: new.size, cost: new.cost))
    }
}
