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
        if other.verdict == .neverStore, conditions.contains(where: \.looksAtNetwork) { return false }
        let theirs = other.conditions.flatMap(\.conjuncts)
        return !theirs.contains(where: \.neverHolds) && conditions.allSatisfy { $0.covers(theirs) }
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
