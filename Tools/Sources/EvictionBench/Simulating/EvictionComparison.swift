/// Every contender with every budget, on one kind of trace.
package struct EvictionComparison: Sendable {
    /// Budgets as parts of a trace's footprint.
    package static let shares = [0.01, 0.05, 0.1, 0.25, 0.5]

    package var model: BrowsingModel
    /// One trace for each; the results are means.
    package var seeds: [UInt64]
    /// Whether what the memory tier would hold is counted, in place of whole responses.
    package var inMemory: Bool

    package init(model: BrowsingModel, seeds: [UInt64], inMemory: Bool) {
        self.model = model
        self.seeds = seeds
        self.inMemory = inMemory
    }

    /// - Returns: The results and what the traces are like; nothing where there is no template.
    package func run(_ templates: [SiteTemplate]) -> (description: String, results: [EvictionResult]) {
        var means: [EvictionResult] = []
        var lines: [String] = []
        for seed in seeds {
            var seeded = model
            seeded.seed = seed
            let whole = seeded.trace(of: templates)
            guard !whole.steps.isEmpty else { return ("", []) }
            let trace = inMemory ? whole.inMemory : whole
            lines.append("\(trace.steps.count) steps, \(trace.responses.count) responses, \(trace.footprint) bytes")
            let results = results(of: trace)
            if means.isEmpty { means = results } else { means = zip(means, results).map { $0 + $1 } }
        }
        return (lines.joined(separator: "; "), means.map { $0.divided(by: Double(seeds.count)) })
    }

    private func results(of trace: Trace) -> [EvictionResult] {
        let meanSize = trace.footprint / max(1, trace.responses.count)
        return Contender.all.flatMap { contender in
            Self.shares.map { share in
                let budget = Int(Double(trace.footprint) * share)
                let counts = EvictionSimulation.run(trace, contender.make(budget, meanSize), budget: budget)
                return EvictionResult(policy: contender.name, share: share, budget: Double(budget), counts: counts)
            }
        }
    }
}

extension EvictionResult {
    init(policy: String, share: Double, budget: Double, counts: EvictionSimulation.Counts) {
        self.init(
            policy: policy, budget: budget, share: share,
            hitRatio: Double(counts.hits) / Double(max(1, counts.requests)),
            byteHitRatio: Double(counts.hitBytes) / Double(max(1, counts.bytes)),
            costHitRatio: counts.cost > 0 ? counts.hitCost / counts.cost : 0)
    }

    fileprivate static func + (left: Self, right: Self) -> Self {
        EvictionResult(
            policy: left.policy, budget: left.budget + right.budget, share: left.share,
            hitRatio: left.hitRatio + right.hitRatio, byteHitRatio: left.byteHitRatio + right.byteHitRatio,
            costHitRatio: left.costHitRatio + right.costHitRatio)
    }

    fileprivate func divided(by count: Double) -> Self {
        EvictionResult(
            policy: policy, budget: budget / count, share: share, hitRatio: hitRatio / count,
            byteHitRatio: byteHitRatio / count, costHitRatio: costHitRatio / count)
    }
}
