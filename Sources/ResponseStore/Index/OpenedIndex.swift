import GRDB
import Locking

/// The index of a store, which is rebuilt if it is damaged, or if its directory was emptied while it was open.
final class OpenedIndex: Sendable {
    private let layout: StoreLayout
    private let fileSystem: any FileSystem
    private let durability: StoreDurability
    private let index: LockedBox<StoreIndex>

    /// - Throws: ``StoreError/Code/directoryUnusable`` or ``StoreError/Code/newerFormat``.
    init(_ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability) throws {
        (self.layout, self.fileSystem, self.durability) = (layout, fileSystem, durability)
        index = LockedBox(try Self.open(layout, fileSystem, durability))
    }

    var current: StoreIndex { index.withLock { $0 } }

    /// The index that is in the directory now, for writing. On the writer's queue only.
    ///
    /// If another process had it open when this store opened it for reading, it stays read-only until the store is
    /// opened again: within one process, SQLite opens the shared memory of a file in one mode only.
    ///
    /// - Throws: ``StoreError/Code/writeFailed`` if it can still only be read.
    func inPlace() throws -> StoreIndex {
        let known = current
        if known.isInPlace, !known.isReadOnly { return known }
        guard !known.isReadOnly || layout.mayWrite else { throw layout.unwritable() }
        try known.giveUp()
        let new = try Self.open(layout, fileSystem, durability)
        if known.isReadOnly || !new.isReadOnly { index.withLock { $0 = new } }
        guard !new.isReadOnly else { throw layout.unwritable() }
        return new
    }

    /// Reopens an index that was read without locks and has changed since. On the writer's queue only.
    func reopen(_ outdated: StoreIndex) throws {
        guard current === outdated else { return }
        try outdated.giveUp()
        let new = try Self.open(layout, fileSystem, durability)
        index.withLock { $0 = new }
    }

    /// Replaces a damaged index by one rebuilt from the segments. On the writer's queue only.
    ///
    /// - Parameter damaged: The damaged index; nothing happens if it was replaced already.
    func recover(_ damaged: StoreIndex) throws {
        guard current === damaged else { return }
        // It closes when its last reader releases it. SQLite does not touch files that replaced its own.
        IndexRecovery.removeIndex(layout, fileSystem)
        let new = try Self.open(layout, fileSystem, durability)
        index.withLock { $0 = new }
    }

    /// Opens the index, for reading only if it can't be written.
    private static func open(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability
    ) throws -> StoreIndex {
        try IndexSchema.check(layout)
        do {
            return try openToWrite(layout, fileSystem, durability)
        } catch {
            if mayBeReadable(error), let index = try? StoreIndex(reading: layout) { return index }
            throw error
        }
    }

    /// Whether opening for reading may succeed after opening for writing failed: the index is not locked, and is ours.
    private static func mayBeReadable(_ error: StoreError) -> Bool {
        guard error.code == .directoryUnusable, let cause = error.cause else { return false }
        guard let code = (cause as? DatabaseError)?.resultCode.primaryResultCode else { return true }
        return ![.SQLITE_BUSY, .SQLITE_NOTADB, .SQLITE_CORRUPT].contains(code)
    }

    private static func openToWrite(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability
    ) throws(StoreError) -> StoreIndex {
        try layout.prepare()
        do {
            return try filled(layout, fileSystem, durability)
        } catch let error as StoreError {
            throw error
        } catch {
            // Without one of our segments next to it, it may be another application's.
            if IndexRecovery.isNeeded(after: error), Segment.isAny(in: layout, fileSystem) {
                IndexRecovery.removeIndex(layout, fileSystem)
                try layout.prepare()
                if let index = try? filled(layout, fileSystem, durability) { return index }
            }
            let help =
                (error as? DatabaseError)?.resultCode == .SQLITE_FULL
                ? "the disk is full: free some space" : "choose another directory"
            throw StoreError(
                code: .directoryUnusable,
                message: "The index of the store in '\(layout.directory)' can't be opened; \(help).", cause: error)
        }
    }

    /// Opens the index. If it is new but segments exist, the former one was lost, and it is filled from them.
    private static func filled(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability
    ) throws -> StoreIndex {
        var attempts = 1
        while true {
            do {
                return try StoreIndex(layout, durability) { try IndexRecovery.fill($0, layout, fileSystem) }
            } catch let error as DatabaseError
                where error.resultCode.primaryResultCode == .SQLITE_BUSY && attempts < attemptLimit
            {
                // SQLite does not wait if two processes create the same new index.
                attempts += 1
            }
        }
    }

    /// How often opening a busy index is tried.
    private static let attemptLimit = 5
}
