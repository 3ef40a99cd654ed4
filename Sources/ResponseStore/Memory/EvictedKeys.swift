/// The keys that a cache evicted recently: only their hashes, so that no key stays in memory for it.
///
/// Two keys with the same hash count as one, which costs the cache only a wrong guess.
struct EvictedKeys: Sendable {
    private struct Left: Sendable {
        var hash: Int
        var cost: Int
    }

    /// In the order of eviction, from ``first`` on. A hash without an entry in ``places`` has come back
    /// meanwhile.
    private var left: [Left] = []
    private var first = 0
    private var places: [Int: Int] = [:]
    private var totalCost = 0

    /// - Parameters:
    ///   - cost: The cost of the key's value in bytes; counts as at least one.
    ///   - limit: The oldest keys are forgotten until the sum of costs is within this limit.
    mutating func insert(_ hash: Int, cost: Int, limit: Int) {
        remove(hash)
        places[hash] = left.count
        left.append(Left(hash: hash, cost: max(1, cost)))
        totalCost += max(1, cost)
        while totalCost > limit, first < left.count { forgetFirst() }
        if left.count > 64, left.count > 2 * places.count { compact() }
    }

    /// - Returns: Whether the key was present.
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
