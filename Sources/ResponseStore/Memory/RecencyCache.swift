/// Values under keys with a byte budget; what was used least recently goes first.
struct RecencyCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Slot {
        var value: Value
        var cost: Int
        var lastUse: UInt64
    }

    private var slots: [Key: Slot] = [:]
    private var order: [UInt64: Key] = [:]
    private var oldest: UInt64 = 0
    private var clock: UInt64 = 0
    private(set) var totalCost = 0
    let budget: Int

    init(budget: Int) {
        self.budget = budget
    }

    mutating func value(for key: Key) -> Value? {
        guard var slot = slots[key] else { return nil }
        order[slot.lastUse] = nil
        clock += 1
        slot.lastUse = clock
        order[clock] = key
        slots[key] = slot
        return slot.value
    }

    mutating func set(_ value: Value, for key: Key, cost: Int) {
        remove(key)
        guard cost <= budget else { return }
        clock += 1
        slots[key] = Slot(value: value, cost: cost, lastUse: clock)
        order[clock] = key
        totalCost += cost
        while totalCost > budget {
            oldest += 1
            if let victim = order[oldest] { remove(victim) }
        }
    }

    mutating func remove(_ key: Key) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        order[slot.lastUse] = nil
        totalCost -= slot.cost
    }

    mutating func removeAll() {
        slots.removeAll()
        order.removeAll()
        oldest = clock
        totalCost = 0
    }
}
