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

    /// A rule that holds wherever a later one does decides first.
    private static func warningsAboutOrder(_ written: [Rule]) -> [String] {
        var above: [(rule: Rule, isDefault: Bool)] = []
        var warnings: [String] = []
        for (place, rule) in written.enumerated() {
            if rule.conditions.allSatisfy(\.alwaysHolds) {
                if place < written.count - 1 {
                    warnings.append(
                        "\"\(rule.name)\" holds for everything, so the rules below it are never reached.")
                }
                break
            }
            // The app's own rule in place of a default is no mistake.
            let isDefault = Self.webViewDefaults[rule.name] as? Rule == rule
            guard !isDefault,
                let hiding = above.first(where: { $0.rule.hides(rule) || $0.isDefault && $0.rule.nearlyHides(rule) })
            else {
                above.append((rule, isDefault))
                continue
            }
            let name = hiding.rule.name
            let exceptions = hiding.rule.hides(rule) ? "" : " but for its \"not\""
            warnings.append(
                hiding.isDefault
                    ? "\"\(rule.name)\" is never reached: \"\(name)\" above it, which is included, holds wherever it "
                        + "does\(exceptions); move \"\(rule.name)\" above the include, or leave \"\(name)\" out by "
                        + "\"without\"."
                    : neverReached(rule.name, below: name))
        }
        return warnings
    }

    private static func warningsAboutKeys(_ rules: [KeyRule]) -> [String] {
        var above: [KeyRule] = []
        var warnings: [String] = []
        // Own rules come before the included ones, and may make these needless.
        let rules = rules.filter { !RuleList.webViewDefaults.keyRules.contains($0) }
        for (place, rule) in rules.enumerated() {
            if rule.conditions.allSatisfy(\.alwaysHolds) {
                if place < rules.count - 1 {
                    warnings.append(
                        "\"\(rule.name)\" holds for everything, so the rules for keys below it are never reached.")
                }
                break
            }
            if let hiding = above.first(where: { When.covers($0.conditions, rule.conditions) }) {
                warnings.append(neverReached(rule.name, below: hiding.name))
            } else {
                above.append(rule)
            }
        }
        let single = rules.enumerated().flatMap { place, rule in
            // Before other rules it makes an exception from them.
            rule.warnings(isException: rules[(place + 1)...].contains { !$0.isEmpty })
        }
        return warnings + single
    }

    private static func neverReached(_ name: String, below hiding: String) -> String {
        "\"\(name)\" is never reached: \"\(hiding)\" above it holds in all its cases."
    }
}

extension Rule {
    /// Likely mistakes in this rule alone that are allowed, one sentence each.
    var warnings: [String] {
        if let problem = conditions.lazy.compactMap(\.problem).first { return ["\"\(name)\": \(problem)"] }
        if conditions.contains(where: \.neverHolds) { return [When.warning(neverHolds: name)] }
        return [warningAboutStoring, warningAboutTime].compactMap { $0 }
    }

    /// Whether a rule below this one is never asked, because this one holds wherever that one does.
    func hides(_ other: Rule) -> Bool {
        // A never-store below a rule about the network comes first.
        if other.verdict == .neverStore, conditions.inputs.contains(.network) { return false }
        return When.covers(conditions, other.conditions)
    }

    /// Whether it would hide the other one without its exceptions, and that one is not made for them.
    func nearlyHides(_ other: Rule) -> Bool {
        func isException(_ condition: When) -> Bool { if case .not = condition.kind { true } else { false } }
        func isForUse(_ condition: When) -> Bool { if case .destination = condition.kind { true } else { false } }
        return conditions.contains(where: isException)
            && !other.conditions.flatMap(\.conjuncts).contains(where: isForUse)
            && When.covers(conditions.filter { !isException($0) }, other.conditions)
    }

    /// Settings that have no effect under the verdict.
    private var warningAboutStoring: String? {
        let reason: String
        var keys: [RuleKey] = []
        switch verdict {
        case .neverStore, .bypass, .onlyIfStored:
            reason = "keeps nothing"
            // A stored response may answer despite its Vary.
            if !ignoring.isEmpty, verdict != .onlyIfStored { keys.append(.ignoring) }
            if expiry != nil { keys.append(.expiry) }
            if validation != .get { keys.append(.validateWith) }
            if !tags.isEmpty { keys.append(.tags) }
        case .reload:
            reason = "validates nothing"
            if validation != .get { keys.append(.validateWith) }
        default: return nil
        }
        guard let last = keys.last else { return nil }
        let names = keys.dropLast().map(\.rawValue).joined(separator: ", ")
        let (its, have) = names.isEmpty ? ("", "has") : (names + " and ", "have")
        return "\"\(name)\" \(reason), so its \(its)\(last.rawValue) \(have) no effect."
    }

    private var warningAboutTime: String? {
        switch verdict {
        case .fresh(let duration) where duration <= .zero:
            "\"\(name)\" makes nothing fresh, for 0 s; \"revalidate\" validates stored responses before every use."
        case .staleWhileRevalidate(let window?) where window <= .zero,
            .staleIfError(let window) where window <= .zero:
            "\"\(name)\" has a window of 0 s, in which nothing answers."
        case .networkFirst(let timeout?) where timeout <= .zero:
            "\"\(name)\" gives the origin 0 s, so a stored response always answers; \"stale-while-revalidate\" means "
                + "the same, and \"network-first\" without a time-out waits."
        default: nil
        }
    }
}

extension KeyRule {
    /// Whether the rule changes no key.
    var isEmpty: Bool { !dropsTracking && dropped.isEmpty && !sortsQuery && !normalizesEscapes && target == nil }

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
            let settings = "drop-tracking, drop-query, sort-query, normalize-escapes or target"
            return isException ? [] : ["\"\(name)\" changes no key: it has no \(settings)."]
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
