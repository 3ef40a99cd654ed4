extension RuleList {
    /// Likely mistakes that are allowed, one sentence each: rules that are never reached or never hold, that come
    /// before the safeguards of the web view defaults, or that have settings without effect. Empty if there are none.
    package var warnings: [String] {
        let written = rules.compactMap { $0 as? Rule }
        return warningsAboutSafeguards(written) + Self.warningsAboutOrder(written) + written.flatMap(\.warnings)
            + Self.warningsAboutKeys(keyRules)
    }

    private func warningsAboutSafeguards(_ written: [Rule]) -> [String] {
        let safeguards = Set(Self.webViewSafeguards.names)
        guard let last = written.lastIndex(where: { safeguards.contains($0.name) }) else { return [] }
        let early = written[..<last].filter { rule in
            guard !safeguards.contains(rule.name) else { return false }
            return switch rule.verdict {
            case .neverStore, .bypass, .onlyIfStored: false
            default: true
            }
        }
        guard !early.isEmpty else { return [] }
        let names = early.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ") + (early.count > 3 ? " …" : "")
        let (stands, it) = early.count == 1 ? ("stands", "it") : ("stand", "they")
        return [
            "\(names) \(stands) before the safeguards, so \(it) may store responses with credentials, one-time tokens "
                + "or a payment; begin with { \"include\": \"web-view-safeguards\" }."
        ]
    }

    /// A rule whose conditions are all among those of a later one decides first wherever the later one holds.
    private static func warningsAboutOrder(_ written: [Rule]) -> [String] {
        var order = ConditionOrder()
        var defaults: [Rule] = []
        var hidden: [String] = []
        for (place, rule) in written.enumerated() {
            let isLast = place == written.count - 1
            if rule.conditions.allSatisfy(\.alwaysHolds) {
                return order.warnings + hidden
                    + (isLast
                        ? [] : ["\"\(rule.name)\" holds for everything, so the rules below it are never reached."])
            }
            // The app's own rule in place of a default is no mistake.
            let isDefault = Self.webViewDefaults[rule.name] as? Rule == rule
            if isDefault {
                defaults.append(rule)
            } else if let hiding = defaults.first(where: { $0.hides(rule) }) {
                hidden.append(
                    "\"\(rule.name)\" is never reached: \"\(hiding.name)\" above it, which is included, holds wherever "
                        + "it does; move \"\(rule.name)\" above the include, or leave \"\(hiding.name)\" out by "
                        + "\"without\".")
                continue
            }
            order.add(rule.name, rule.conditions, isExpected: isDefault)
        }
        return order.warnings + hidden
    }

    private static func warningsAboutKeys(_ rules: [KeyRule]) -> [String] {
        var order = ConditionOrder()
        var ends: [String] = []
        for (place, rule) in rules.enumerated() {
            let isLast = place == rules.count - 1
            if rule.conditions.allSatisfy(\.alwaysHolds) {
                if !isLast {
                    ends = ["\"\(rule.name)\" holds for everything, so the rules for keys below it are never reached."]
                }
                break
            }
            order.add(rule.name, rule.conditions, isExpected: false)
        }
        let single = rules.enumerated().flatMap { place, rule in
            // Before other rules it makes an exception from them.
            rule.warnings(isException: rules[(place + 1)...].contains { !$0.isEmpty })
        }
        return order.warnings + ends + single
    }

    /// Which rules hold wherever a later one does, judged by equal conditions.
    private struct ConditionOrder {
        private var numbers: [When: Int] = [:]
        private var above: [(name: String, conditions: Set<Int>)] = []
        private(set) var warnings: [String] = []

        mutating func add(_ name: String, _ conditions: [When], isExpected: Bool) {
            var here: Set<Int> = []
            for condition in conditions.flatMap(\.conjuncts) where !condition.alwaysHolds {
                let number = numbers[condition] ?? numbers.count
                numbers[condition] = number
                here.insert(number)
            }
            if let first = above.first(where: { $0.conditions.isSubset(of: here) }) {
                if !isExpected {
                    warnings.append(
                        "\"\(name)\" is never reached: \"\(first.name)\" above it holds in all its cases.")
                }
                return
            }
            above.append((name, here))
        }
    }
}
