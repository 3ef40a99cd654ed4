import Locking

@testable import ResponseStore

/// A disk whose reads fail after a number of them.
final class FailingReads: ForwardingFileSystem {
    let disk = LocalFileSystem(synchronizes: false)
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
}
