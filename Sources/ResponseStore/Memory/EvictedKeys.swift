/// Which keys left a cache lately: their hashes only, so that no key is kept in memory for it.
///
/// Two keys with the same hash are taken for one, which costs a cache nothing but a wrong guess.
struct EvictedKeys: Sendable {
    private struct Left: Sendable {
        var hash: Int
        var cost: Int
    }

    /// In the order in which they left, from ``first`` on. One that ``places`` does not lead to has
    /// come back meanwhile.
    private var left: [Left] = []
    private var first = 0
    private var places: [Int: Int] = [:]
    private var totalCost = 0

    /// - Parameters:
    ///   - cost: What the key's value cost, in bytes; counts as one at least.
    ///   - limit: Keys are forgotten, those that left first before others, until their costs are no more than this.
    mutating func insert(_ hash: Int, cost: Int, limit: Int) {
        remove(hash)
        places[hash] = left.count
        left.append(Left(hash: hash, cost: max(1, cost)))
        totalCost += max(1, cost)
        while totalCost > limit, first < left.count { forgetFirst() }
        if left.count > 64, left.count > 2 * places.count { compact() }
    }

    /// - Returns: Whether the key was there.
    @discardableResult
    mutating func remove(_ hash: Int) -> Bool {
        guard let place = places.removeValue(forKey: hash) else { return false }
        totalCost -= left[place].cost
        return true
    }

    private mutating func forgetFirst() {
        let oldest = left[first]
        if places[oldest.hash] == first {
            places[oldest.hash] = nil
            totalCost -= oldest.cost
        }
        first += 1
    }

    private mutating func compact() {
        let kept = left.indices.filter { places[left[$0].hash] == $0 }.map { left[$0] }
        left = kept
        first = 0
        for (place, one) in kept.enumerated() { places[one.hash] = place }
    }
}
