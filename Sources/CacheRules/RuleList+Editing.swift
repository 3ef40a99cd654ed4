extension RuleList {
    /// The names of the rules, in order.
    public var names: [String] { rules.map(\.name) }

    /// The first rule of this name.
    package subscript(name: String) -> (any CacheRule)? { rules.first { $0.name == name } }

    /// The list with another rule in place of those of this name; unchanged if there is none.
    package func replacing(_ name: String, with replacement: some CacheRule) -> RuleList {
        with(rules.map { $0.name == name ? replacement : $0 })
    }

    /// The list without the rules of these names.
    package func removing(_ names: String...) -> RuleList {
        with(rules.filter { !names.contains($0.name) })
    }

    /// The list with a rule before the one of this name, or at the end if there is none.
    package func inserting(_ rule: some CacheRule, before name: String) -> RuleList {
        var rules = rules
        rules.insert(rule, at: rules.firstIndex { $0.name == name } ?? rules.endIndex)
        return with(rules)
    }

    private func with(_ rules: [any CacheRule]) -> RuleList {
        var list = self
        list.rules = rules
        return list
    }
}
