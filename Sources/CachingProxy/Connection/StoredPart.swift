#if Proxy
import Locking
import NIOCore
import ResponseStore

/// A part of a stored body, on its way to a client: copied within a ``CopyBudget``, or sent as a ``BodyRegion``.
struct StoredPart: Sendable {
    let file: BodyFile
    let range: Range<Int64>

    init(_ file: BodyFile, _ range: Range<Int64>) {
        (self.file, self.range) = (file, range)
    }

    /// Reads the part into a buffer. Its checksums are not compared.
    ///
    /// - Returns: Whether all of it could be read; otherwise the buffer is as it was.
    func copy(into buffer: inout ByteBuffer) -> Bool {
        let (start, count) = (buffer.writerIndex, range.count)
        let read = buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { bytes in
            let space = UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
            return (try? file.read(into: space, from: range.lowerBound)) ?? 0
        }
        if read == count { return true }
        buffer.moveWriterIndex(to: start)
        return false
    }
}

/// How many bytes of stored bodies lie in buffers on their way to sockets.
///
/// Over loopback, where a web view sits, bytes from a buffer reach their reader in a third of the time that a file
/// region takes (docs/benchmarks.md). But a client that does not read would keep its buffer, so beyond the budget, and
/// for long bodies, the system sends from the file.
final class CopyBudget: Sendable {
    /// Parts of bodies up to this length are copied, 64 KiB: the event loop does that, and a hundred other connections
    /// wait for it. A thread of its own for longer ones took twice the processor time of a file region at 1 MB.
    static let longest = 65_536
    /// 32 MiB.
    private static let total = 32 * 1_048_576

    private let used = LockedBox(0)

    func take(_ count: Int) -> Bool {
        guard count <= Self.longest else { return false }
        return used.withLock { used in
            guard used + count <= Self.total else { return false }
            used += count
            return true
        }
    }

    func give(_ count: Int) {
        used.withLock { $0 -= count }
    }
}

/// A part of a stored body as a file region, which the system sends without a copy through our memory.
///
/// Requests share the open file: a region names its offset. NIO's handles can't be shared between event loops, so each
/// region has its own handle around the same descriptor, and gives the descriptor up instead of closing it.
struct BodyRegion: Sendable {
    let region: FileRegion
    private let handle: NIOFileHandle
    private let file: BodyFile

    /// Compares the checksums that were not compared yet, which reads the part.
    ///
    /// - Throws: ``BodyRegion/Fault`` when the file no longer holds the part, `StoreError` when it is damaged.
    init(_ part: StoredPart) throws {
        file = part.file
        try file.verify(part.range)
        // The system would send nothing of a file that was cut short, again and again.
        guard file.holds(part.range) else { throw Fault.cutShort }
        handle = NIOFileHandle(_deprecatedTakingOwnershipOfDescriptor: file.descriptor)
        region = FileRegion(
            fileHandle: handle, readerIndex: Int(part.range.lowerBound), endIndex: Int(part.range.upperBound))
    }

    enum Fault: Error {
        case cutShort
    }

    /// Gives the file up, once the region was sent or can't be sent. Calling it again does nothing.
    func release() {
        _ = try? handle.takeDescriptorOwnership()
        withExtendedLifetime(file) {}
    }
}
#endif
