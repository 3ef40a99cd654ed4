/// What rules forbid to keep, for whoever goes through what is stored.
extension RuleList {
    /// Of the rules, those that may have the verdict `never-store`: written ones that have it, and all of the app's own
    /// types, which may say so of anything. `nil` where there are none.
    public var forbidding: RuleList? {
        let rules = rules.filter { ($0 as? Rule).map { $0.verdict == .neverStore } ?? true }
        return rules.isEmpty ? nil : RuleList(rules)
    }

    /// Whether fields of a response besides its `Content-Type` may change the policy's decision.
    public var looksAtFields: Bool {
        rules.contains { rule in
            (rule as? Rule).map { $0.conditions.contains { $0.looksAtFields } } ?? rule.looksAtResponse
        }
    }
}
