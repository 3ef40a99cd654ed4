import Locking

@testable import ResponseStore

/// A disk that gives nothing any more after so many reads.
final class FailingReads: FileSystem {
    private let disk = LocalFileSystem(synchronizes: false)
    private let left: LockedBox<Int>

    init(after reads: Int) {
        left = LockedBox(reads)
    }

    func read(
        _ descriptor: Int32, into first: UnsafeMutableRawBufferPointer, _ second: UnsafeMutableRawBufferPointer,
        at offset: Int64
    ) throws(FileSystemError) -> Int {
        let isOver = left.withLock { left -> Bool in
            left -= 1
            return left < 0
        }
        if isOver { throw FileSystemError(call: "preadv", number: 5) }
        return try disk.read(descriptor, into: first, second, at: offset)
    }

    func open(_ path: String, _ access: FileAccess) throws(FileSystemError) -> Int32 { try disk.open(path, access) }

    func close(_ descriptor: Int32) { disk.close(descriptor) }

    func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, at offset: Int64) throws(FileSystemError) {
        try disk.write(bytes, to: descriptor, at: offset)
    }

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
