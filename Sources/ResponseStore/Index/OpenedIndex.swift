import GRDB
import Locking

/// The index of a store, which is made anew when its directory was emptied or its file replaced while it was open.
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

    /// The index that is in the directory now.
    func inPlace() throws -> StoreIndex {
        let known = current
        if known.isInPlace { return known }
        let new = try Self.open(layout, fileSystem, durability)
        index.withLock { $0 = new }
        return new
    }

    private static func open(
        _ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability
    ) throws -> StoreIndex {
        try IndexSchema.check(layout)
        try layout.prepare()
        do {
            return try StoreIndex(layout, fileSystem, durability)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                code: .directoryUnusable,
                message: "The index of the store in '\(layout.directory)' can't be opened; choose another directory.",
                cause: error)
        }
    }
}
