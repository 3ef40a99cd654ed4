import HTTPCacheSemantics

/// The place on the disk of the single entry of a key, for so many keys that the index is rarely queried again.
///
/// 32 bytes for each slot, at most ``placeLimit`` slots. It forgets keys beyond its capacity, and its results must be
/// checked against the record: two keys may have the same hash.
struct LocationTable: Sendable {
    struct Location: Hashable, Sendable {
        var head: SegmentRange
        /// `nil` for a body in a file.
        var body: SegmentRange?
    }

    private struct Place {
        /// 0 for a free slot.
        var fingerprint: UInt64 = 0
        var head = SegmentRange(segment: 0, offset: 0, length: 0)
        var body = SegmentRange(segment: 0, offset: 0, length: 0)
    }

    /// 1,048,576 slots, 32 MiB.
    static let placeLimit = 1 << 20
    private static let ways = 4

    private var places: [Place] = Array(repeating: Place(), count: 1_024)
    private var count = 0
    private var victim = 0

    /// Seeded per process, so that an attacker can't choose keys that collide.
    private static func fingerprint(_ key: CacheKey) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(key)
        return UInt64(bitPattern: Int64(hasher.finalize())) | 1
    }

    /// The possible slots of a key.
    private func places(for fingerprint: UInt64) -> Range<Int> {
        let sets = UInt64(places.count / Self.ways)
        let start = Int((fingerprint >> 1) & (sets - 1)) * Self.ways
        return start..<start + Self.ways
    }

    func location(of key: CacheKey) -> Location? {
        let fingerprint = Self.fingerprint(key)
        for index in places(for: fingerprint) where places[index].fingerprint == fingerprint {
            let place = places[index]
            return Location(head: place.head, body: place.body.segment == 0 ? nil : place.body)
        }
        return nil
    }

    mutating func set(_ location: Location, for key: CacheKey) {
        if count * 4 > places.count * 3, places.count < Self.placeLimit { grow() }
        let fingerprint = Self.fingerprint(key)
        insert(
            Place(
                fingerprint: fingerprint, head: location.head,
                body: location.body ?? SegmentRange(segment: 0, offset: 0, length: 0)))
    }

    private mutating func insert(_ place: Place) {
        let set = places(for: place.fingerprint)
        let known = set.first { places[$0].fingerprint == place.fingerprint }
        if let index = known ?? set.first(where: { places[$0].fingerprint == 0 }) {
            if known == nil { count += 1 }
            places[index] = place
        } else {
            victim = (victim + 1) % Self.ways
            places[set.lowerBound + victim] = place
        }
    }

    private mutating func grow() {
        let old = places
        places = Array(repeating: Place(), count: old.count * 2)
        count = 0
        for place in old where place.fingerprint != 0 { insert(place) }
    }

    mutating func remove(_ key: CacheKey) {
        let fingerprint = Self.fingerprint(key)
        for index in places(for: fingerprint) where places[index].fingerprint == fingerprint {
            places[index] = Place()
            count -= 1
        }
    }

    mutating func removeAll() {
        self = LocationTable()
    }
}

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
            isInvalidated: max(last[key.withoutSite]?.invalidated ?? 0, forgotten) > mark.number,
            wasStored: last[key]?.stored ?? 0 > mark.number,
            wasRefused: last[key]?.refused ?? 0 > mark.number)
    }
}
