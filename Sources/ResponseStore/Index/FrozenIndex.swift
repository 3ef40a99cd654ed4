/// The files of an index that is read without locks: as they were when it was opened.
///
/// What SQLite reads so is right only as long as nobody writes. A directory that we can't write may still be another
/// user's, or be mounted a second time for a process that writes. So an answer counts only where the files are after it
/// what they were at the opening; otherwise the index is opened once more, and with a writer about, SQLite finds the
/// shared memory that the writer made and needs none of this.
final class FrozenIndex: Sendable {
    private let index: FileVersion
    /// `nil` where it is not there, or empty, as an opening for writing that fails leaves it.
    private let log: FileVersion?

    /// - Returns: `nil` when there is no index.
    init?(_ layout: StoreLayout) {
        guard let index = SystemCalls.version(layout.index) else { return nil }
        self.index = index
        log = Self.log(of: layout)
    }

    private static func log(of layout: StoreLayout) -> FileVersion? {
        SystemCalls.version(layout.writeAheadLog).flatMap { $0.size > 0 ? $0 : nil }
    }

    /// Whether there is more than what is in the index itself.
    var hasLog: Bool { log != nil }

    /// Whether the files of a store are still these. Costs two system calls.
    func isCurrent(in layout: StoreLayout) -> Bool {
        SystemCalls.version(layout.index) == index && Self.log(of: layout) == log
    }

    /// Stands for this state of the index.
    var stamp: IndexStamp {
        IndexStamp(
            low: [index.number, UInt64(bitPattern: index.size)],
            middle: [UInt64(bitPattern: index.writtenSeconds), UInt64(bitPattern: index.writtenNanoseconds)],
            high: [UInt64(bitPattern: log?.size ?? -1), UInt64(bitPattern: log?.writtenNanoseconds ?? -1)])
    }
}
