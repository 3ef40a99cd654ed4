import GRDB

/// Appends records to this process's own segment. Used by one thread at a time, inside a write transaction of the
/// index.
///
/// The records of a batch are written at once, and are on the disk before the transaction that names them commits.
final class SegmentWriter {
    /// The name of this writer in the index: its process may have others.
    let writer = "\(StoreLayout.writer).\(String(UInt64.random(in: .min ... .max), radix: 36))"
    private let layout: StoreLayout
    private let files: SegmentFiles
    private let fileSystem: any FileSystem
    private var segment: Segment?
    /// The place of the next record.
    private var end: Int64 = 0
    private var buffer: [UInt8] = []
    /// Whether the running transaction took the segment's number.
    private var isNew = false
    private var directories: Set<String> = []
    /// Why there is no segment to write.
    private var failure: (any Error)?

    init(_ layout: StoreLayout, _ files: SegmentFiles, _ fileSystem: any FileSystem) {
        (self.layout, self.files, self.fileSystem) = (layout, files, fileSystem)
    }

    /// The segment that is being written, and the end of its records.
    var current: (number: UInt32, end: Int64)? { segment.map { ($0.number, end) } }

    /// The bytes that wait to be written.
    var pendingBytes: Int { buffer.count }

    /// Appends a record.
    ///
    /// - Parameter makeHead: Receives the identity of a new entry.
    /// - Returns: The places of the head and the body.
    func append(
        body: [UInt8] = [], makeHead: (_ identity: Int64) -> EntryHead
    ) throws -> (head: EntryHead, place: SegmentRange, body: SegmentRange) {
        guard let segment else {
            throw StoreError(code: .writeFailed, message: "No segment could be made.", cause: failure)
        }
        let offset = UInt32(end) + UInt32(buffer.count)
        let identity = SegmentRange(segment: segment.number, offset: offset, length: 0).identity
        let head = makeHead(identity)
        let block = head.block
        guard block.count <= SegmentRecord.headLimit else {
            throw StoreError(code: .writeFailed, message: "The fields of '\(head.key)' are too long to be stored.")
        }
        SegmentRecord.append(head: block, body: body, mark: segment.mark, to: &buffer)
        let length = UInt32(SegmentRecord.headerLength + block.count)
        return (
            head, SegmentRange(segment: segment.number, offset: offset, length: length),
            SegmentRange(segment: segment.number, offset: offset + length, length: UInt32(body.count))
        )
    }

    /// Ensures that there is a segment with room, at the beginning of a transaction, because a single change in it may
    /// be rolled back. A group may exceed the limit.
    func begin(in database: Database) {
        guard segment == nil || end > Int64(Segment.sizeLimit) else { return }
        segment = nil
        do {
            try database.inSavepoint {
                try make(in: database)
                return .commit
            }
        } catch {
            failure = error
        }
    }

    /// Synchronises the names in this directory to the disk before the transaction commits.
    func synchronizeLater(_ directory: String) {
        directories.insert(directory)
    }

    /// Writes the appended records, and waits for the disk.
    func flush() throws {
        for directory in directories { try fileSystem.synchronizeDirectory(directory) }
        directories = []
        guard let segment, !buffer.isEmpty else { return }
        try segment.write(buffer, at: end)
        end += Int64(buffer.count)
        buffer = []
    }

    /// The transaction has committed.
    func commit() {
        isNew = false
    }

    /// The transaction was rolled back: its records are dropped, and so is a segment number that it took.
    func rollBack() {
        buffer = []
        directories = []
        if isNew, let segment {
            files.remove(segment.number)
            self.segment = nil
        }
        isNew = false
    }

    /// Begins a new segment, because the directory is another one.
    func reset() {
        rollBack()
        segment = nil
    }

    /// Whether an index that was opened again still names this writer as that of its segment.
    func isKnown(to index: StoreIndex) throws -> Bool {
        guard let segment else { return true }
        return try index.pool.read { database in
            try String.fetchOne(
                database, sql: "SELECT writer FROM segment WHERE id = ?", arguments: [Int64(segment.number)]) == writer
        }
    }

    /// Drops the bytes that were appended since ``pendingBytes`` had this value.
    func rewind(to count: Int) {
        if buffer.count > count { buffer.removeLast(buffer.count - count) }
    }

    /// Takes a number that no segment ever had: the index counts them permanently.
    ///
    /// An existing file with that number belongs to a lost transaction: segments are created under the lock of the
    /// index.
    private func make(in database: Database) throws {
        try database.execute(sql: "INSERT INTO segment (writer) VALUES (?)", arguments: [writer])
        guard let number = UInt32(exactly: database.lastInsertedRowID) else {
            throw StoreError(code: .writeFailed, message: "The store has no numbers left for segments.")
        }
        let made: Segment
        do {
            made = try Segment.make(number, in: layout, fileSystem)
        } catch let error as FileSystemError where error.exists {
            files.remove(number)
            made = try Segment.make(number, in: layout, fileSystem)
        }
        files.keep(made)
        synchronizeLater(layout.segments)
        (segment, end, isNew, failure) = (made, Int64(Segment.headerLength), true, nil)
    }
}
