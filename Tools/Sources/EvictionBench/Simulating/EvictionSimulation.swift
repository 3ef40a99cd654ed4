/// Plays a trace to a policy and counts.
package enum EvictionSimulation {
    /// Steps at the start that warm the store and don't count: a tenth.
    package static let warmUp = 10

    /// The savings of one policy with one budget. Responses over a quarter of it are not offered.
    package static func run(_ trace: Trace, _ policy: some EvictionPolicy, budget: Int) -> Counts {
        var policy = policy
        var counts = Counts()
        for (position, step) in trace.steps.enumerated() {
            switch step {
            case .request(let number):
                let response = trace.responses[number]
                let isHit = policy.use(number)
                if position >= trace.steps.count / warmUp { counts.note(response, isHit: isHit) }
                if !isHit, response.size <= budget / 4 { policy.add(number, size: response.size, cost: response.cost) }
            case .preload(let number):
                let response = trace.responses[number]
                if !policy.isStored(number), response.size <= budget / 4 {
                    policy.add(number, size: response.size, cost: response.cost)
                }
            }
            counts.largest = max(counts.largest, policy.storedBytes)
        }
        return counts
    }

    /// Sums over the requests of a trace.
    package struct Counts: Sendable {
        package private(set) var requests = 0
        package private(set) var hits = 0
        package private(set) var bytes = 0
        package private(set) var hitBytes = 0
        package private(set) var cost = 0.0
        package private(set) var hitCost = 0.0
        /// The most bytes that were stored at any time.
        package fileprivate(set) var largest = 0

        fileprivate mutating func note(_ response: TracedResponse, isHit: Bool) {
            requests += 1
            bytes += response.size
            cost += response.cost
            guard isHit else { return }
            hits += 1
            hitBytes += response.size
            hitCost += response.cost
        }
    }
}
