extension KeyRule {
    /// Whether the rule changes no key.
    var isEmpty: Bool { !dropsTracking && dropped.isEmpty && !sortsQuery && target == nil }

    /// Likely mistakes in this rule alone that are allowed, one sentence each.
    ///
    /// - Parameter isException: Whether the rule exempts exchanges from later rules that would change their keys.
    func warnings(isException: Bool) -> [String] {
        if let problem = conditions.lazy.compactMap(\.problem).first { return ["\"\(name)\": \(problem)"] }
        if conditions.contains(where: \.looksAtResponse) {
            return [
                "\"\(name)\" never holds: a cache key is needed before there is a response, so it can't depend on one."
            ]
        }
        if conditions.contains(where: \.neverHolds) { return [When.warning(neverHolds: name)] }
        if isEmpty {
            return isException
                ? [] : ["\"\(name)\" changes no key: it has no drop-tracking, drop-query, sort-query or target."]
        }
        guard let target else { return [] }
        var warnings: [String] = []
        if dropsTracking || !dropped.isEmpty || sortsQuery {
            warnings.append("\"\(name)\" has a target, so its settings for the query have no effect.")
        }
        if conditions.allSatisfy(\.alwaysHolds) {
            warnings.append(
                "\"\(name)\" stores everything of an origin under one address, \(target); give it conditions.")
        }
        return warnings
    }
}
