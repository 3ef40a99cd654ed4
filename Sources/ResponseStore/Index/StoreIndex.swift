import GRDB
import HTTPCacheSemantics
import Locking

/// The open index of a store.
final class StoreIndex: Sendable {
    let pool: DatabasePool
    /// Whether it was opened read-only, because it can't be written.
    let isReadOnly: Bool
    /// The distrusted hosts at its opening.
    let distrustedHosts: [String: WallInstant]
    private let stamps: IndexStampSource
    /// The required state of its files for a result to count; `nil` if SQLite's locks ensure that.
    private let frozen: FrozenIndex?
    /// Whether it is no longer read.
    private let isGivenUp = LockedBox(false)
    private let isClosed = LockedBox(false)
    /// The identity of its file.
    private let identity: [UInt64]?
    private let layout: StoreLayout

    /// Opens or creates an index.
    ///
    /// - Parameter fill: Adds the stored responses to a new index, in the same transaction: an index that was created
    ///   and not filled would say for good that nothing is stored.
    /// - Throws: ``StoreError``, GRDB's error for a file that is not a database, or the error of `fill`.
    init(_ layout: StoreLayout, _ durability: StoreDurability, fill: (Database) throws -> Void) throws {
        self.layout = layout
        (isReadOnly, frozen) = (false, nil)
        var configuration = Self.configuration
        configuration.busyMode = .timeout(2)
        // GRDB writes to an index whose write-ahead log is empty, so that readers find one. That need not be durable:
        // the first sync of a later change includes it.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        pool = try DatabasePool(path: layout.index, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "OFF")")
            // Another process may hold the lock, possibly for long if the system has suspended it.
            if try IndexSchema.isComplete(in: database) { return }
            try database.inTransaction(.immediate) {
                if try IndexSchema.prepare(layout, in: database) { try fill(database) }
                try IndexSchema.beginServerCookies(in: database)
                return .commit
            }
        }
        identity = SystemCalls.identity(layout.index)
        (stamps, distrustedHosts) = try pool.writeWithoutTransaction {
            (try IndexStampSource(of: $0), try DistrustedHost.all(in: $0))
        }
    }

    /// Opens an index that can't be written.
    ///
    /// If another process has it open, SQLite reads it with that process's shared memory (sqlite.org/wal.html,
    /// "Read-Only Databases"). Otherwise there is none, or an abandoned one, and we can't create or repair it: the
    /// index is read without locks, by `immutable=1` after a clean end, without a write-ahead log, or else with a
    /// wal-index in our own memory. ``FrozenIndex`` says when a result counts.
    ///
    /// - Throws: ``StoreError`` for an index that would have to be created first, or GRDB's error.
    init(reading layout: StoreLayout) throws {
        self.layout = layout
        isReadOnly = true
        identity = SystemCalls.identity(layout.index)
        // Before it is opened, so that a change in between is noticed.
        let files = FrozenIndex(layout)
        if let (pool, stamps) = Self.shared(layout) {
            (self.pool, self.stamps, frozen) = (pool, stamps, nil)
        } else {
            var configuration = Self.readingConfiguration
            let hasLog = files?.hasLog ?? false
            if hasLog { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") } }
            let options = hasLog ? "mode=ro&vfs=unix-none" : "immutable=1"
            pool = try DatabasePool(path: "file:\(Self.escaped(layout.index))?\(options)", configuration: configuration)
            (stamps, frozen) = (IndexStampSource(), files)
        }
        distrustedHosts = try pool.writeWithoutTransaction { database in
            guard try IndexSchema.isCurrent(in: database) else { throw layout.unwritable() }
            return try DistrustedHost.all(in: database)
        }
    }

    /// - Returns: `nil` if no other process has the index open.
    private static func shared(_ layout: StoreLayout) -> (DatabasePool, IndexStampSource)? {
        guard let pool = try? DatabasePool(path: layout.index, configuration: readingConfiguration),
            let stamps = try? pool.writeWithoutTransaction({ try IndexStampSource(of: $0) }), stamps.stamp() != nil
        else { return nil }
        return (pool, stamps)
    }

    private static var readingConfiguration: Configuration {
        var configuration = configuration
        configuration.readonly = true
        configuration.busyMode = .timeout(2)
        return configuration
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = "larder.index"
        return configuration
    }

    /// A path in a URI for SQLite (sqlite.org/uri.html).
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    /// Reads on this thread, by one statement: several statements might see different states.
    func lookUp<Result>(_ work: (Database) throws -> Result) throws -> Result { try pool.unsafeRead(work) }

    /// The stamp in the memory of SQLite. Only while the index is open, see ``OpenedIndex/stamped``.
    var mappedStamp: IndexStamp? { stamps.stamp() }

    /// Whether it is read without locks, and has no stamp in memory.
    var isUnlocked: Bool { frozen != nil }

    /// Only while the index is open.
    ///
    /// - Returns: `nil` if it is unknown; then no earlier result counts.
    func stamp() -> IndexStamp? {
        guard let frozen else { return stamps.stamp() }
        return hasChangedBehind ? nil : frozen.stamp
    }

    /// Whether a result that was read without locks may be from two different states.
    var hasChangedBehind: Bool { frozen.map { wasGivenUp || !$0.isCurrent(in: layout) } ?? false }

    /// Closes an index that is read without locks; later queries fail, and count as if the files had changed.
    ///
    /// Call it before the same file is opened in another way: `unix-none` does not know the locks of other connections
    /// of this process, and closing its descriptor later would release them (fcntl(2), "Record locks").
    func giveUp() throws {
        guard frozen != nil else { return }
        isGivenUp.withLock { $0 = true }
        try pool.close()
    }

    /// Whether this process no longer reads it, because it opened the file in another way or again.
    var wasGivenUp: Bool { isGivenUp.withLock { $0 } }

    /// Ends the reads that are under way with an error; ``close()`` follows.
    func interruptForClosing() {
        isClosed.withLock { $0 = true }
        pool.interrupt()
    }

    /// Closes the index, and so lets go of its locks.
    func close() throws {
        do {
            try pool.close()
        } catch {
            isClosed.withLock { $0 = false }
            throw error
        }
    }

    /// Whether it was closed for a suspension, or is about to be.
    var wasClosed: Bool { isClosed.withLock { $0 } }

    /// Whether the open file is still the one in the directory.
    var isInPlace: Bool { identity != nil && SystemCalls.identity(layout.index) == identity }
}
