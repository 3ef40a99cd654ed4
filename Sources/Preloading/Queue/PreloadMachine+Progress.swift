import HTTPCacheSemantics

extension PreloadMachine {
    var summary: PreloadSummary {
        var summary = Self.summary(of: entries.values)
        summary.transferred = transferred
        return summary
    }

    /// Without items for a name that no set has.
    func summary(of set: String) -> PreloadSummary {
        Self.summary(of: (sets[set]?.ids ?? []).compactMap { entries[$0] })
    }

    private static func summary(of entries: some Sequence<Entry>) -> PreloadSummary {
        var summary = PreloadSummary()
        for entry in entries {
            summary.transferred += entry.transferred
            summary.items += entry.item.isOptional ? 0 : 1
            switch entry.state {
            case .verified where !entry.item.isOptional: summary.verified += 1
            case .refused(let refusal) where !entry.item.isOptional: summary.refused[refusal.reason, default: 0] += 1
            case .waiting(let wait):
                summary.waiting[wait.reason, default: 0] += 1
                guard let until = wait.until, !entry.isSuspended else { continue }
                summary.next = min(summary.next ?? until, until)
            case .held where !entry.item.isOptional: summary.waiting[.incompleteRelease, default: 0] += 1
            case .queued, .fetching, .placing, .verified, .refused, .held: break
            }
        }
        return summary
    }
}
