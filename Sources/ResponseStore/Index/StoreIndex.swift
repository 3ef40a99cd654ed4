import GRDB
import GRDBSQLite
import HTTPCacheSemantics
import Locking

/// The open index of a store.
final class StoreIndex: Sendable {
    // Before the pool, so that its writer is the last one to close, which empties the log.
    /// A connection that asks for nothing but the version; `nil` if the index is read without locks.
    private let watcher: DatabaseQueue?
    /// Connections for look-ups; the last in the list is used next; none if the index is read without locks. The pool
    /// would ask for the schema's version each time.
    private let readers = LockedBox<[DatabaseQueue]>([])
    let pool: DatabasePool
    /// Whether it was opened read-only, because it can't be written.
    let isReadOnly: Bool
    /// The distrusted hosts at its opening.
    let distrustedHosts: [String: WallInstant]
    /// Versions of one connection mean nothing to another one.
    private let opening = UInt64.random(in: .min ... .max)
    /// The required state of its files for a result to count; `nil` if SQLite's locks ensure that.
    private let frozen: IndexStamp?
    /// Whether it is no longer read.
    private let isGivenUp = LockedBox(false)
    private let isClosed = LockedBox(false)
    /// The identity of its file.
    private let identity: [UInt64]?
    private let layout: StoreLayout

    /// Opens or creates an index. Files of bodies belong to no entry of a new one, and are removed.
    ///
    /// - Throws: ``StoreError``, or GRDB's error for a file that is not a database.
    init(_ layout: StoreLayout) throws {
        self.layout = layout
        (isReadOnly, frozen) = (false, nil)
        var configuration = Self.configuration
        configuration.busyMode = .timeout(2)
        configuration.prepareDatabase { database in
            if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
                // So that a removal can give space back. The first page is written durably: SQLite deletes the log of a
                // database without one.
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            } else {
                // GRDB writes to an index whose write-ahead log is empty, so that readers find one. That need not be
                // durable: the first sync of a later change includes it.
                try database.execute(sql: "PRAGMA synchronous = OFF")
            }
        }
        pool = try Self.pool(layout.index, configuration)
        try pool.writeWithoutTransaction { database in
            // Where nothing waits for the disk, a loss of power must still not tear what SQLite copies out of its log.
            try database.execute(sql: "PRAGMA synchronous = \(layout.durability == .power ? "FULL" : "NORMAL")")
            // Another process may hold the lock, possibly for long if the system has suspended it.
            if try IndexSchema.isCurrent(in: database) { return }
            try database.inTransaction(.immediate) {
                if try IndexSchema.prepare(layout, in: database) {
                    for body in layout.bodyFiles { try? layout.fileSystem.unlink(body.path) }
                }
                return .commit
            }
        }
        identity = SystemCalls.identity(layout.index)
        distrustedHosts = try pool.writeWithoutTransaction { try DistrustedHost.all(in: $0) }
        watcher = try Self.reader(layout)
    }

    /// SQLite does not wait for a lock when it turns the write-ahead log on, as another process that opens a new index
    /// does at the same moment: a transaction waits in its place. All other statements wait for the lock themselves.
    private static func pool(_ path: String, _ configuration: Configuration) throws -> DatabasePool {
        for _ in 0..<4 {
            do {
                return try DatabasePool(path: path, configuration: configuration)
            } catch let error as DatabaseError where error.isLogBusy {
                let queue = try? DatabaseQueue(path: path, configuration: configuration)
                try queue?.inTransaction(.immediate) { _ in .rollback }
            }
        }
        return try DatabasePool(path: path, configuration: configuration)
    }

    /// Opens an index that can't be written.
    ///
    /// If another process has it open, SQLite reads it with that process's shared memory (sqlite.org/wal.html,
    /// "Read-Only Databases"). Otherwise there is none, or an abandoned one, and we can't create or repair it: the
    /// index is read without locks, by `immutable=1` after a clean end, without a write-ahead log, or else with a
    /// wal-index in our own memory. ``IndexStamp/files(index:log:)`` says when a result counts.
    ///
    /// - Parameter isLocked: Whether another process holds the lock for writing. Then only that process's shared memory
    ///   tells what counts.
    /// - Throws: ``StoreError`` for an index that would have to be created first, or GRDB's error.
    init(reading layout: StoreLayout, isLocked: Bool = false) throws {
        self.layout = layout
        isReadOnly = true
        identity = SystemCalls.identity(layout.index)
        // Before it is opened, so that a change in between is noticed.
        let files = IndexStamp.ofFiles(in: layout)
        if let (pool, watcher) = Self.shared(layout) {
            (self.pool, self.watcher, frozen) = (pool, watcher, nil)
        } else if isLocked {
            throw layout.unwritable()
        } else {
            var configuration = Self.readingConfiguration
            let hasLog = files?.hasLog ?? false
            if hasLog { configuration.prepareDatabase { try $0.execute(sql: "PRAGMA locking_mode = EXCLUSIVE") } }
            let options = hasLog ? "mode=ro&vfs=unix-none" : "immutable=1"
            pool = try DatabasePool(path: "file:\(Self.escaped(layout.index))?\(options)", configuration: configuration)
            (watcher, frozen) = (nil, files)
        }
        distrustedHosts = try pool.writeWithoutTransaction { database in
            guard try IndexSchema.isCurrent(in: database) else { throw layout.unwritable() }
            return try DistrustedHost.all(in: database)
        }
    }

    /// - Returns: `nil` if no other process has the index open.
    private static func shared(_ layout: StoreLayout) -> (DatabasePool, DatabaseQueue)? {
        guard let watcher = try? reader(layout),
            (try? watcher.unsafeRead(sharesMemory)) == true,
            let pool = try? DatabasePool(path: layout.index, configuration: readingConfiguration)
        else { return nil }
        return (pool, watcher)
    }

    /// Whether a connection has the shared memory of a process that writes: SQLite would read with an abandoned one as
    /// well, and then no connection of this process could ever write.
    private static func sharesMemory(_ database: Database) throws -> Bool {
        // Before the first transaction there may be no wal-index.
        try database.execute(sql: "SELECT 1 FROM sqlite_master LIMIT 1")
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        guard
            sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let file, let methods = file.pointee.pMethods, methods.pointee.iVersion >= 2,
            let map = methods.pointee.xShmMap
        else { return false }
        // SQLITE_READONLY: mapped, for reading only.
        return [SQLITE_OK, SQLITE_READONLY].contains(map(file, 0, 32_768, 0, &region)) && region != nil
    }

    /// How many look-ups can wait for the disk at once.
    private static let readerCount = 3

    private static func reader(_ layout: StoreLayout) throws -> DatabaseQueue {
        try DatabaseQueue(path: layout.index, configuration: readingConfiguration)
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
    func lookUp<Result>(_ work: (Database) throws -> Result) throws -> Result {
        guard frozen == nil else { return try pool.unsafeRead(work) }
        let reader = try readers.withLock { readers in
            let reader = readers.count < Self.readerCount ? try Self.reader(layout) : readers.removeLast()
            readers.insert(reader, at: 0)
            return reader
        }
        return try reader.unsafeRead(work)
    }

    /// - Returns: `nil` if it is unknown; then no earlier result counts.
    func stamp() -> IndexStamp? {
        if let frozen { return hasChangedBehind ? nil : frozen }
        guard let version = try? watcher?.unsafeRead(Self.version) else { return nil }
        return .version(version, opening: opening)
    }

    /// A number that changes with each commit of another connection, in whatever process (sqlite.org/pragma.html,
    /// `data_version`).
    static func version(of database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "PRAGMA data_version").sqliteStatement
        defer { sqlite3_reset(statement) }
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
        return sqlite3_column_int64(statement, 0)
    }

    /// Whether a result that was read without locks may be from two different states.
    var hasChangedBehind: Bool { frozen.map { wasGivenUp || IndexStamp.ofFiles(in: layout) != $0 } ?? false }

    /// Closes an index that is read without locks; later queries fail, and count as if the files had changed.
    ///
    /// Call it before the same file is opened in another way: `unix-none` does not know the locks of other connections
    /// of this process, and closing its descriptor later would release them (fcntl(2), "Record locks").
    ///
    /// - Parameter waitForReads: Returns once no read is under way: GRDB's pool must not close while it is read.
    func giveUp(_ waitForReads: () -> Void) throws {
        guard frozen != nil else { return }
        isGivenUp.withLock { $0 = true }
        waitForReads()
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
            for reader in readers.withLock({ $0 }) { try reader.close() }
            try watcher?.close()
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

extension DatabaseError {
    /// Whether the write-ahead log could not be turned on, as somebody else has a lock.
    var isLogBusy: Bool { resultCode == .SQLITE_BUSY && sql?.contains("journal_mode") == true }
}
