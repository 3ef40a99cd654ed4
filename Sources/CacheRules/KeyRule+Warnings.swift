extension KeyRule {
    /// Whether it leaves every key as it is.
    var isEmpty: Bool { !dropsTracking && dropped.isEmpty && !sortsQuery && target == nil }

    /// What is allowed and most likely not meant about this rule by itself, a sentence each.
    ///
    /// - Parameter isException: Whether rules below it would change the keys that it takes from them.
    func warnings(isException: Bool) -> [String] {
        if let problem = conditions.lazy.compactMap(\.problem).first { return ["\"\(name)\": \(problem)"] }
        if conditions.contains(where: \.looksAtResponse) {
            return ["\"\(name)\" never holds: a key is needed before there is a response, so it can't depend on one."]
        }
        if conditions.contains(where: \.neverHolds) { return [When.warning(neverHolds: name)] }
        if isEmpty {
            return isException
                ? [] : ["\"\(name)\" changes no key: it has no drop-tracking, drop-query, sort-query or target."]
        }
        guard let target else { return [] }
        var warnings: [String] = []
        if dropsTracking || !dropped.isEmpty || sortsQuery {
            warnings.append("\"\(name)\" has a target, so what it says about the query has no effect.")
        }
        if conditions.allSatisfy(\.alwaysHolds) {
            warnings.append(
                "\"\(name)\" keeps everything of an origin under one address, \(target); give it conditions.")
        }
        return warnings
    }
}
