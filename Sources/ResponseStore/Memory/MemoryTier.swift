import HTTPCacheSemantics
import HTTPTypes

/// Entries in use, known without the index. Valid only until another process changes the index.
struct MemoryTier: Sendable {
    private var cache: RecentCache<CacheKey, [StoredEntry]>
    /// The state of the index that this reflects.
    private var stamp: IndexStamp?
    /// The state of the index in which the distrusted hosts were read.
    var distrustStamp: IndexStamp?
    /// Whether a transaction of this process is running, or has committed and not been accounted for yet.
    private var isWriting = false
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
    mutating func trim(to bytes: Int) { cache.trim(to: bytes) }

    /// Whether it has entries of a key, valid or not. If not, nobody need ask whether the index has changed. Also true
    /// before the first stamp is known.
    func holds(_ key: CacheKey) -> Bool { stamp == nil || cache.contains(key) }

    mutating func find(_ key: CacheKey, at current: IndexStamp?) -> [StoredEntry]? {
        catchUp(with: current) ? cache.value(for: key) : nil
    }

    /// Drops everything if another process has changed the index.
    ///
    /// - Returns: Whether what is left may answer.
    private mutating func catchUp(with current: IndexStamp?) -> Bool {
        guard let current else { return false }
        if current == stamp { return true }
        // Our own commit, or another process's right after it: the end of the transaction says which.
        if isWriting { return false }
        removeAll()
        stamp = current
        return true
    }

    /// Keeps a result, unless something changed after the read began.
    mutating func remember(_ entries: [StoredEntry], for key: CacheKey, readIn generation: UInt64) {
        if generation == self.generation { keep(entries, for: key) }
    }

    private mutating func keep(_ entries: [StoredEntry], for key: CacheKey) {
        let cost = entries.reduce(0) { $0 + ($1.inlineBody?.count ?? 0) + 2 * Self.length($1.response.fields) + 512 }
        cache.set(entries, for: key, cost: cost)
    }

    /// The octets of a head, of which an entry that answers has as many again to send.
    private static func length(_ fields: HTTPFields) -> Int {
        fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
    }

    /// This process's transaction has begun, and no other process can change the index until it ends.
    mutating func beginWriting(at current: IndexStamp?) {
        _ = catchUp(with: current)
        isWriting = true
    }

    /// The transaction has ended.
    ///
    /// - Parameters:
    ///   - keys: The changed keys; `nil` for too many to list, and where another process may have changed others.
    ///   - fresh: The new entries that are the only ones of their keys.
    mutating func endWriting(_ keys: Set<CacheKey>?, keeping fresh: [CacheKey: StoredEntry], at current: IndexStamp?) {
        isWriting = false
        stamp = current
        guard let keys, current != nil else { return removeAll() }
        for key in keys { forget(key) }
        for (key, entry) in fresh { keep([entry], for: key) }
    }

    private mutating func forget(_ key: CacheKey) {
        generation += 1
        cache.remove(key)
    }

    mutating func removeAll() {
        generation += 1
        cache.removeAll()
    }
}

/// Uses of entries that are not in the index yet: how many, and the last time.
struct UnwrittenUses: Sendable {
    struct Use: Hashable, Sendable {
        var count: Int
        var last: WallInstant

        mutating func add(_ other: Use) {
            count += other.count
            last = max(last, other.last)
        }
    }

    /// The number of used entries after which the uses are written when eviction is near.
    static let writtenAtOnce = 256
    /// The longest time before uses are written, at the next use.
    private static let longestWait = Duration.seconds(3_600)
    /// The most entries whose uses wait to be written; those of others are not recorded.
    private static let mostEntries = 4_096

    private var uses: [StoredEntry.ID: Use] = [:]
    /// The uses that a transaction is writing.
    private var beingWritten: [StoredEntry.ID: Use] = [:]
    /// When the oldest use must be written; relevant only while there are any.
    private var due = WallInstant(sinceEpoch: .zero)
    /// Whether a write was requested and is not done, or has failed: then only time requests it again.
    private var isAskedFor = false

    /// Records uses of entries.
    ///
    /// - Parameter mattersSoon: Whether eviction is near, so that recent uses matter.
    /// - Returns: Whether the uses should be written now. Otherwise the next change writes them.
    mutating func add(_ entries: [StoredEntry], at now: WallInstant, mattersSoon: Bool) -> Bool {
        for entry in entries where uses.count < Self.mostEntries {
            if uses.isEmpty { due = now + Self.longestWait }
            uses[entry.id, default: Use(count: 0, last: now)].add(Use(count: 1, last: now))
        }
        // Also if the clock was set back since.
        if now >= due || due - now > Self.longestWait, !uses.isEmpty {
            due = now + Self.longestWait
            return true
        }
        guard mattersSoon, uses.count >= Self.writtenAtOnce, !isAskedFor else { return false }
        isAskedFor = true
        return true
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
    var all: [StoredEntry.ID: Use] {
        beingWritten.isEmpty ? uses : uses.merging(beingWritten) { $0.adding($1) }
    }
}

extension UnwrittenUses.Use {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum.add(other)
        return sum
    }
}
