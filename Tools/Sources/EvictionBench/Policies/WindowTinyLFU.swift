/// W-TinyLFU (Einziger and others, 2017): a small LRU window, and a main part that takes in what
/// leaves the window only if it was asked for more often than all that would have to go for it. The
/// main part is LRU in two segments.
package struct WindowTinyLFU: EvictionPolicy {
    private let budget: Int
    private let windowBudget: Int
    private let protectedBudget: Int
    private var window = ResponseQueue()
    private var probation = ResponseQueue()
    private var protected = ResponseQueue()
    private var sketch: FrequencySketch

    /// - Parameters:
    ///   - budget: Bytes.
    ///   - meanSize: Bytes of a response on average, from which the size of the sketch follows.
    ///   - windowShare: The part of the budget that is the window.
    package init(budget: Int, meanSize: Int, windowShare: Double = 0.01) {
        self.budget = budget
        windowBudget = Int(Double(budget) * windowShare)
        protectedBudget = Int(Double(budget) * (1 - windowShare) * 0.8)
        sketch = FrequencySketch(capacity: budget / max(1, meanSize))
    }

    package var storedBytes: Int { window.bytes + probation.bytes + protected.bytes }

    package func isStored(_ response: Int) -> Bool {
        window.contains(response) || probation.contains(response) || protected.contains(response)
    }

    package mutating func use(_ response: Int) -> Bool {
        sketch.note(response)
        if window.contains(response) {
            window.moveToEnd(response)
        } else if let size = probation.size(of: response) {
            probation.remove(response)
            protected.append(response, size: size)
            while protected.bytes > protectedBudget, let oldest = protected.first,
                let size = protected.size(of: oldest)
            {
                protected.remove(oldest)
                probation.append(oldest, size: size)
            }
        } else if protected.contains(response) {
            protected.moveToEnd(response)
        } else {
            return false
        }
        return true
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        window.append(response, size: size)
        while window.bytes > windowBudget, let candidate = window.first, let size = window.size(of: candidate) {
            window.remove(candidate)
            admit(candidate, size: size)
        }
    }

    private mutating func admit(_ candidate: Int, size: Int) {
        let room = budget - windowBudget
        var victims: [Int] = []
        var freed = 0
        var uses = 0
        var next = probation.first ?? protected.first
        while probation.bytes + protected.bytes - freed + size > room, let victim = next {
            victims.append(victim)
            freed += probation.size(of: victim) ?? protected.size(of: victim) ?? 0
            uses += sketch.count(victim)
            next =
                probation.contains(victim) && probation.last == victim
                ? protected.first : probation.successor(of: victim) ?? protected.successor(of: victim)
        }
        guard size <= room else { return }
        if !victims.isEmpty, sketch.count(candidate) <= uses { return }
        for victim in victims where !probation.remove(victim) { protected.remove(victim) }
        probation.append(candidate, size: size)
    }
}
