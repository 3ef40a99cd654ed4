/// What the store asks of the disk, so that tests can make it fail, tear and reorder.
///
/// SQLite has its own way to the disk. Offsets and lengths are in bytes; a descriptor is closed by whoever opened it.
protocol FileSystem: Sendable {
    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32
    func close(_ descriptor: Int32)
    /// Fills the buffers in turn, in one call where the system can; fewer bytes only at the end of the file.
    func read(
        _ descriptor: Int32, into first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileSystemError) -> Int
    /// Writes all of it, or throws.
    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError)
    /// Returns when what was written is on the disk, before anything that is written later.
    func synchronize(_ descriptor: Int32) throws(FileSystemError)
    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64
    /// Gives space back; the bytes read as zeros from then on, and the size stays.
    func punchHole(_ range: Range<Int64>, in descriptor: Int32) throws(FileSystemError)
    func rename(_ old: String, to new: String) throws(FileSystemError)
    func unlink(_ path: String) throws(FileSystemError)
    /// Makes a directory that only the owner can use; fine when it is there already.
    func makeDirectory(_ path: String) throws(FileSystemError)
    /// Makes the names in a directory durable.
    func synchronizeDirectory(_ path: String) throws(FileSystemError)
    /// The names in a directory; none when it can't be read.
    func names(in directory: String) -> [String]
}

/// How a file is opened.
enum FileAccess: Sendable {
    case reading
    case writing
    /// Makes the file, readable by its owner alone; fails when it is there.
    case creating
}

/// A system call that failed.
struct FileSystemError: Error, Hashable, CustomStringConvertible {
    var call: String
    var number: Int32

    var isMissing: Bool { number == SystemCalls.missing }
    /// Whether there is no right to do it, or the file system is mounted for reading.
    var isRefusal: Bool { SystemCalls.refusals.contains(number) }
    var exists: Bool { number == SystemCalls.exists }

    var description: String { "\(call): \(SystemCalls.message(number))" }
}
