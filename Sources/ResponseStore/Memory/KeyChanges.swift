import HTTPCacheSemantics

/// What ``ChangeLog`` keeps for all processes, for one store in memory.
struct KeyChanges {
    private struct Last {
        var invalidated: UInt64?
        var stored: UInt64?
        var refused: UInt64?
    }

    private static let limit = 65_536

    private var count: UInt64 = 0
    private var last: [CacheKey: Last] = [:]
    /// Up to this one changes are forgotten: every key counts as invalidated with it.
    private var forgotten: UInt64 = 0

    var mark: StoreMark { StoreMark(number: count, opening: 0) }

    mutating func note(_ kind: ChangeLog.Kind, _ key: CacheKey) {
        if last.count >= Self.limit { forgetAll() }
        count += 1
        switch kind {
        case .invalidated: last[key, default: Last()].invalidated = count
        case .stored: last[key, default: Last()].stored = count
        case .refused: last[key, default: Last()].refused = count
        }
    }

    mutating func forgetAll() {
        count += 1
        forgotten = count
        last = [:]
    }

    func history(of key: CacheKey, since mark: StoreMark) -> ChangeLog.History {
        ChangeLog.History(
            isInvalidated: max(last[key]?.invalidated ?? 0, forgotten) > mark.number,
            wasStored: last[key]?.stored ?? 0 > mark.number,
            wasRefused: last[key]?.refused ?? 0 > mark.number)
    }
}
