extension RuleList {
    /// A target for the cache key, and the rule that gave it.
    package struct Keying: Hashable, Sendable {
        /// Path and query.
        package var target: String
        /// The name of the rule.
        package var rule: String
    }

    /// The list with these rules for keys added.
    package func keyed(by rules: KeyRule...) -> RuleList {
        var list = self
        list.keyRules += rules
        return list
    }

    /// The path and query for the cache key, by the first key rule that applies; `nil` if the request's own stay.
    package func keying(for exchange: Exchange) -> Keying? {
        for rule in keyRules {
            if let target = rule.target(for: exchange) {
                return target == exchange.request.path ? nil : Keying(target: target, rule: rule.name)
            }
        }
        return nil
    }
}
