import HTTPCacheSemantics

/// The changes to the keys of one store in memory; ``ChangeLog`` records them for all processes. As there, an
/// invalidation counts for all sites.
struct KeyChanges {
    private struct Last {
        var invalidated: UInt64?
        var stored: UInt64?
        var refused: UInt64?
    }

    private static let limit = 65_536

    private var count: UInt64 = 0
    private var last: [CacheKey: Last] = [:]
    /// The number up to which changes are forgotten: every key counts as invalidated by that change.
    private var forgotten: UInt64 = 0

    var mark: StoreMark { StoreMark(number: count, opening: 0) }

    mutating func note(_ change: KeyChange, _ key: CacheKey) {
        if last.count >= Self.limit { forgetAll() }
        count += 1
        switch change {
        case .invalidated: last[key.withoutSite, default: Last()].invalidated = count
        case .stored: last[key, default: Last()].stored = count
        case .refused: last[key, default: Last()].refused = count
        }
    }

    mutating func forgetAll() {
        count += 1
        forgotten = count
        last = [:]
    }

    func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory {
        KeyHistory(
            isInvalidated: key.invalidations.reduce(forgotten) { max($0, last[$1]?.invalidated ?? 0) } > mark.number,
            wasStored: last[key]?.stored ?? 0 > mark.number,
            wasRefused: last[key]?.refused ?? 0 > mark.number)
    }
}
