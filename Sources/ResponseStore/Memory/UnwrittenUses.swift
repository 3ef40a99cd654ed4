import HTTPCacheSemantics

/// How often entries were asked for and when, until the index knows.
struct UnwrittenUses: Sendable {
    struct Use: Hashable, Sendable {
        var count: Int
        /// Right to a day.
        var last: WallInstant

        mutating func add(_ other: Use) {
            count += other.count
            last = max(last, other.last)
        }
    }

    /// That many entries are in use before it is written down.
    static let writtenAtOnce = 256
    /// Last uses are known to this.
    private static let day = Duration.seconds(86_400)
    /// Nothing waits longer, once something else is asked for.
    private static let longestWait = Duration.seconds(3_600)
    /// So many entries may be asked for on a day before they are noted once more, and so many wait to be written.
    private static let usedTodayLimit = 65_536

    private var uses: [StoredEntry.ID: Use] = [:]
    /// What a transaction is writing.
    private var beingWritten: [StoredEntry.ID: Use] = [:]
    /// When the first of them has waited long enough; matters only while there are any.
    private var due = WallInstant(sinceEpoch: .zero)
    /// Whether writing was asked for and has not been done, or has failed: then only time asks again.
    private var isAskedFor = false
    /// Of entries that were stored or confirmed more than a day ago: those whose use on ``usedDay`` is noted.
    private var usedToday: Set<StoredEntry.ID> = []
    private var usedDay = Duration.zero

    /// Notes that entries were asked for.
    ///
    /// - Parameter mattersSoon: Whether entries will have to go soon, so that it matters which are in use.
    /// - Returns: Whether it is time to write it down. Otherwise the next change takes it along.
    mutating func add(_ entries: [StoredEntry], at now: WallInstant, mattersSoon: Bool) -> Bool {
        var isDue = mattersSoon
        for entry in entries {
            // Within a day of its storing or its confirmation the time of that says enough about its last use.
            let isFirstToday = now - entry.response.responseTime >= Self.day && noteDay(entry.id, now)
            isDue = isDue || isFirstToday
            if uses.count < Self.writtenAtOnce || isFirstToday && uses.count < Self.usedTodayLimit {
                if uses.isEmpty { due = now + Self.longestWait }
                uses[entry.id, default: Use(count: 0, last: now)].add(Use(count: 1, last: now))
            }
        }
        // Also where the clock was set back since.
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

    /// Hands out what is to be written; ``endWriting(succeeded:)`` says what became of it.
    mutating func beginWriting() -> [StoredEntry.ID: Use] {
        (beingWritten, uses, isAskedFor) = (uses, [:], false)
        return beingWritten
    }

    /// What was not written is kept for the next time.
    mutating func endWriting(succeeded: Bool) {
        if !succeeded, !beingWritten.isEmpty {
            uses.merge(beingWritten) { $0.adding($1) }
            isAskedFor = true
        }
        beingWritten = [:]
    }

    /// All that the index may not know yet.
    var all: [StoredEntry.ID: Use] { uses.merging(beingWritten) { $0.adding($1) } }
}

extension UnwrittenUses.Use {
    fileprivate func adding(_ other: Self) -> Self {
        var sum = self
        sum.add(other)
        return sum
    }
}
