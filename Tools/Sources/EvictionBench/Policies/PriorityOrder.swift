/// Responses by priority, the lowest first; of two with the same priority the one that got it earlier.
///
/// A binary heap that keeps outdated places until they come up. An operation takes logarithmic time on average.
struct PriorityOrder {
    private struct Place {
        var priority: Double
        var turn: Int
        var response: Int

        func precedes(_ other: Place) -> Bool { (priority, turn) < (other.priority, other.turn) }
    }

    private var heap: [Place] = []
    /// The turn of the place that counts, by response; zero when it has none.
    private var turns: [Int] = []
    private var turn = 0

    mutating func set(_ response: Int, to priority: Double) {
        while turns.count <= response { turns.append(0) }
        turn += 1
        turns[response] = turn
        heap.append(Place(priority: priority, turn: turn, response: response))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    mutating func remove(_ response: Int) {
        if response < turns.count { turns[response] = 0 }
    }

    mutating func removeLowest() -> (response: Int, priority: Double)? {
        while let place = heap.first {
            removeTop()
            guard turns[place.response] == place.turn else { continue }
            turns[place.response] = 0
            return (place.response, place.priority)
        }
        return nil
    }

    private mutating func removeTop() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].precedes(heap[child]) { child += 1 }
            guard heap[child].precedes(heap[parent]) else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
