extension RuleList {
    /// A target for the cache key, and the rule that gave it.
    public struct Keying: Hashable, Sendable {
        /// Path and query.
        public var target: String
        /// The name of the rule.
        public var rule: String
    }

    /// The list with these rules for keys added.
    public func keyed(by rules: KeyRule...) -> RuleList {
        var list = self
        list.keyRules += rules
        return list
    }

    /// The path and query for the cache key, by the first key rule that applies; `nil` if the request's own stay.
    public func keying(for exchange: Exchange) -> Keying? {
        for rule in keyRules {
            if let target = rule.target(for: exchange) {
                return target == exchange.request.path ? nil : Keying(target: target, rule: rule.name)
            }
        }
        return nil
    }
}
