extension RuleList {
    /// A target for the cache key, and the rule that gave it.
    public struct Keying: Hashable, Sendable {
        /// Path and query.
        public var target: String
        /// The name of the rule.
        public var rule: String
    }

    /// The list with these rules for keys besides those it has.
    public func keyed(by rules: KeyRule...) -> RuleList {
        var list = self
        list.keyRules += rules
        return list
    }

    /// The path and query to build the cache key from, by the first key rule that applies; `nil` where the request's
    /// own stay, which costs nothing without such rules.
    public func keying(for exchange: Exchange) -> Keying? {
        for rule in keyRules {
            if let target = rule.target(for: exchange) {
                return target == exchange.request.path ? nil : Keying(target: target, rule: rule.name)
            }
        }
        return nil
    }
}
