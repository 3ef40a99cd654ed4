import Locking

/// A body that is received into memory.
final class PendingMemoryBody: PendingBody {
    private let content = LockedBox<[UInt8]>([])

    func append(_ bytes: [UInt8]) {
        content.withLock { $0 += bytes }
    }

    func read(from offset: Int64, upTo count: Int) -> [UInt8] {
        content.withLock { Array($0.dropFirst(Int(offset)).prefix(count)) }
    }

    var bytes: [UInt8] { content.withLock { $0 } }
}
