import Locking

@testable import ResponseStore

/// A disk that counts the written bytes, except those of the index.
final class CountedWrites: ForwardingFileSystem {
    let disk = LocalFileSystem(synchronizes: false)
    private let written = LockedBox<Int64>(0)
    private let left: LockedBox<Int64>

    /// - Parameter limit: The bytes that fit on the disk.
    init(limit: Int64 = .max) {
        left = LockedBox(limit)
    }

    var bytes: Int64 { written.withLock { $0 } }

    /// Sets how many more bytes fit from now on.
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
}
