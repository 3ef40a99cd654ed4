import GRDB

/// The open index of a store.
final class StoreIndex: Sendable {
    let pool: DatabasePool
    /// Whether its file was not there before.
    let isNew: Bool
    /// The hosts that were not believed when it was opened.
    let distrustedHosts: Set<String>
    private let stamps: IndexStampSource
    /// Which file it is.
    private let identity: [UInt64]?
    private let path: String

    /// - Throws: ``StoreError``, or what GRDB says of a file that is no database.
    init(_ layout: StoreLayout, _ durability: StoreDurability) throws {
        path = layout.index
        var configuration = Configuration()
        configuration.busyMode = .timeout(2)
        configuration.label = "larder.index"
        // GRDB writes to an index whose write-ahead log is empty, so that readers find one. What matters comes later, and
        // its first sync takes this along.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
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
        (stamps, distrustedHosts) = try pool.writeWithoutTransaction {
            (try IndexStampSource(of: $0), try String.fetchSet($0, sql: "SELECT host FROM distrusted"))
        }
    }

    /// Reads on this thread, by one statement: more of them need not see one state.
    func lookUp<Result>(_ work: (Database) throws -> Result) throws -> Result { try pool.unsafeRead(work) }

    /// - Returns: `nil` when it can't be told; then nothing that was read before counts.
    func stamp() -> IndexStamp? { stamps.stamp() }

    /// Whether the file that is open is still the one in the directory.
    var isInPlace: Bool { identity != nil && SystemCalls.identity(path) == identity }
}
