/// The state of the files of an index that is read without locks, at its opening.
///
/// SQLite then reads correctly only while no process writes. A directory that we can't write may belong to another
/// user, or be mounted a second time for a process that writes. So a result counts only if the files are the same after
/// the query as at the opening; otherwise the index is opened again, and if a writer is running, SQLite finds its
/// shared memory and needs none of this.
final class FrozenIndex: Sendable {
    private let index: FileVersion
    /// `nil` if it does not exist, or is empty, as after a failed opening for writing.
    private let log: FileVersion?

    /// - Returns: `nil` if there is no index.
    init?(_ layout: StoreLayout) {
        guard let index = SystemCalls.version(layout.index) else { return nil }
        self.index = index
        log = Self.log(of: layout)
    }

    private static func log(of layout: StoreLayout) -> FileVersion? {
        SystemCalls.version(layout.writeAheadLog).flatMap { $0.size > 0 ? $0 : nil }
    }

    /// Whether the write-ahead log has content.
    var hasLog: Bool { log != nil }

    /// Whether the files of a store are unchanged. Makes two system calls.
    func isCurrent(in layout: StoreLayout) -> Bool {
        SystemCalls.version(layout.index) == index && Self.log(of: layout) == log
    }

    /// A stamp for this state of the index.
    var stamp: IndexStamp {
        IndexStamp(
            low: [index.number, UInt64(bitPattern: index.size)],
            middle: [UInt64(bitPattern: index.writtenSeconds), UInt64(bitPattern: index.writtenNanoseconds)],
            high: [UInt64(bitPattern: log?.size ?? -1), UInt64(bitPattern: log?.writtenNanoseconds ?? -1)])
    }
}
