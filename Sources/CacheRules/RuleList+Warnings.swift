extension RuleList {
    /// What is allowed and most likely not meant, a sentence each: rules that are never reached, that come before the
    /// safeguards of the web view defaults, or that say what has no effect. Empty where there is nothing to say.
    public var warnings: [String] {
        let written = rules.compactMap { $0 as? Rule }
        return warningsAboutSafeguards(written) + Self.warningsAboutEnds(written)
            + written.filter { $0.verdict == .neverStore && !($0.tags.isEmpty && $0.expiry == nil) }.map {
                "\"\($0.name)\" keeps nothing, so its tags and its expiry have no effect."
            }
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
            "\(names) \(stands) before the safeguards, so \(it) may keep what carries credentials, one-time tokens or a "
                + "payment; begin with { \"include\": \"web-view-safeguards\" }."
        ]
    }

    private static func warningsAboutEnds(_ written: [Rule]) -> [String] {
        guard let end = written.firstIndex(where: { $0.conditions.isEmpty }), end < written.count - 1 else { return [] }
        return [
            "\"\(written[end].name)\" has no conditions, so no rule below it is ever reached."
        ]
    }
}
