import HTTPCacheSemantics

/// Entries in use, and the places of many more, known without the index. Valid only until another
/// process changes the index.
struct MemoryTier: Sendable {
    /// The result of a look-up.
    enum Finding: Sendable {
        case entries([StoredEntry])
        case location(LocationTable.Location)
        case nothing
    }

    private var cache: RecentCache<CacheKey, [StoredEntry]>
    private var locations = LocationTable()
    /// The state of the index that this reflects.
    private var stamp: IndexStamp?
    /// The state at the beginning of this process's running transaction: the next state is its own.
    private var writing: IndexStamp?
    /// Counts changes, so that a slow read can't restore an entry that a commit has replaced.
    private(set) var generation: UInt64 = 0

    init(budget: Int) {
        cache = RecentCache(budget: budget)
    }

    /// Whether eviction is near, so that recent uses matter.
    var isNearlyFull = false

    /// The uses that are not in the index yet.
    var uses = UnwrittenUses()

    /// Records uses of entries.
    ///
    /// - Returns: Whether the uses should be written now. Otherwise the next change writes them.
    mutating func use(_ entries: [StoredEntry], at now: WallInstant) -> Bool {
        uses.add(entries, at: now, mattersSoon: isNearlyFull)
    }

    /// Releases memory.
    mutating func trim(to bytes: Int) {
        cache.trim(to: bytes)
        if bytes <= 0 { locations.removeAll() }
    }

    mutating func find(_ key: CacheKey, at current: IndexStamp?) -> Finding {
        guard isValid(at: current) else { return .nothing }
        if let entries = cache.value(for: key) { return .entries(entries) }
        return locations.location(of: key).map { .location($0) } ?? .nothing
    }

    /// Drops everything if another process has changed the index.
    private mutating func isValid(at current: IndexStamp?) -> Bool {
        guard let current else { return false }
        if current == stamp { return true }
        if let writing, current.isNext(after: writing) { return true }
        removeAll()
        stamp = current
        return true
    }

    /// Keeps a result, unless something changed after the read began.
    mutating func remember(
        _ entries: [StoredEntry], at location: LocationTable.Location?, for key: CacheKey, readIn generation: UInt64
    ) {
        guard generation == self.generation else { return }
        keep(entries, for: key)
        if let location { locations.set(location, for: key) }
    }

    private mutating func keep(_ entries: [StoredEntry], for key: CacheKey) {
        let cost = entries.reduce(0) { $0 + ($1.inlineBody?.count ?? 0) + 1_024 }
        cache.set(entries, for: key, cost: cost)
    }

    /// This process's transaction has begun, and no other process can change the index until it ends.
    mutating func beginWriting(at current: IndexStamp?) {
        _ = isValid(at: current)
        writing = current
    }

    /// The transaction has ended.
    ///
    /// - Parameters:
    ///   - keys: The changed keys; `nil` for too many to list.
    ///   - fresh: The new entries that are the only ones of their keys.
    mutating func endWriting(_ keys: Set<CacheKey>?, keeping fresh: [CacheKey: StoredEntry], at current: IndexStamp?) {
        defer { writing = nil }
        guard let keys, let writing, let current, current == writing || current.isNext(after: writing) else {
            removeAll()
            stamp = current
            return
        }
        stamp = current
        for key in keys { forget(key) }
        for (key, entry) in fresh { keep([entry], for: key) }
    }

    mutating func forget(_ key: CacheKey) {
        generation += 1
        cache.remove(key)
        locations.remove(key)
    }

    mutating func removeAll() {
        generation += 1
        cache.removeAll()
        locations.removeAll()
    }
}

/// Uses of entries that are not in the index yet: how many, and the last time.
struct UnwrittenUses: Sendable {
    struct Use: Hashable, Sendable {
        var count: Int
        /// Exact to a day.
        var last: WallInstant

        mutating func add(_ other: Use) {
            count += other.count
            last = max(last, other.last)
        }
    }

    /// The number of used entries after which the uses are written.
    static let writtenAtOnce = 256
    /// The precision of last uses.
    private static let day = Duration.seconds(86_400)
    /// The longest time before uses are written, at the next use.
    private static let longestWait = Duration.seconds(3_600)
    /// The most entries that are remembered as used on a day, and the most that wait to be written.
    private static let usedTodayLimit = 65_536

    private var uses: [StoredEntry.ID: Use] = [:]
    /// The uses that a transaction is writing.
    private var beingWritten: [StoredEntry.ID: Use] = [:]
    /// When the oldest use must be written; relevant only while there are any.
    private var due = WallInstant(sinceEpoch: .zero)
    /// Whether a write was requested and is not done, or has failed: then only time requests it again.
    private var isAskedFor = false
    /// Entries stored or validated more than a day ago whose use on ``usedDay`` is recorded.
    private var usedToday: Set<StoredEntry.ID> = []
    private var usedDay = Duration.zero

    /// Records uses of entries.
    ///
    /// - Parameter mattersSoon: Whether eviction is near, so that recent uses matter.
    /// - Returns: Whether the uses should be written now. Otherwise the next change writes them.
    mutating func add(_ entries: [StoredEntry], at now: WallInstant, mattersSoon: Bool) -> Bool {
        var isDue = mattersSoon
        for entry in entries {
            // Within a day of storing or validation, the time of that is precise enough as the last use.
            let isFirstToday = now - entry.response.responseTime >= Self.day && noteDay(entry.id, now)
            isDue = isDue || isFirstToday
            if uses.count < Self.writtenAtOnce || isFirstToday && uses.count < Self.usedTodayLimit {
                if uses.isEmpty { due = now + Self.longestWait }
                uses[entry.id, default: Use(count: 0, last: now)].add(Use(count: 1, last: now))
            }
        }
        // Also if the clock was set back since.
        if now >= due || due - now > Self.longestWait, !uses.isEmpty {
            due = now + Self.longestWait
            return true
        }
        guard isDue, uses.count >= Self.writtenAtOnce, !isAskedFor else { return false }
        isAskedFor = true
        return true
    }

    private mutating func noteDay(_ id: StoredEntry.ID, _ now: WallInstant) -> Bool {
        if now.sinceEpoch < usedDay || now.sinceEpoch >= usedDay + Self.day
            || usedToday.count >= Self.usedTodayLimit
        {
            usedToday = []
            usedDay = now.sinceEpoch
        }
        return usedToday.insert(id).inserted
    }

    /// Returns the uses to write; call ``endWriting(succeeded:)`` with the result.
    mutating func beginWriting() -> [StoredEntry.ID: Use] {
        (beingWritten, uses, isAskedFor) = (uses, [:], false)
        return beingWritten
    }

    /// Uses that were not written are kept for the next time.
    mutating func endWriting(succeeded: Bool) {
        if !succeeded, !beingWritten.isEmpty {
            uses.merge(beingWritten) { $0.adding($1) }
            isAskedFor = true
        }
        beingWritten = [:]
    }

    /// All uses that may not be in the index yet.
    var all: [StoredEntry.ID: Use] { uses.merging(beingWritten) { $0.adding($1) } }
}

extension UnwrittenUses.Use {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum.add(other)
        return sum
    }
}
