import HTTPCacheSemantics

/// The changes to the keys of one store in memory; ``ChangeLog`` records them for all processes. As there, an
/// invalidation counts for all sites.
struct KeyChanges {
    private static let limit = 65_536

    private var count: UInt64 = 0
    /// The number of the last change of each kind.
    private var last: [CacheKey: [KeyChange: UInt64]] = [:]
    /// The number up to which changes are forgotten: every key counts as invalidated by that change.
    private var forgotten: UInt64 = 0

    var mark: StoreMark { StoreMark(number: count, opening: 0) }

    mutating func note(_ change: KeyChange, _ key: CacheKey) {
        if last.count >= Self.limit { forgetAll() }
        count += 1
        last[change == .invalidated ? key.withoutSite : key, default: [:]][change] = count
    }

    mutating func forgetAll() {
        count += 1
        forgotten = count
        last = [:]
    }

    func history(of key: CacheKey, since mark: StoreMark) -> KeyHistory {
        KeyHistory(
            isInvalidated: key.invalidations.reduce(forgotten) { max($0, last[$1]?[.invalidated] ?? 0) } > mark.number,
            wasStored: last[key]?[.stored] ?? 0 > mark.number,
            wasRefused: last[key]?[.refused] ?? 0 > mark.number)
    }
}
