/// The family of GDSF (Cherkasova, 1998): the priority is the clock plus what a response is worth,
/// and the clock is the priority of the one that went last. So what is not asked for again is
/// overtaken by what comes.
package struct GreedyDual: EvictionPolicy {
    /// The worth of a response, from the times it was asked for while stored (the first included),
    /// its size in bytes and its cost in milliseconds.
    package typealias Worth = (_ uses: Int, _ size: Int, _ cost: Double) -> Double

    private struct Stored {
        var uses: Int
        var size: Int
        var cost: Double
    }

    private let budget: Int
    private let worth: Worth
    private var order = PriorityOrder()
    private var stored: [Int: Stored] = [:]
    private var clock = 0.0
    package private(set) var storedBytes = 0

    /// - Parameter budget: Bytes.
    package init(budget: Int, worth: @escaping Worth) {
        self.budget = budget
        self.worth = worth
    }

    package func isStored(_ response: Int) -> Bool { stored[response] != nil }

    package mutating func use(_ response: Int) -> Bool {
        guard var known = stored[response] else { return false }
        known.uses += 1
        stored[response] = known
        order.set(response, to: clock + worth(known.uses, known.size, known.cost))
        return true
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        while storedBytes + size > budget, let victim = order.removeLowest() {
            storedBytes -= stored.removeValue(forKey: victim.response)?.size ?? 0
            clock = max(clock, victim.priority)
        }
        stored[response] = Stored(uses: 1, size: size, cost: cost)
        storedBytes += size
        order.set(response, to: clock + worth(1, size, cost))
    }
}
