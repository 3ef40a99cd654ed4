/// S3-FIFO (Yang and others, 2023), with shares in bytes: a small queue for what is new, a main queue for what was
/// asked for again, and a ghost queue of what left the small one unused.
package struct S3FIFO: EvictionPolicy {
    private let budget: Int
    private let smallBudget: Int
    private let usesToStay: UInt8
    private var small = ResponseQueue()
    private var main = ResponseQueue()
    /// Sizes of responses that are not stored any more; as many bytes as the main queue may hold.
    private var ghosts = ResponseQueue()
    /// Times asked for since the queue was entered, three at most.
    private var uses: [UInt8] = []

    /// - Parameters:
    ///   - budget: Bytes.
    ///   - smallShare: The part of the budget that the small queue may take before it must give.
    ///   - usesToStay: How often a response must be asked for in the small queue to move to the main one.
    package init(budget: Int, smallShare: Double = 0.1, usesToStay: UInt8 = 2) {
        self.budget = budget
        self.usesToStay = usesToStay
        smallBudget = Int(Double(budget) * smallShare)
    }

    package var storedBytes: Int { small.bytes + main.bytes }

    package func isStored(_ response: Int) -> Bool { small.contains(response) || main.contains(response) }

    package mutating func use(_ response: Int) -> Bool {
        guard isStored(response) else { return false }
        uses[response] = min(3, uses[response] + 1)
        return true
    }

    package mutating func add(_ response: Int, size: Int, cost: Double) {
        while uses.count <= response { uses.append(0) }
        // Looked at before making room, which may push it out of the ghosts.
        let returns = ghosts.remove(response)
        while storedBytes + size > budget { evict() }
        uses[response] = 0
        if returns { main.append(response, size: size) } else { small.append(response, size: size) }
    }

    private mutating func evict() {
        if small.bytes > smallBudget || main.count == 0, let oldest = small.first, let size = small.size(of: oldest) {
            small.remove(oldest)
            if uses[oldest] >= usesToStay {
                uses[oldest] = 0
                main.append(oldest, size: size)
            } else {
                ghosts.append(oldest, size: size)
                while ghosts.bytes > budget - smallBudget, let forgotten = ghosts.first { ghosts.remove(forgotten) }
            }
        } else if let oldest = main.first {
            if uses[oldest] > 0 {
                uses[oldest] -= 1
                main.moveToEnd(oldest)
            } else {
                main.remove(oldest)
            }
        }
    }
}
