import GRDB
import Locking

/// The index of a store, which is made anew when it is damaged, or when its directory was emptied while it was open.
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

    /// The index that is in the directory now, to be written. On the writer's queue only.
    ///
    /// Where another process had it open when it was opened for reading, it stays so until the store is opened again: in
    /// one process, SQLite opens the shared memory of a file in one way.
    ///
    /// - Throws: ``StoreError/Code/writeFailed`` where it can still only be read.
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

    /// Opens once more what was read without locks and has changed since. On the writer's queue only.
    func reopen(_ outdated: StoreIndex) throws {
        guard current === outdated else { return }
        try outdated.giveUp()
        let new = try Self.open(layout, fileSystem, durability)
        index.withLock { $0 = new }
    }

    /// Replaces a damaged index by what the segments say. On the writer's queue only.
    ///
    /// - Parameter damaged: The one that was found so; nothing happens when it was replaced already.
    func recover(_ damaged: StoreIndex) throws {
        guard current === damaged else { return }
        // It closes when its last reader lets go. SQLite leaves files alone that took the place of its own.
        IndexRecovery.removeIndex(layout, fileSystem)
        let new = try Self.open(layout, fileSystem, durability)
        index.withLock { $0 = new }
    }

    /// Opens the index: for reading only where it can't be written.
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

    /// Whether reading may do where writing does not: nobody is in the way, and what is there is an index of ours.
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
            // Without a segment of ours beside it, it may be anybody's.
            if IndexRecovery.isNeeded(after: error), Segment.isAny(in: layout, fileSystem) {
                IndexRecovery.removeIndex(layout, fileSystem)
                try layout.prepare()
                if let index = try? filled(layout, fileSystem, durability) { return index }
            }
            throw StoreError(
                code: .directoryUnusable,
                message: "The index of the store in '\(layout.directory)' can't be opened; choose another directory.",
                cause: error)
        }
    }

    /// Opens the index; one that is new beside segments that are not was lost, and is filled from them.
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
                // SQLite does not wait where two make the same new index.
                attempts += 1
            }
        }
    }

    /// How often a busy index is tried.
    private static let attemptLimit = 5
}
