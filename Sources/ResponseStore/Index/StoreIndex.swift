import GRDB

/// The open index of a store.
final class StoreIndex: Sendable {
    let pool: DatabasePool
    /// Whether its file was not there before.
    let isNew: Bool
    private let fileSystem: any FileSystem
    /// `index.sqlite-shm`; negative where it can't be opened.
    private let stampDescriptor: Int32
    /// Which file it is.
    private let identity: [UInt64]?
    private let path: String

    /// - Throws: ``StoreError``, or what GRDB says of a file that is no database.
    init(_ layout: StoreLayout, _ fileSystem: any FileSystem, _ durability: StoreDurability) throws {
        self.fileSystem = fileSystem
        path = layout.index
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.label = "larder.index"
        pool = try DatabasePool(path: layout.index, configuration: configuration)
        isNew = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = \(durability == .power ? "FULL" : "OFF")")
            // Another process may hold the lock, for long when the system has suspended it.
            if try IndexSchema.isCurrent(in: database) { return false }
            var isNew = false
            try database.inTransaction(.immediate) {
                isNew = try IndexSchema.prepare(layout, in: database)
                return .commit
            }
            return isNew
        }
        identity = SystemCalls.identity(layout.index)
        stampDescriptor = (try? fileSystem.open(layout.index + "-shm", .reading)) ?? -1
    }

    deinit {
        if stampDescriptor >= 0 { fileSystem.close(stampDescriptor) }
    }

    /// - Returns: `nil` when it can't be told; then nothing that was read before counts.
    func stamp() -> IndexStamp? {
        guard stampDescriptor >= 0 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: IndexStamp.length, alignment: 8) { buffer in
            let none = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            guard let count = try? fileSystem.read(stampDescriptor, into: buffer, none, at: 0) else { return nil }
            return IndexStamp(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// Whether the file that is open is still the one in the directory.
    var isInPlace: Bool { identity != nil && SystemCalls.identity(path) == identity }
}
