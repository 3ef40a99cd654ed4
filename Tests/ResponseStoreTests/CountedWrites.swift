import Locking

@testable import ResponseStore

/// A disk that counts the bytes which are written to it, but for those of the index.
final class CountedWrites: FileSystem {
    private let disk = LocalFileSystem(synchronizes: false)
    private let written = LockedBox<Int64>(0)
    private let left: LockedBox<Int64>

    /// - Parameter limit: So many bytes fit on the disk.
    init(limit: Int64 = .max) {
        left = LockedBox(limit)
    }

    var bytes: Int64 { written.withLock { $0 } }

    /// So many more bytes fit from now on.
    func setRoom(_ bytes: Int64) { left.withLock { $0 = bytes } }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        let room = left.withLock { left in
            defer { left -= min(left, Int64(bytes.count)) }
            return Int(min(left, Int64(bytes.count)))
        }
        written.withLock { $0 += Int64(room) }
        try disk.write(UnsafeRawBufferPointer(rebasing: bytes[..<room]), to: descriptor, at: offset)
        if room < bytes.count { throw FileSystemError(call: "pwrite", number: 28) }
    }

    func read(
        _ descriptor: Int32, into first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileSystemError) -> Int {
        try disk.read(descriptor, into: first, second, at: offset)
    }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32 { try disk.open(path, access) }

    func close(_ descriptor: Int32) { disk.close(descriptor) }

    func synchronize(_ descriptor: Int32) throws(FileSystemError) { try disk.synchronize(descriptor) }

    func size(_ descriptor: Int32) throws(FileSystemError) -> Int64 { try disk.size(descriptor) }

    func punchHole(_ range: Range<Int64>, in descriptor: Int32) throws(FileSystemError) {
        try disk.punchHole(range, in: descriptor)
    }

    func rename(_ old: String, to new: String) throws(FileSystemError) { try disk.rename(old, to: new) }

    func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }

    func makeDirectory(_ path: String) throws(FileSystemError) { try disk.makeDirectory(path) }

    func synchronizeDirectory(_ path: String) throws(FileSystemError) { try disk.synchronizeDirectory(path) }

    func names(in directory: String) -> [String] { disk.names(in: directory) }
}
