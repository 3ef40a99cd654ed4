import GRDB
import HTTPCacheSemantics
import Locking

/// The open index of a store.
final class StoreIndex: Sendable {
    let pool: DatabasePool
    /// Whether it was opened for reading only, because it can't be written.
    let isReadOnly: Bool
    /// The hosts that were not believed when it was opened.
    let distrustedHosts: [String: WallInstant]
    private let stamps: IndexStampSource
    /// What its files have to be for what is read to count; `nil` where SQLite sees to that.
    private let frozen: FrozenIndex?
    /// Set when it is read no more.
    private let isGivenUp = LockedBox(false)
    /// Which file it is.
    private let identity: [UInt64]?
    private let layout: StoreLayout

    /// Opens an index, or makes it.
    ///
    /// - Parameter fill: Puts into a new one what is stored already. It belongs to the making: an index that was made
    ///   and not filled would say for good that nothing is stored.
    /// - Throws: ``StoreError``, what GRDB says of a file that is no database, or what `fill` throws.
    init(_ layout: StoreLayout, _ durability: StoreDurability, fill: (Database) throws -> Void) throws {
        self.layout = layout
        (isReadOnly, frozen) = (false, nil)
        var configuration = Self.configuration
        configuration.busyMode = .timeout(2)
        // GRDB writes to an index whose write-ahead log is empty, so that readers find one. What matters comes later, and
        // its first sync takes this along.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
        pool = try DatabasePool(path: layout.index, configuration: configuration)
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "OFF")")
            // Another process may hold the lock, for long when the system has suspended it.
            if try IndexSchema.isCurrent(in: database) { return }
            try database.inTransaction(.immediate) {
                if try IndexSchema.prepare(layout, in: database) { try fill(database) }
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
    /// Where another process has it open, SQLite reads it with that one's shared memory (sqlite.org/wal.html, "Read-Only
    /// Databases"). Otherwise there is none, or one that was left behind, and we can't make or mend it: the index is read
    /// without locks, by `immutable=1` after a clean end, where there is no write-ahead log, or else with a wal-index in
    /// memory of our own. When that counts is said at ``FrozenIndex``.
    ///
    /// - Throws: ``StoreError`` for an index that would have to be made first, or what GRDB says.
    init(reading layout: StoreLayout) throws {
        self.layout = layout
        isReadOnly = true
        identity = SystemCalls.identity(layout.index)
        // Before it is opened: what changes in between is then found to have changed.
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

    /// - Returns: `nil` unless another process has the index open.
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
        // See DiskResponseStore.suspendAll().
        configuration.observesSuspensionNotifications = true
        return configuration
    }

    /// A path in a URI, as SQLite takes it apart (sqlite.org/uri.html).
    private static func escaped(_ path: String) -> String {
        path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    }

    /// Reads on this thread, by one statement: more of them need not see one state.
    func lookUp<Result>(_ work: (Database) throws -> Result) throws -> Result { try pool.unsafeRead(work) }

    /// - Returns: `nil` when it can't be told; then nothing that was read before counts.
    func stamp() -> IndexStamp? {
        guard let frozen else { return stamps.stamp() }
        return hasChangedBehind ? nil : frozen.stamp
    }

    /// Whether what was read from it without locks may be of two states.
    var hasChangedBehind: Bool { frozen.map { isGivenUp.withLock { $0 } || !$0.isCurrent(in: layout) } ?? false }

    /// Closes what is read without locks; what is asked of it from then on fails, and counts as changed behind it.
    ///
    /// To be called before the same file is opened in another way: `unix-none` keeps no account of the locks that other
    /// connections of this process have, and to close its descriptor later would give them up (fcntl(2), "Record locks").
    func giveUp() throws {
        guard frozen != nil else { return }
        isGivenUp.withLock { $0 = true }
        try pool.close()
    }

    /// Whether the file that is open is still the one in the directory.
    var isInPlace: Bool { identity != nil && SystemCalls.identity(layout.index) == identity }
}
