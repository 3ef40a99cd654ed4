import Foundation

/// Results as a table in Markdown: a row for each policy, and for each budget its ratios in per cent.
package enum EvictionTable {
    /// - Parameter withCost: Whether the part of the cost stands behind those of the requests and of the bytes.
    package static func text(_ results: [EvictionResult], withCost: Bool) -> String {
        let shares = EvictionComparison.shares
        let heading = "| policy |" + shares.map { " \(number($0 * 100, digits: 0)) % |" }.joined()
        let rule = "|---|" + shares.map { _ in "--:|" }.joined()
        var names: [String] = []
        for result in results where !names.contains(result.policy) { names.append(result.policy) }
        let rows = names.map { name in
            "| \(name) |"
                + results.filter { $0.policy == name }.map { result in
                    let ratios = [result.hitRatio, result.byteHitRatio] + (withCost ? [result.costHitRatio] : [])
                    return " " + ratios.map { number($0 * 100, digits: 1) }.joined(separator: " · ") + " |"
                }.joined()
        }
        return ([heading, rule] + rows).joined(separator: "\n")
    }

    private static func number(_ value: Double, digits: Int) -> String {
        String(format: "%.\(digits)f", value)
    }
}
