/// A cache with a budget in bytes that keeps values in use while many new values are used once.
///
/// The queues are those of S3-FIFO (Yang and others, 2023): a new value enters a queue that evicts
/// first once it holds more than a quarter of the budget. Values used by then move to the main queues,
/// the others are evicted; their keys are remembered for a while, and a value that comes back goes
/// straight to the main queues. So values in use survive a scan of any length, up to about three
/// quarters of the budget.
///
/// There are eight main queues, by cost, and small values stay longer: each value gets a rank when it
/// enters, the clock plus the value of its class; the lowest rank is evicted next and sets the clock.
/// A value used meanwhile gets a new rank instead, at most three times. docs/decisions/0008 says why.
///
/// A hit looks up the key and counts, and moves nothing. Not safe to share between threads.
package struct ScanResistantCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// The budget in bytes.
    package let budget: Int
    /// The costs of all values, in bytes; never above ``budget``.
    package private(set) var totalCost = 0

    private var numbers: [Key: Int] = [:]
    private var slots: [CacheSlot<Key, Value>] = []
    private var freeSlots: [Int] = []
    /// The queue of new values, then the main queues by ascending cost.
    private var queues = [CacheQueue](repeating: CacheQueue(), count: 9)
    private var newCost = 0
    private var clock: UInt64 = 0
    private var evictedKeys = EvictedKeys()

    /// The most used values that one insertion passes over before it evicts one, which bounds the time of an insertion.
    private static var sparedAtOnce: Int { 1_000 }

    /// - Parameter budget: Bytes.
    package init(budget: Int) {
        self.budget = budget
    }

    /// The value of a key. Counts as a use.
    package mutating func value(for key: Key) -> Value? {
        guard let number = numbers[key] else { return nil }
        if slots[number].uses < 3 { slots[number].uses += 1 }
        return slots[number].value
    }

    /// Whether a key has a value. Does not count as a use.
    package func contains(_ key: Key) -> Bool { numbers[key] != nil }

    /// Sets the value of a key, and evicts others until the budget holds.
    ///
    /// - Parameter cost: Bytes. A value that costs more than the whole budget is not kept.
    package mutating func set(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= budget else { return }
        let hash = key.hashValue
        // Looked up before others are evicted, because that may forget it.
        let wasKnown = evictedKeys.remove(hash)
        evict(downTo: budget - cost)
        let number = freeSlots.popLast() ?? slots.count
        if number == slots.count { slots.append(CacheSlot()) }
        slots[number].key = key
        slots[number].hash = hash
        slots[number].value = value
        slots[number].cost = cost
        numbers[key] = number
        totalCost += cost
        if wasKnown { enterMain(number) } else { enterNew(number) }
    }

    /// Drops the value of a key. If it was in use and is set again soon, it returns to the main queues.
    package mutating func remove(_ key: Key) {
        guard let number = numbers[key] else { return }
        if slots[number].queue > 0 || slots[number].uses > 0 {
            remember(number)
        }
        drop(number)
    }

    /// Drops all values and all remembered keys.
    package mutating func removeAll() {
        self = ScanResistantCache(budget: budget)
    }

    /// Evicts until the values cost no more than this, for example under memory pressure. The budget does not change.
    ///
    /// - Parameter bytes: Zero or less evicts everything.
    package mutating func trim(to bytes: Int) {
        guard bytes > 0 else { return removeAll() }
        evict(downTo: bytes)
    }
}

// Moves between the queues.
extension ScanResistantCache {
    private mutating func evict(downTo limit: Int) {
        var spared = 0
        while totalCost > limit {
            if newCost > limit / 4 || newCost == totalCost, let oldest = queues[0].first {
                evictNew(oldest)
            } else if let lowest = lowestOfMain() {
                clock = max(clock, slots[lowest].rank)
                if slots[lowest].uses > 0, spared < Self.sparedAtOnce {
                    spared += 1
                    slots[lowest].uses -= 1
                    leaveQueue(lowest)
                    enterMain(lowest)
                } else {
                    drop(lowest)
                }
            } else {
                return
            }
        }
    }

    private mutating func evictNew(_ number: Int) {
        if slots[number].uses > 0 {
            slots[number].uses = 0
            leaveQueue(number)
            enterMain(number)
        } else {
            remember(number)
            drop(number)
        }
    }

    private func lowestOfMain() -> Int? {
        var lowest: Int?
        for queue in 1..<queues.count {
            guard let first = queues[queue].first else { continue }
            if let known = lowest, slots[known].rank <= slots[first].rank { continue }
            lowest = first
        }
        return lowest
    }

    private mutating func enterNew(_ number: Int) {
        newCost += slots[number].cost
        append(number, to: 0)
    }

    /// Under 1 KiB is the first class, each further one holds costs up to twice as high.
    private mutating func enterMain(_ number: Int) {
        let kibibytes = UInt(slots[number].cost / 1_024)
        let sizeClass = min(7, UInt.bitWidth - kibibytes.leadingZeroBitCount)
        slots[number].rank = clock + UInt64(128 >> sizeClass)
        append(number, to: 1 + sizeClass)
    }

    private mutating func append(_ number: Int, to queue: Int) {
        slots[number].queue = queue
        slots[number].before = queues[queue].last
        slots[number].after = nil
        if let last = queues[queue].last { slots[last].after = number } else { queues[queue].first = number }
        queues[queue].last = number
    }

    private mutating func leaveQueue(_ number: Int) {
        let (queue, before, after) = (slots[number].queue, slots[number].before, slots[number].after)
        if let before { slots[before].after = after } else { queues[queue].first = after }
        if let after { slots[after].before = before } else { queues[queue].last = before }
        if queue == 0 { newCost -= slots[number].cost }
    }

    /// The keys of evicted values are remembered up to the bytes of the main queues.
    private mutating func remember(_ number: Int) {
        evictedKeys.insert(slots[number].hash, cost: slots[number].cost, limit: budget - budget / 4)
    }

    private mutating func drop(_ number: Int) {
        leaveQueue(number)
        totalCost -= slots[number].cost
        if let key = slots[number].key { numbers[key] = nil }
        slots[number] = CacheSlot()
        freeSlots.append(number)
    }
}

/// A slot for a value; free if it has none.
private struct CacheSlot<Key: Sendable, Value: Sendable>: Sendable {
    var key: Key?
    var value: Value?
    var hash = 0
    var cost = 0
    var rank: UInt64 = 0
    /// Uses since it entered its queue; at most three.
    var uses: UInt8 = 0
    var queue = 0
    var before: Int?
    var after: Int?
}

private struct CacheQueue: Sendable {
    var first: Int?
    var last: Int?
}
