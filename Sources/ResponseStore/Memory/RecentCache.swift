/// A cache with a budget that keeps what was used last, roughly: a queue whose used members get another turn.
///
/// A hit marks its value and moves nothing. When room is needed, the value that came first is dropped; one that was
/// used since it came, or since its last turn, goes to the end of the queue instead. Not safe to share between threads.
package struct RecentCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        var value: Value
        var cost: Int
        /// Its turn in the queue; other turns of the same key are over.
        var turn: Int
        var wasUsed = false
    }

    /// The budget, in bytes or another unit of costs.
    package let budget: Int
    /// The costs of all values; never above ``budget``.
    package private(set) var totalCost = 0

    private var slots: [Key: Slot] = [:]
    private var queue: [(key: Key, turn: Int)] = []
    /// The place of the next turn in ``queue``; those before are over.
    private var next = 0
    private var lastTurn = 0

    package init(budget: Int) {
        self.budget = budget
    }

    /// The value of a key. Counts as a use.
    package mutating func value(for key: Key) -> Value? {
        guard let place = slots.index(forKey: key) else { return nil }
        slots.values[place].wasUsed = true
        return slots.values[place].value
    }

    /// Whether a key has a value. Does not count as a use.
    package func contains(_ key: Key) -> Bool { slots[key] != nil }

    /// Sets the value of a key, and drops others until the budget holds. A value that costs more than the whole budget
    /// is not kept.
    package mutating func set(_ value: Value, for key: Key, cost: Int = 1) {
        remove(key)
        guard cost <= budget else { return }
        trim(to: budget - cost)
        // Removed keys leave their turns behind.
        if queue.count > 2 * slots.count + 64 {
            queue = queue[next...].filter { slots[$0.key]?.turn == $0.turn }
            next = 0
        }
        lastTurn += 1
        slots[key] = Slot(value: value, cost: cost, turn: lastTurn)
        queue.append((key, lastTurn))
        totalCost += cost
    }

    package mutating func remove(_ key: Key) {
        totalCost -= slots.removeValue(forKey: key)?.cost ?? 0
    }

    package mutating func removeAll() {
        self = RecentCache(budget: budget)
    }

    /// Drops values until the rest costs no more than this, for example under memory pressure. The budget does not
    /// change.
    package mutating func trim(to limit: Int) {
        while totalCost > max(0, limit), next < queue.count {
            let (key, turn) = queue[next]
            next += 1
            guard let place = slots.index(forKey: key), slots.values[place].turn == turn else { continue }
            if slots.values[place].wasUsed {
                slots.values[place].wasUsed = false
                queue.append((key, turn))
            } else {
                remove(key)
            }
        }
    }
}
